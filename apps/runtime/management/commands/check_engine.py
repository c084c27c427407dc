import asyncio
import secrets
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.engines.base import EngineError
from apps.engines.factory import make_engine
from apps.runtime.engine_check import check
from apps.runtime.engine_probes import POLL_S
from apps.runtime.engine_process import EmbeddedEngineProcess, EngineDidNotStart, Target
from apps.runtime.measurement import Measurement


class Command(BaseCommand):
    help = (
        "Say what the engine of ENGINE_URL (or the embedded one, started for this) does: whether equal questions get "
        "equal answers cold, warm and batched, how soon an abort frees it, and what it reports."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, help="makes the prompts' prefix; by default one that no cache has seen")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the measurement there as well")

    def handle(self, *, seed: int | None, json: Path | None, **options: object) -> None:
        seed = secrets.randbelow(10**9) if seed is None else seed
        try:
            with ExitStack() as stack:
                measurement = asyncio.run(self._measure(self._target(stack), seed))
        except (EngineError, EngineDidNotStart, ValueError) as exc:
            raise CommandError(f"{exc}. Is the engine at ENGINE_URL, and of ENGINE_KIND?") from exc
        self.stdout.write(measurement.table())
        if json:
            measurement.write(json)

    def _target(self, stack: ExitStack) -> Target:
        if settings.ENGINE_URL:
            return Target(settings.ENGINE_KIND, settings.ENGINE_URL, settings.ENGINE_MODEL, settings.ENGINE_API_KEY)
        self.stderr.write("ENGINE_URL is not set: starting the embedded engine for this check …")
        return stack.enter_context(EmbeddedEngineProcess())

    async def _measure(self, target: Target, seed: int) -> Measurement:
        engine = make_engine(target.kind, target.url, target.model, target.api_key)
        engine.load_kept_s = POLL_S
        try:
            rows, checks = await check(engine, seed, self.stderr.write)
        finally:
            await engine.aclose()
        return Measurement("check_engine", seed, rows, checks)
