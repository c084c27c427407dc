"""A turn's lease and end: every change is a compare-and-set on its row. Synchronous; no call here is in the token path.

A run holds its turn by (id, epoch) while it renews the lease. A successor takes an expired lease under the next
epoch; whatever the former owner writes afterwards changes no row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F

from apps.chat.models import Conversation, Offer, State, Turn, new_id
from apps.chat.queries import turn_json
from apps.runtime.clock import now_ms
from apps.runtime.program import Action
from apps.serving.names import Json

LEASE_MS = 6_000
RENEW_S = 1.0  # also how soon a stop asked for in another process is seen at the latest
PROCESS = new_id()  # who holds a lease: this process, new with every start


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a turn, with all that it needs: nothing more is read before its first stage.

    branch, choice  the branch that this turn resolves, and its selection (None for typed text)
    left            another branch that nobody looks at any more; both may be empty
    """

    turn: str
    conversation: str
    owner: str
    mode: str
    epoch: int
    input: Mapping[str, Json]
    created_ms: int
    branch: str = ""
    choice: str | None = None
    left: str = ""
    stop_asked: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """actions  None offers the nearest earlier offer's again; error  None unless the turn failed"""

    state: State
    reply: str
    outputs: Mapping[str, Json]
    timing: Mapping[str, Json]
    context: Mapping[str, Json] | None = None
    actions: tuple[Action, ...] | None = None
    error: Mapping[str, Json] | None = None


def run_of(turn: Turn, left: str = "") -> Run:
    pick = getattr(turn, "pick", None)
    earlier = getattr(turn.parent, "offer", None) if turn.parent else None
    return Run(
        turn.id, turn.conversation_id, turn.conversation.owner, turn.conversation.mode, turn.epoch, turn.input,
        turn.created_ms, earlier.branch if earlier else "", str(pick.action) if pick else None, left, turn.stop_asked,
    )  # fmt: skip


def renew(run: Run) -> bool | None:
    """Keep the lease. True when a stop was asked for; None when the turn is no longer this run's."""
    held = Turn.objects.filter(pk=run.turn, epoch=run.epoch, state=State.RUNNING, lease_owner=PROCESS)
    if not held.update(lease_until_ms=now_ms() + LEASE_MS):
        return None
    return held.filter(stop_asked=True).exists()


def expired(limit: int) -> list[str]:
    """Turns whose process died or hangs, oldest lease first."""
    late = Turn.objects.filter(state=State.RUNNING, lease_until_ms__lt=now_ms())
    return list(late.order_by("lease_until_ms").values_list("pk", flat=True)[:limit])


@transaction.atomic
def take(turn_id: str) -> Run | None:
    """Take an expired lease under the next epoch; None when another process was first."""
    late = Turn.objects.filter(pk=turn_id, state=State.RUNNING, lease_until_ms__lt=now_ms())
    taken = late.update(epoch=F("epoch") + 1, lease_owner=PROCESS, lease_until_ms=now_ms() + LEASE_MS)
    if not taken:
        return None
    return run_of(Turn.objects.select_related("conversation", "parent__offer", "pick").get(pk=turn_id))


def ask_stop(conversation_id: str, turn_id: str) -> bool:
    """Remember that the turn is to stop. False when it is not running."""
    running = Turn.objects.filter(pk=turn_id, conversation_id=conversation_id, state=State.RUNNING)
    return bool(running.update(stop_asked=True))


def is_running(turn_id: str) -> bool:
    return Turn.objects.filter(pk=turn_id, state=State.RUNNING).exists()


@dataclass(frozen=True, slots=True)
class Finished:
    """A turn as its end is stored, for the wire; origin: what its offer's branch is opened with, None without offer"""

    turn: dict[str, Json]
    origin: Mapping[str, Mapping[str, Json]] | None


@transaction.atomic
def finish(run: Run, ending: Ending) -> Finished | None:
    """Write the answer, its offer and what the next turn is told, whole. None when the turn was lost to another."""
    locked = Turn.objects.select_for_update(of=("self",)).select_related("parent", "pick")
    turn = locked.filter(pk=run.turn).first()
    if turn is None or turn.state != State.RUNNING or turn.epoch != run.epoch:
        return None
    turn.state, turn.reply, turn.outputs = ending.state, ending.reply, dict(ending.outputs)
    turn.context = dict(ending.context if ending.context is not None else _context_of(turn.parent))
    turn.error, turn.timing = (dict(ending.error) if ending.error else None), dict(ending.timing)
    turn.save(update_fields=["state", "reply", "outputs", "context", "error", "timing"])
    offer = _offer_again(turn) if ending.actions is None else _new_offer(turn, ending.actions)
    Conversation.objects.filter(pk=run.conversation).update(updated_ms=now_ms())
    return Finished(turn_json(turn), offer.origin if offer else None)


def _new_offer(turn: Turn, offered: Sequence[Action]) -> Offer | None:
    if not offered:
        return None
    actions = [{"label": a.label, "payload": dict(a.payload), "speculable": a.speculable} for a in offered]
    return Offer.objects.create(turn=turn, actions=actions, origin={"turn": turn.input, "outputs": turn.outputs})


def _context_of(turn: Turn | None) -> Mapping[str, Json]:
    return turn.context if turn else {}


def _offer_again(turn: Turn) -> Offer | None:
    """An answer that was cut short leaves the user with the actions that they had before."""
    earlier = Offer.objects.filter(turn_id=turn.parent_id).first() if turn.parent_id else None
    if earlier is None:
        return None
    return Offer.objects.create(turn=turn, actions=earlier.actions, origin=earlier.origin)


@dataclass(frozen=True, slots=True)
class Settled:
    """What happened to a turn's offer while its branch was being opened. picked: its index, or None for other words."""

    answered: bool
    picked: str | None = None


@transaction.atomic
def store_branch(turn_id: str, branch_id: str) -> Settled:
    """Remember an offer's branch. A pick may have come meanwhile: then the caller settles the branch at once."""
    # The lock that commands take: a pick either finds the branch, or is found here, never neither.
    Conversation.objects.select_for_update(of=("self",)).filter(turns__pk=turn_id).first()
    Offer.objects.filter(turn_id=turn_id).update(branch=branch_id)
    offer = Offer.objects.select_related("turn__conversation").filter(turn_id=turn_id).first()
    if offer is None:
        return Settled(True)
    pick = offer.picks.order_by("-pk").first()
    if pick is not None:
        return Settled(True, str(pick.action))
    return Settled(offer.turn.conversation.head_id != turn_id)
