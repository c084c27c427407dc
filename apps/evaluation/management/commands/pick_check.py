"""Make a few picks in the chat and say how each was answered: a smoke test of a whole installation."""

import asyncio
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.evaluation.arms import Limits, play
from apps.evaluation.comparison import Pair, paired
from apps.evaluation.played import Played, TurnRecord
from apps.evaluation.products import ProductFailed, product
from apps.evaluation.progress import Progress
from apps.evaluation.schedule import schedule
from apps.evaluation.site import ChatUnreachable
from apps.evaluation.table import ms
from apps.runtime.measurement import grid
from apps.serving.config import Mode


def pick_table(turns: Sequence[TurnRecord]) -> str:
    lines = [
        (str(number), turn.asked, hows(turn), ms(turn.first_ms), ms(turn.complete_ms), turn.state)
        for number, turn in enumerate(turns, start=1)
    ]
    return grid(("pick", "asked", "how", "first ms", "complete ms", "state"), lines)


def hows(turn: TurnRecord) -> str:
    return ", ".join(f"{stage.stage} {stage.how}" for stage in turn.stages) or "–"


def complaint(pair: Pair) -> str:
    """A pair that differs, both answers in full."""
    floor, c2 = pair.first, pair.second
    return f"{floor.asked!r} on the floor: {floor.reply!r}\n{c2.asked!r} in c2: {c2.reply!r}"


class Command(BaseCommand):
    help = "Make picks in mode c2; fail when an answer is missing or, with --compare, is not the floor's."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--picks", type=int, default=10)
        parser.add_argument("--seed", type=int, default=7)
        parser.add_argument("--base-url", help="play on this running product instead of a private stack")
        parser.add_argument("--compare", action="store_true", help="make the same picks in mode floor as well")
        parser.add_argument("--answer-timeout", type=float, default=300.0, help="seconds to wait for one answer")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            with product(options["base_url"], self.stderr.write) as url:
                c2 = self._play(url, Mode.C2, options)
                floor = self._play(url, Mode.FLOOR, options) if options["compare"] else None
        except (ProductFailed, ChatUnreachable) as exc:
            raise CommandError(str(exc)) from exc
        self.stdout.write(pick_table(c2.turns))
        self._judge(c2, floor)

    def _play(self, url: str, mode: Mode, options: dict[str, Any]) -> Played:
        scripts = schedule(options["picks"], options["seed"], typed_frac=0.0)
        limits = Limits(answer_s=options["answer_timeout"])
        return asyncio.run(play(url, mode, scripts, limits, Progress(mode, options["picks"], self.stderr.write)))

    def _judge(self, c2: Played, floor: Played | None) -> None:
        missing = [turn for turn in c2.turns if not turn.answered or not turn.reply]
        if missing:
            raise CommandError(f"{len(missing)} of {len(c2.turns)} picks have no answer: {missing[0].error}")
        if floor is None:
            return
        differing = [pair for pair in paired(floor, c2) if not pair.equal]
        for pair in differing:
            self.stderr.write(complaint(pair))
        if differing:
            raise CommandError(f"{len(differing)} of {len(c2.turns)} answers are not the floor's")
        self.stdout.write(f"all {len(c2.turns)} answers equal the floor's, byte for byte")
