"""The life of one fill, as a table. §3.3"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from apps.serving.errors import IllegalTransition


class FillState(StrEnum):
    RESERVED = "reserved"  # slot and KV held; nothing sent to an engine
    RUNNING = "running"  # executing on an engine
    SHADOW = "shadow"  # complete; unreadable by serving paths
    PROMOTED = "promoted"  # authorized by an exact, fresh demand
    DISCARDED = "discarded"  # lost its branch
    FAILED = "failed"  # engine or worker lost, or an incomplete answer
    EXPIRED = "expired"  # no demand came within its time to live
    STALE = "stale"  # a record in its read-set was written


class FillEvent(StrEnum):
    START = "start"
    COMPLETE = "complete"
    AUTHORIZE = "authorize"
    LOSE = "lose"
    FAIL = "fail"
    EXPIRE = "expire"
    WRITE = "write"


S, E = FillState, FillEvent
TRANSITIONS: Mapping[FillState, Mapping[FillEvent, FillState]] = {
    S.RESERVED: {E.START: S.RUNNING, E.LOSE: S.DISCARDED, E.FAIL: S.FAILED, E.EXPIRE: S.EXPIRED},
    S.RUNNING: {
        E.COMPLETE: S.SHADOW,
        E.LOSE: S.DISCARDED,
        E.FAIL: S.FAILED,
        E.EXPIRE: S.EXPIRED,
        E.WRITE: S.STALE,
    },
    S.SHADOW: {E.AUTHORIZE: S.PROMOTED, E.LOSE: S.DISCARDED, E.EXPIRE: S.EXPIRED, E.WRITE: S.STALE},
    S.PROMOTED: {},
    S.DISCARDED: {},
    S.FAILED: {},
    S.EXPIRED: {},
    S.STALE: {},
}

FINAL: frozenset[FillState] = frozenset(state for state, moves in TRANSITIONS.items() if not moves)


@dataclass(frozen=True, slots=True)
class Fill:
    fill_id: str
    state: FillState = FillState.RESERVED

    def on(self, event: FillEvent) -> "Fill":
        """The fill after `event`; the fill itself never changes."""
        allowed = TRANSITIONS[self.state]
        if event not in allowed:
            raise IllegalTransition(self.fill_id, self.state, event, tuple(allowed))
        return replace(self, state=allowed[event])


def sources(event: FillEvent) -> tuple[FillState, ...]:
    """The states that `event` may leave; what a compare-and-set is given."""
    return tuple(state for state, moves in TRANSITIONS.items() if event in moves)
