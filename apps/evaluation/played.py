"""What one arm's play left: a record for each user turn, and how its answer was come by. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from apps.evaluation.fills import FillTrace

REPLY_STAGE = "reply"


class Kind(StrEnum):
    """What the user did, in rows of their own."""

    PICK = "pick"  # an action whose next stage is speculable
    COMMIT = "commit"  # an action that runs a mutating stage next
    TEXT = "text"


class Outcome(StrEnum):
    SERVED = "served"  # every stage through the reply was a complete shadow at its demand
    REUSED = "reused"  # as served, but for at least one stage from the library (C1)
    RUNNING = "running"  # at least one stage was waited for while its fill still ran
    MISSED = "missed"  # at least one stage was executed


@dataclass(frozen=True, slots=True)
class StageServed:
    stage: str
    how: str
    reason: str
    ms: float


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """asked: the action's label or the typed text. offered: the labels it was chosen from, in order.

    first_ms, complete_ms: sent -> first text, sent -> done, at the client, ms; None without an answer.
    """

    conversation: int
    step: int
    kind: Kind
    asked: str
    offered: tuple[str, ...]
    gap_s: float
    state: str
    error: str
    first_ms: float | None
    complete_ms: float | None
    reply: str
    stages: tuple[StageServed, ...]
    resumes: int

    @property
    def answered(self) -> bool:
        return self.state == "done"

    @property
    def outcome(self) -> Outcome:
        needed = {stage.how for stage in through_reply(self.stages)}
        if not needed or "executed" in needed:
            return Outcome.MISSED
        if "waited" in needed:
            return Outcome.RUNNING
        return Outcome.SERVED if needed == {"promoted"} else Outcome.REUSED

    @property
    def miss_reason(self) -> str:
        """Why the first executed stage was not served."""
        reasons = (stage.reason for stage in through_reply(self.stages) if stage.how == "executed")
        return next(reasons, "unreported") or "unreported"


@dataclass(frozen=True, slots=True)
class Played:
    """One arm: its turns in order, and the fills that its client saw."""

    arm: str
    turns: tuple[TurnRecord, ...]
    fills: tuple[FillTrace, ...]


def through_reply(stages: Sequence[StageServed]) -> tuple[StageServed, ...]:
    """The stages up to and with the last reply; all of them where a turn has none."""
    last = max((i for i, stage in enumerate(stages) if stage.stage == REPLY_STAGE), default=len(stages) - 1)
    return tuple(stages[: last + 1])


def stages_of(turn: Mapping[str, Any] | None) -> tuple[StageServed, ...]:
    """The stages that a turn's timing reports, see docs/interfaces.md."""
    timing = (turn or {}).get("timing") or {}
    return tuple(
        StageServed(stage["stage"], stage["how"], stage["reason"], float(stage["ms"]))
        for stage in timing.get("stages", ())
    )
