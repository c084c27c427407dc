from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from apps.engines.base import EngineError
from apps.runtime.engine_bench import VARIATIONS, bench
from apps.runtime.engine_process import EngineDidNotStart
from apps.runtime.measurement import Check, Measurement


class Command(BaseCommand):
    help = "Measure the embedded engine on the product's own mix under several options; about half a minute each."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", nargs="+", choices=sorted(VARIATIONS), help="some sets of options, not all")
        parser.add_argument("--rounds", type=int, default=3, help="medians are over so many")
        parser.add_argument("--seed", type=int, default=7)
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the measurement there as well")

    def handle(self, *, only: list[str] | None, rounds: int, seed: int, json: Path | None, **options: object) -> None:
        try:
            rows = bench(only or list(VARIATIONS), rounds, seed, self.stderr.write)
        except (EngineError, EngineDidNotStart) as exc:
            raise CommandError(str(exc)) from exc
        # Of the options that the product runs with: of others, it is one of the things that the rows compare.
        equal = next(
            (float(row["equal_share"]) for row in rows if row["options"] == "default" and not row["problem"]), None
        )
        check = Check("equal_alone_and_batched", equal, "share", "1", None if equal is None else equal == 1)
        measurement = Measurement("bench_engine", seed, rows, [check])
        self.stdout.write(measurement.table())
        if json:
            measurement.write(json)
