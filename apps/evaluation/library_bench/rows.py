"""The rows and checks of the measurement: one heading for all, so that they make one table. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, field

from apps.evaluation.library_bench.timing import MedianRatio
from apps.runtime.measurement import Check
from apps.serving.names import Json

Row = dict[str, Json]

Log = Callable[[str], object]
"""Takes a line of progress."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one part measured."""

    rows: list[Row] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    def __add__(self, other: "Found") -> "Found":
        return Found(self.rows + other.rows, self.checks + other.checks)


def row(
    what: str,
    n: int,
    value: float | None,
    unit: str,
    base: float | None = None,
    ratio: float | None = None,
    low: float | None = None,
    high: float | None = None,
    note: str = "",
) -> Row:
    """value against base, both in `unit`; ratio with its interval. None where there is no such thing."""
    found: Row = {"what": what, "n": n, "value": value, "unit": unit, "base": base}
    return found | {"ratio": ratio, "low": low, "high": high, "note": note}


def ratio_row(what: str, found: MedianRatio, note: str) -> Row:
    return row(what, found.n, found.ours_us, "µs", found.base_us, found.ratio, found.low, found.high, note)


def at_most(name: str, value: float, unit: str, limit: float) -> Check:
    return Check(name, value, unit, f"<= {limit:g}", value <= limit)


def compared(check: str, what: str, found: MedianRatio, limit: float, note: str) -> Found:
    """A ratio of medians that is held to a limit."""
    return Found([ratio_row(what, found, note)], [at_most(check, found.ratio, "ratio", limit)])
