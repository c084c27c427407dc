"""One form for every measurement: rows, checks, where and when; a table for people and JSON for programs."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

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
            "machine": machine(),
            "seed": self.seed,
            "rows": [dict(row) for row in self.rows],
            "checks": [asdict(check) for check in self.checks],
        }

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self.as_json(), indent=1) + "\n")

    def table(self) -> str:
        """Rows, then checks, each as aligned columns."""
        checks = [asdict(check) | {"holds": VERDICTS[check.holds]} for check in self.checks]
        return "\n\n".join(columns(part) for part in (self.rows, checks) if part)


CELL_LIMIT = 60  # characters of one cell; the JSON has it whole
VERDICTS = {True: "yes", False: "NO", None: "not measured"}


def columns(rows: Sequence[Mapping[str, Json]]) -> str:
    """Rows as text; the first row's keys are the heading."""
    heading = list(rows[0])
    lines = [heading, *([shown(row.get(key)) for key in heading] for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(heading))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def shown(value: Json) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2f}"
    text = str(value)
    return text if len(text) <= CELL_LIMIT else text[: CELL_LIMIT - 1] + "…"


def machine() -> str:
    """Cores that this process may use, the processor's own name, system and Python."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        facts = dict(line.split(":", 1) for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    except OSError:
        facts = {}
    named = {key.strip(): value.strip() for key, value in facts.items()}.get("model name") or platform.machine()
    return f"{cores} cores, {named}, {platform.system()}, Python {platform.python_version()}"
