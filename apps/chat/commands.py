"""What a client's command does to the rows: one short transaction each, the conversation's row locked first.

Every command is idempotent by its key; another command under a used key is refused. A refusal writes nothing.
SQLite takes its write lock at BEGIN (`transaction_mode` IMMEDIATE), PostgreSQL locks the row, so two commands
never interleave.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from apps.chat import ports, refusals, wire
from apps.chat.lifecycle import LEASE_MS, PROCESS, Run, run_of
from apps.chat.models import Conversation, Kind, Offer, Pick, State, Turn, new_id
from apps.chat.queries import turn_json
from apps.chat.refusals import Refusal
from apps.runtime.clock import now_ms
from apps.serving.names import Json

TITLE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Started:
    """A new turn is stored and leased by this process, which must run it.

    turn   as the wire shows it        title  the conversation's new one, or empty
    """

    run: Run
    turn: dict[str, Json]
    title: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """The key was used before: the turn that it made."""

    turn: str


@dataclass(frozen=True, slots=True)
class Occupied:
    """The command would start a second answer while this turn runs; it may go on once that has ended."""

    turn: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The head is another turn now. left: the branch that nobody looks at any more."""

    head: str
    left: str


Outcome = Started | Repeated | Occupied | Moved | Refusal


@dataclass(frozen=True, slots=True)
class _Draft:
    """A turn about to be stored. `text` is what the user sees as their own line."""

    parent: Turn | None
    kind: Kind
    text: str
    input: Mapping[str, Any] | None = None
    offer: Offer | None = None
    action: int = 0
    fork: bool = False


@transaction.atomic
def start_conversation(owner: str, mode: str, title: str = "") -> Run:
    """A conversation with its start turn; no model is asked."""
    at_ms = now_ms()
    conversation = Conversation.objects.create(owner=owner, mode=mode, title=title, created_ms=at_ms, updated_ms=at_ms)
    return _store(conversation, _Draft(None, Kind.START, ""), None, at_ms).run


@transaction.atomic
def apply(conversation_id: str, owner: str, command: wire.Command, received_ms: int) -> Outcome:
    """Check the command against the conversation as it is now, and store what follows."""
    conversation = (
        Conversation.objects.select_for_update(of=("self",)).select_related("head").filter(pk=conversation_id).first()
    )
    if conversation is None:
        return refusals.UNKNOWN_CONVERSATION
    if conversation.owner != owner:
        return refusals.FORBIDDEN
    if isinstance(command, wire.Goto):
        return _goto(conversation, command)
    if isinstance(command, wire.Stop):
        return refusals.bad_frame("type", "stop is no command that makes a turn")
    known = conversation.turns.filter(key=command.key).first()
    if known is not None:
        return Repeated(known.id) if _same(conversation, known, command) else refusals.KEY_REUSED
    draft = _draft(conversation, command)
    if isinstance(draft, Refusal):
        return draft
    running = conversation.turns.filter(state=State.RUNNING).first()
    if running is not None:
        return Occupied(running.id)
    return _store(conversation, draft, command.key, received_ms)


def _same(conversation: Conversation, known: Turn, command: wire.Command) -> bool:
    """Whether the command is the one that made the turn: other words under its key must not be lost in silence."""
    match command:
        case wire.Say(text=text):
            return known.kind == Kind.TEXT and known.text == text
        case wire.Pick(offer=offer, action=action):
            return Pick.objects.filter(turn=known, offer_id=offer, action=action).exists()
        case wire.Edit(turn=turn, text=text):
            return known.text == text and conversation.turns.filter(pk=turn, parent=known.parent_id).exists()
        case wire.Retry(turn=turn):
            return conversation.turns.filter(pk=turn, parent=known.parent_id, text=known.text).exists()
    return False


def may_interrupt(command: wire.Command) -> bool:
    """Whether the command ends a running answer instead of being refused: the user turned away from it."""
    return isinstance(command, wire.Retry | wire.Edit) or getattr(command, "fork", False)


def _draft(conversation: Conversation, command: wire.Command) -> _Draft | Refusal:
    match command:
        case wire.Say():
            return _say(conversation, command)
        case wire.Pick():
            return _pick(conversation, command)
        case wire.Retry():
            return _retry(conversation, command)
        case wire.Edit():
            return _edit(conversation, command)
    raise TypeError(f"{type(command).__name__} makes no turn")


def _say(conversation: Conversation, command: wire.Say) -> _Draft | Refusal:
    if not command.fork and command.head != conversation.head_id:
        return refusals.STALE_HEAD
    parent = conversation.turns.filter(pk=command.head).first()
    return _Draft(parent, Kind.TEXT, command.text) if parent else refusals.UNKNOWN_TURN


def _pick(conversation: Conversation, command: wire.Pick) -> _Draft | Refusal:
    offer = Offer.objects.select_related("turn").filter(pk=command.offer, turn__conversation=conversation).first()
    if offer is None:
        return refusals.UNKNOWN_OFFER
    if not 0 <= command.action < len(offer.actions):
        return refusals.UNKNOWN_ACTION
    if not command.fork:
        if command.head != conversation.head_id:
            return refusals.STALE_HEAD
        if offer.turn_id != conversation.head_id:
            return refusals.STALE_OFFER
        if offer.picks.filter(fork=False).exists():
            return refusals.PICKED
    label = offer.actions[command.action]["label"]
    return _Draft(offer.turn, Kind.PICK, label, None, offer, command.action, command.fork)


def _retry(conversation: Conversation, command: wire.Retry) -> _Draft | Refusal:
    """The same input again, its operation included: a mutating stage that already happened is not done twice."""
    turn = conversation.turns.select_related("parent", "pick__offer").filter(pk=command.turn).first()
    if turn is None:
        return refusals.UNKNOWN_TURN
    pick = getattr(turn, "pick", None)
    if pick is None:
        return _Draft(turn.parent, Kind(turn.kind), turn.text, turn.input)
    return _Draft(turn.parent, Kind.PICK, turn.text, turn.input, pick.offer, pick.action, True)


def _edit(conversation: Conversation, command: wire.Edit) -> _Draft | Refusal:
    turn = conversation.turns.select_related("parent").filter(pk=command.turn).first()
    if turn is None:
        return refusals.UNKNOWN_TURN
    if turn.kind != Kind.TEXT:
        return refusals.NOT_EDITABLE
    return _Draft(turn.parent, Kind.TEXT, command.text)


def _store(conversation: Conversation, draft: _Draft, key: str | None, created_ms: int) -> Started:
    turn_id = new_id()
    turn = Turn.objects.create(
        id=turn_id, conversation=conversation, parent=draft.parent, kind=draft.kind, text=draft.text, key=key,
        input=_input(draft, conversation.owner, turn_id), lease_owner=PROCESS,
        lease_until_ms=now_ms() + LEASE_MS, created_ms=created_ms,
    )  # fmt: skip
    if draft.offer is not None:
        Pick.objects.create(offer=draft.offer, action=draft.action, turn=turn, fork=draft.fork)
    title = "" if conversation.title else _title(draft.text)
    left = _branch_left(conversation, draft.parent)
    conversation.head, conversation.title = turn, conversation.title or title
    conversation.updated_ms = created_ms
    conversation.save(update_fields=["head", "title", "updated_ms"])
    return Started(run_of(turn, left), turn_json(turn), title)


def _input(draft: _Draft, owner: str, turn_id: str) -> dict[str, Any]:
    if draft.input is not None:
        return dict(draft.input)
    program, asker = ports.program(), ports.asker(owner, turn_id)
    context = draft.parent.context if draft.parent else {}
    if draft.offer is not None:
        return dict(program.pick_turn(draft.offer.actions[draft.action]["payload"], context, asker))
    if draft.kind == Kind.START:
        return dict(program.start_turn(asker))
    return dict(program.text_turn(draft.text, context, asker))


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= TITLE_CHARACTERS else line[: TITLE_CHARACTERS - 1].rstrip() + "…"


def _branch_left(conversation: Conversation, parent: Turn | None) -> str:
    """The branch of the offer that was shown, when the conversation goes on from another turn."""
    if conversation.head_id is None or (parent is not None and parent.id == conversation.head_id):
        return ""
    offer = Offer.objects.filter(turn_id=conversation.head_id).first()
    return offer.branch if offer else ""


def _goto(conversation: Conversation, command: wire.Goto) -> Moved | Refusal:
    """Show the newest path through the turn, so that going to a sibling shows what followed it."""
    turns = list(conversation.turns.order_by("created_ms", "pk"))
    if not any(turn.id == command.turn for turn in turns):
        return refusals.UNKNOWN_TURN
    newest_child = {turn.parent_id: turn for turn in turns}
    head = command.turn
    while head in newest_child:
        head = newest_child[head].id
    if head == conversation.head_id:
        return Moved(head, "")
    offer = Offer.objects.filter(turn_id=conversation.head_id).first()
    conversation.head_id = head
    conversation.save(update_fields=["head"])
    return Moved(head, offer.branch if offer else "")


def rename(conversation_id: str, title: str) -> None:
    Conversation.objects.filter(pk=conversation_id).update(title=title)


@transaction.atomic
def delete(conversation_id: str) -> None:
    """The conversation with its turns, offers and picks; a repeat does nothing."""
    Conversation.objects.filter(pk=conversation_id).update(head=None)
    Conversation.objects.filter(pk=conversation_id).delete()
