"""One form for every measurement: rows, checks, where and when; a table for people and JSON for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from apps.runtime.machine import this_machine
from apps.serving.names import Json


@dataclass(frozen=True, slots=True)
class Check:
    """value against target, both in `unit`. holds is None where it could not be measured, and value then too."""

    name: str
    value: float | None
    unit: str
    target: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Measurement:
    command: str
    seed: int
    rows: Sequence[Mapping[str, Json]]
    checks: Sequence[Check]

    def as_json(self) -> dict[str, Json]:
        return {
            "command": self.command,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": asdict(this_machine()),
            "seed": self.seed,
            "rows": [dict(row) for row in self.rows],
            "checks": [asdict(check) for check in self.checks],
        }

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self.as_json(), indent=1) + "\n")

    def table(self) -> str:
        return "\n\n".join([columns(self.rows), check_table(self.checks)])


CELL_LIMIT = 60  # characters of one cell; the JSON has it whole
VERDICTS = {True: "yes", False: "NO", None: "not measured"}


def columns(rows: Sequence[Mapping[str, Json]]) -> str:
    """Rows as text; the first row's keys are the heading."""
    heading = list(rows[0])
    return grid(heading, [[shown(row.get(key)) for key in heading] for row in rows])


def check_table(checks: Sequence[Check]) -> str:
    lines = [
        (one.name, one.target, "–" if one.value is None else f"{one.value:.3f}", one.unit, VERDICTS[one.holds])
        for one in checks
    ]
    return grid(("check", "target", "value", "unit", "holds"), lines)


def grid(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Columns as wide as their longest cell: the first two to the left, the others to the right."""
    table = [tuple(head), *(tuple(line) for line in lines)]
    widths = [max(len(line[column]) for line in table) for column in range(len(head))]

    def row(line: Sequence[str]) -> str:
        cells = (
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([row(table[0]), rule, *map(row, table[1:])])


def shown(value: Json) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2f}"
    text = str(value)
    return text if len(text) <= CELL_LIMIT else text[: CELL_LIMIT - 1] + "…"
