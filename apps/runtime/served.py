"""What a demand was answered with, in the words that pages and clients see."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from apps.serving.outcomes import MissReason, Result


class How(StrEnum):
    EXECUTED = "executed"
    HIT = "hit"
    PROMOTED = "promoted"
    WAITED = "waited"  # promoted after a bounded wait for a running fill


class Answered(StrEnum):
    HIT = "hit"  # from a confirmed entry
    PROMOTED = "promoted"  # from a shadow, at once or after a bounded wait
    MISS = "miss"  # it ran, since nothing could serve it
    BYPASS = "bypass"  # it ran, since it was not to be served


WHY: Mapping[How, str] = {
    How.HIT: "kept, exact and fresh",
    How.PROMOTED: "prepared, exact and fresh",
    How.WAITED: "prepared in time, exact and fresh",
}


@dataclass(frozen=True, slots=True)
class Served:
    """One answered demand.

    reason    why it was executed (a MissReason), or why it could be served
    ms        demand to answer     saved_ms  what producing the served result had cost; 0 when executed
    """

    result: Result
    how: How
    reason: str
    ms: float
    saved_ms: float

    @property
    def answered(self) -> Answered:
        if self.how is How.EXECUTED:
            return Answered.BYPASS if self.reason == MissReason.BYPASS else Answered.MISS
        return Answered.HIT if self.how is How.HIT else Answered.PROMOTED


class NotCached(Exception):
    """A demand that must not run found nothing that could serve it. Nothing was started for it."""

    def __init__(self, stage: str, reason: MissReason) -> None:
        self.stage, self.reason = stage, reason
        super().__init__(f"{stage}: nothing kept could serve it ({reason}); ask without only-if-cached to have it run")
