"""Measure what think-time speculation saves a person who picks: paired arms, one schedule, from outside."""

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.evaluation.arms import Limits, play
from apps.evaluation.engine import engine_in_use
from apps.evaluation.played import Played
from apps.evaluation.products import ProductFailed, product
from apps.evaluation.progress import Progress
from apps.evaluation.report import checks, rows
from apps.evaluation.schedule import Script, schedule
from apps.evaluation.site import ChatUnreachable
from apps.evaluation.table import render
from apps.runtime.machine import this_machine
from apps.serving.config import Mode


def modes(text: str) -> tuple[Mode, ...]:
    """`floor,c2` as modes, each once, in order."""
    chosen = tuple(Mode(name) for name in text.split(","))
    if len(set(chosen)) != len(chosen):
        raise ValueError(f"an arm is named twice in {text!r}")
    return chosen


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError("must be at least 1")
    return number


class Command(BaseCommand):
    help = "Play one schedule of conversations in each arm and report the latency that a user sees."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--turns", type=positive, default=60, help="user turns in each arm")
        parser.add_argument("--seed", type=int, default=7, help="of conversations, picks and think gaps; >= 0")
        parser.add_argument("--arms", type=modes, default=modes("floor,c2"), help="of floor, c2, full; base first")
        parser.add_argument("--base-url", help="play on this running product; then no arm starts cold")
        parser.add_argument("--answer-timeout", type=float, default=120.0, help="seconds to wait for one answer")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the whole report there")

    def handle(self, *args: object, **options: Any) -> None:
        scripts = schedule(options["turns"], options["seed"])
        if options["base_url"]:
            self.stderr.write("the arms share a running product: none of them is cold")
        limits = Limits(answer_s=options["answer_timeout"])
        played = [self._arm(mode, scripts, options["base_url"], limits) for mode in options["arms"]]
        found_rows, found_checks = rows(played, options["seed"]), checks(played, options["seed"])
        self.stdout.write(render(found_rows, found_checks))
        if options["json"]:
            report = {"rows": found_rows, "checks": [asdict(check) for check in found_checks]}
            self._write(options, scripts, played, report)

    def _arm(self, mode: Mode, scripts: Sequence[Script], base_url: str | None, limits: Limits) -> Played:
        turns = sum(len(script.steps) for script in scripts)
        try:
            with product(base_url, lambda text: self.stderr.write(f"{mode}: {text}")) as url:
                return asyncio.run(play(url, mode, scripts, limits, Progress(mode, turns, self.stderr.write)))
        except ProductFailed as exc:
            raise CommandError(f"arm {mode}: the private stack did not start: {exc}") from exc
        except ChatUnreachable as exc:
            raise CommandError(f"arm {mode}: {exc}") from exc

    def _write(
        self, options: dict[str, Any], scripts: Sequence[Script], played: Sequence[Played], report: dict[str, Any]
    ) -> None:
        gaps_s = sorted(step.gap_s for script in scripts for step in script.steps if step.kind == "pick")
        whole = {
            "command": "think_time",
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": asdict(this_machine()),
            "engine": engine_in_use(options["base_url"]),
            "seed": options["seed"],
            "schedule": {
                "turns": options["turns"],
                "conversations": len(scripts),
                "pick_gap_p50_s": gaps_s[len(gaps_s) // 2] if gaps_s else None,
            },
            "arms_cold": options["base_url"] is None,
            **report,
            "turns": {arm.arm: [asdict(turn) for turn in arm.turns] for arm in played},
        }
        options["json"].write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
