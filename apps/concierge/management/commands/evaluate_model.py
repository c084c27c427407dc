import asyncio
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.concierge.model_evaluation.evaluate import Plan, evaluate
from apps.concierge.model_evaluation.items import FOLDER, BadSet, Item, load_set, set_names
from apps.concierge.model_evaluation.report import PROMPTS
from apps.concierge.model_evaluation.shown import errors, measurement, tables
from apps.engines.base import EngineError
from apps.engines.factory import KINDS
from apps.runtime.embedded_engine import EngineNotInstalled
from apps.runtime.engine_process import EmbeddedEngineProcess, EngineDidNotStart, Target


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError("must be at least 1")
    return number


class Command(BaseCommand):
    help = "Measure the model through the product's own stages: what it understands, what is shown, equal bytes."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--engine-url", default=settings.ENGINE_URL, help="else the embedded engine is started")
        parser.add_argument("--engine-kind", choices=sorted(KINDS), default=settings.ENGINE_KIND)
        parser.add_argument("--folder", type=Path, default=FOLDER, help="of the sets and their catalogues")
        parser.add_argument("--sets", nargs="+", metavar="NAME", help="some sets of the folder, not all")
        parser.add_argument("--limit", type=positive, help="items of each set, evenly spaced")
        parser.add_argument("--concurrency", type=positive, default=1, help="stages at once; times are given for 1")
        parser.add_argument("--prompts", type=int, default=PROMPTS, help="of the equality check; 0 leaves it out")
        parser.add_argument(
            "--attack", action="store_true", help="attack the fact check with lies made of what it showed"
        )
        parser.add_argument("--show-errors", action="store_true", help="print every wrong answer")
        parser.add_argument("--seed", type=int, default=7, help="of drawn prompts and lies")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the measurement there as well")

    def handle(self, *args: object, **options: Any) -> None:
        plan = Plan(
            self._items(options["folder"], options["sets"], options["limit"]),
            options["concurrency"],
            options["prompts"],
            options["attack"],
            options["seed"],
        )
        try:
            with _target(options["engine_url"], options["engine_kind"]) as target:
                found = asyncio.run(evaluate(target, plan, self.stderr.write))
        except (EngineError, EngineDidNotStart, EngineNotInstalled, ValueError) as exc:
            raise CommandError(str(exc)) from exc
        self.stdout.write(tables(found))
        if options["show_errors"]:
            self.stdout.write("\n" + "\n".join(errors(found)))
        if options["json"]:
            measurement(found, plan.seed).write(options["json"])

    def _items(self, folder: Path, names: list[str] | None, limit: int | None) -> list[Item]:
        there = set_names(folder)
        names = names or there
        if not names:
            raise CommandError(f"no set in {folder}")
        self.stderr.write(f"sets: {', '.join(names)}")
        try:
            return [item for name in names for item in load_set(name, folder, limit)]
        except BadSet as exc:
            raise CommandError(str(exc)) from exc


@contextmanager
def _target(url: str, kind: str) -> Iterator[Target]:
    """The engine at `url`, else one that runs for as long as the evaluation."""
    if url:
        yield Target(kind, url, settings.ENGINE_MODEL, settings.ENGINE_API_KEY)
        return
    with EmbeddedEngineProcess() as target:
        yield target
