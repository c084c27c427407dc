"""Reads: who may see a conversation, and its rows as the wire shows them."""

from dataclasses import dataclass

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import QuerySet

from apps.chat import refusals
from apps.chat.markdown import to_html
from apps.chat.models import Conversation, Offer, State, Turn
from apps.chat.refusals import Refusal
from apps.chat.wire import ID_PATTERN
from apps.serving.names import Json

DATABASE_AWAY = (DatabaseError, InterfaceError)


def access(conversation_id: str, owner: str | None) -> Refusal | None:
    """None when the conversation is the owner's. A refusal says nothing of its content.

    The id comes from an address: one that cannot be an id (a NUL, say) is not asked for, since PostgreSQL raises on it.
    """
    if not ID_PATTERN.fullmatch(conversation_id):
        return refusals.UNKNOWN_CONVERSATION
    found = Conversation.objects.filter(pk=conversation_id).values_list("owner", flat=True).first()
    if found is None:
        return refusals.UNKNOWN_CONVERSATION
    return None if owner and found == owner else refusals.FORBIDDEN


def latest_id(owner: str) -> str | None:
    return _own(owner).values_list("pk", flat=True).first()


def listed(owner: str) -> list[dict[str, Json]]:
    """The owner's conversations, the one used last first."""
    return [conversation_json(conversation) for conversation in _own(owner)]


def _own(owner: str) -> QuerySet[Conversation]:
    return Conversation.objects.filter(owner=owner).order_by("-updated_ms", "pk")


def conversation_json(conversation: Conversation) -> dict[str, Json]:
    return {
        "id": conversation.id,
        "title": conversation.title,
        "mode": conversation.mode,
        "head": conversation.head_id,
        "url": f"/c/{conversation.id}/",
        "created_ms": conversation.created_ms,
        "updated_ms": conversation.updated_ms,
    }


@dataclass(frozen=True, slots=True)
class Whole:
    """A conversation and all its turns, oldest first, as the wire shows them."""

    conversation: dict[str, Json]
    turns: list[dict[str, Json]]


def whole(conversation_id: str) -> Whole | None:
    conversation = Conversation.objects.filter(pk=conversation_id).first()
    if conversation is None:
        return None
    turns = conversation.turns.select_related("offer", "pick").order_by("created_ms", "pk")
    return Whole(conversation_json(conversation), [turn_json(turn) for turn in turns])


def turn_json(turn: Turn) -> dict[str, Json]:
    """The wire's Turn, see docs/interfaces.md."""
    pick, offer = getattr(turn, "pick", None), getattr(turn, "offer", None)
    return {
        "id": turn.id,
        "parent": turn.parent_id,
        "kind": turn.kind,
        "text": turn.text,
        "offer_id": pick.offer_id if pick else None,
        "action": pick.action if pick else None,
        "state": turn.state,
        "epoch": turn.epoch,
        "reply": turn.reply,
        "html": to_html(turn.reply),
        "error": turn.error["message"] if turn.error else None,
        "offer": offer_json(offer) if offer else None,
        "created_ms": turn.created_ms,
        "timing": turn.timing,
    }


def offer_json(offer: Offer) -> dict[str, Json]:
    """The actions without their payloads: what a client may see and name."""
    actions: list[Json] = [
        {"index": index, "label": action["label"], "kind": "speculable" if action["speculable"] else "commit"}
        for index, action in enumerate(offer.actions)
    ]
    return {"id": offer.id, "branch": offer.branch, "actions": actions}


def open_branches(conversation_id: str) -> list[str]:
    """Branches of offers that nobody has answered: what still may fill for a conversation."""
    offers = Offer.objects.filter(turn__conversation_id=conversation_id, picks=None).exclude(branch="")
    return list(offers.order_by("-turn__created_ms").values_list("branch", flat=True)[:20])


def has_turn(conversation_id: str, turn_id: str) -> bool:
    return Turn.objects.filter(pk=turn_id, conversation_id=conversation_id).exists()


def running_turns(conversation_id: str) -> list[str]:
    running = Turn.objects.filter(conversation_id=conversation_id, state=State.RUNNING)
    return list(running.values_list("pk", flat=True))


def ping() -> None:
    """Raises one of DATABASE_AWAY when the database does not answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
