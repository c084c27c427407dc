import signal
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from apps.evaluation.library_bench.answers import Unexpected, Unreached
from apps.evaluation.library_bench.bench import PARTS, bench
from apps.evaluation.library_bench.loading import LoadFailed, NotStored
from apps.evaluation.library_bench.sizes import QUICK, WHOLE
from apps.runtime.embedded_redis import RedisDidNotStart
from apps.runtime.measurement import Measurement


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError("must be at least 1")
    return number


@contextmanager
def ended_in_order() -> Iterator[None]:
    """A SIGTERM ends the servers of the measurement too, which would outlive it with gigabytes in them."""
    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Command(BaseCommand):
    help = "Measure the library on a Redis of its own against bare round trips; about a quarter of an hour."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", nargs="+", choices=sorted(PARTS), metavar="NAME", help="some parts, not all")
        parser.add_argument("--entries", type=positive, help="of the great library, 1,000,000 if not said (4 GiB)")
        parser.add_argument("--quick", action="store_true", help="tiny sizes: shows that it works, measures nothing")
        parser.add_argument("--seed", type=int, default=7)
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the measurement there as well")

    def handle(
        self,
        *,
        only: list[str] | None,
        entries: int | None,
        quick: bool,
        seed: int,
        json: Path | None,
        **options: object,
    ) -> None:
        sizes = QUICK if quick else WHOLE
        sizes = replace(sizes, entries=entries or sizes.entries)
        try:
            with ended_in_order():
                found = bench(only or list(PARTS), sizes, seed, self.stderr.write)
        except (RedisDidNotStart, LoadFailed, NotStored, Unexpected, Unreached) as exc:
            raise CommandError(str(exc)) from exc
        measurement = Measurement("bench_library", seed, found.rows, found.checks)
        self.stdout.write(measurement.table())
        if json:
            measurement.write(json)
