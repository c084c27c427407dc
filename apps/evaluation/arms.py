"""Play a schedule in one arm, as one user at one page."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.evaluation.conversation import Conversation
from apps.evaluation.fills import FillTrace
from apps.evaluation.played import Kind, Played, TurnRecord, stages_of
from apps.evaluation.schedule import Script, Step
from apps.evaluation.site import ChatSite
from apps.evaluation.transcript import Frame
from apps.serving.config import Mode

Told = Callable[[TurnRecord], None]
"""Hears of each turn as it ends."""


@dataclass(frozen=True, slots=True)
class Limits:
    """answer_s: longest wait for one answer, seconds. resume_s: longest loss of the socket, seconds."""

    answer_s: float = 120.0
    resume_s: float = 30.0


async def play(base_url: str, mode: Mode, scripts: Sequence[Script], limits: Limits, told: Told) -> Played:
    """One session plays every conversation in turn. Raises `ChatUnreachable` when the product is lost."""
    turns: list[TurnRecord] = []
    fills: list[FillTrace] = []
    async with ChatSite(base_url) as site:
        for number, script in enumerate(scripts):
            opened = await site.open(mode)
            async with Conversation(opened, site.origin, limits.resume_s) as conversation:
                await conversation.until_ready(limits.answer_s)
                for place, step in enumerate(script.steps):
                    turn = await play_step(conversation, step, number, place, limits)
                    turns.append(turn)
                    told(turn)
                fills.extend(conversation.transcript.fills.values())
    return Played(mode.value, tuple(turns), tuple(fills))


@dataclass(frozen=True, slots=True)
class Ask:
    """What the user does. `action` is the picked action's index in its offer; None for typed text."""

    kind: Kind
    text: str
    offered: tuple[str, ...]
    offer_id: str
    action: int | None


def ask(shown: Frame, step: Step) -> Ask:
    """The step on what the page shows; without an offer a pick becomes typed text."""
    offer = shown.get("offer")
    actions = offer["actions"] if offer else []
    offered = tuple(action["label"] for action in actions)
    if step.kind == "text" or not actions:
        return Ask(Kind.TEXT, step.text, offered, "", None)
    action = actions[step.index(len(actions))]
    kind = Kind.PICK if action["kind"] == "speculable" else Kind.COMMIT
    return Ask(kind, action["label"], offered, offer["id"], action["index"])


async def play_step(conversation: Conversation, step: Step, number: int, place: int, limits: Limits) -> TurnRecord:
    """Think, then act. The gap starts when the offer is shown: now, since the turn before has just ended."""
    await conversation.think(time.perf_counter() + step.gap_s)
    asked = ask(conversation.transcript.shown() or {}, step)
    if asked.action is None:
        answer = await conversation.say(asked.text, limits.answer_s)
    else:
        answer = await conversation.pick(asked.offer_id, asked.action, limits.answer_s)
    return TurnRecord(
        conversation=number,
        step=place,
        kind=asked.kind,
        asked=asked.text,
        offered=asked.offered,
        gap_s=step.gap_s,
        state=answer.state,
        error=answer.error,
        first_ms=answer.first_ms,
        complete_ms=answer.complete_ms,
        reply=answer.turn["reply"] if answer.turn else "",
        stages=stages_of(answer.turn),
        resumes=answer.resumes,
    )
