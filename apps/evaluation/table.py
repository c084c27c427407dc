"""The report as plain text tables. Pure."""

from collections.abc import Callable, Sequence

from apps.evaluation.report import Row
from apps.runtime.measurement import Check, check_table, grid

QUANTILES = ("mean_ms", "p50_ms", "p95_ms", "p99_ms")


def ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def latency_table(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        for measure, label in (("first", "first byte"), ("complete", "complete")):
            found = row[measure] or {}
            cells = [ms(found.get(name)) for name in QUANTILES]
            lines.append((row["arm"], f"{row['kind']} -> {label}", str(row["turns"]), str(row["unanswered"]), *cells))
    return grid(("arm", "latency, ms", "turns", "unanswered", "mean", "p50", "p95", "p99"), lines)


def outcome_table(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        shares = (percent(row[f"{name}_frac"]) for name in ("served", "reused", "running", "missed"))
        why = ", ".join(f"{reason} {n}" for reason, n in row["missed_by_reason"].items())
        lines.append((row["arm"], row["kind"], str(row["turns"]), *shares, why))
    return grid(("arm", "kind", "turns", "served", "reused", "still running", "missed", "missed because"), lines)


def fill_table(rows: Sequence[Row]) -> str:
    names = ("used", "discarded", "stale", "expired", "failed", "left")
    lines = [
        (
            row["arm"],
            str(row["issued"]),
            *(str(row[name]) for name in names),
            ms(row["engine_ms"]),
            ms(row["wasted_ms"]),
        )
        for row in rows
    ]
    return grid(("arm", "fills", *names, "engine ms", "wasted ms"), lines)


def equality_lines(rows: Sequence[Row]) -> str:
    return "\n".join(
        f"{' and '.join(row['arms'])}: {row['equal']} of {row['pairs']} answers byte-equal "
        f"({percent(row['equal_frac'])}); {row['diverged']} pairs on other trajectories; "
        f"{percent(row['comparable_frac'])} equal among the other {row['comparable']}"
        for row in rows
    )


def ratio_lines(rows: Sequence[Row]) -> str:
    return "\n".join(ratio_line(row) for row in rows)


def ratio_line(row: Row) -> str:
    head = f"{' over '.join(row['arms'])}, mean pick -> complete, {row['pairs']} pairs: "
    if row["mean_ratio"] is None:
        return head + "–"
    interval = row["interval"]
    span = f" (95 % interval {interval['low']:.3f} to {interval['high']:.3f})" if interval else ""
    return f"{head}{row['mean_ratio']:.3f}{span}"


SECTIONS: tuple[tuple[str, Callable[[Sequence[Row]], str]], ...] = (
    ("latency", latency_table),
    ("outcome", outcome_table),
    ("fills", fill_table),
    ("equality", equality_lines),
    ("ratio", ratio_lines),
)


def render(rows: Sequence[Row], checks: Sequence[Check]) -> str:
    """Every section that has rows, then the checks."""
    parts = []
    for name, draw in SECTIONS:
        if chosen := [row for row in rows if row["row"] == name]:
            parts.append(draw(chosen))
    return "\n\n".join([*parts, check_table(checks)])
