"""What became of the fills that a client saw, from `fill.moved` events. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

USED = "promoted"
ENDS = ("promoted", "discarded", "stale", "expired", "failed")


@dataclass(frozen=True, slots=True)
class FillTrace:
    """One fill, as far as it was seen.

    state       the last FillState seen
    started_ms  when it began to run, ms since the epoch on the server's clock; None if it never did
    engine_ms   what it cost the engine, as its events say; None where none does
    held_ms     how long it ran by the events' times, ms; what stands in for an engine_ms that is None
    """

    fill_id: str
    stage: str
    state: str = "reserved"
    reason: str = ""
    started_ms: float | None = None
    engine_ms: float | None = None
    held_ms: float = 0.0

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "FillTrace":
        return cls(data["fill"], data["stage"])

    def moved(self, data: Mapping[str, Any], at_ms: float) -> "FillTrace":
        state = data["state"]
        started_ms = at_ms if state == "running" else self.started_ms
        ran = self.state == "running" and state != "running"
        held_ms = at_ms - started_ms if ran and started_ms is not None else self.held_ms
        engine_ms = data.get("engine_ms")
        return replace(
            self,
            state=state,
            reason=data.get("reason") or self.reason,
            started_ms=started_ms,
            engine_ms=self.engine_ms if engine_ms is None else float(engine_ms),
            held_ms=held_ms,
        )

    @property
    def cost_ms(self) -> float:
        return self.held_ms if self.engine_ms is None else self.engine_ms


@dataclass(frozen=True, slots=True)
class FillCounts:
    """issued = used + discarded + stale + expired + failed + left.

    left         neither used nor ended when the client left: waiting shadows, and fills of the last offers
    engine_ms    cost of all; wasted_ms: of those that were not used
    timed_frac   share of the fills that ran whose cost is their own engine_ms and not a time span, in [0, 1]
    """

    issued: int
    used: int
    discarded: int
    stale: int
    expired: int
    failed: int
    left: int
    engine_ms: float
    wasted_ms: float
    timed_frac: float | None


def count(traces: Iterable[FillTrace]) -> FillCounts:
    fills = tuple(traces)
    by_state = {state: sum(fill.state == state for fill in fills) for state in ENDS}
    ran = [fill for fill in fills if fill.started_ms is not None]
    timed = sum(fill.engine_ms is not None for fill in ran)
    return FillCounts(
        issued=len(fills),
        used=by_state[USED],
        **{state: by_state[state] for state in ENDS if state != USED},
        left=len(fills) - sum(by_state.values()),
        engine_ms=sum(fill.cost_ms for fill in fills),
        wasted_ms=sum(fill.cost_ms for fill in fills if fill.state != USED),
        timed_frac=timed / len(ran) if ran else None,
    )
