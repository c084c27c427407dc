from argparse import ArgumentParser

from circus.exc import CallError
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.runtime import parts
from apps.runtime.control import Control, NotRunning, Refused
from apps.runtime.run_folder import RunFolder


class Command(BaseCommand):
    help = "Change how many processes of a part run, while it runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        # Any number of workers and probes may run; the others own a port.
        parser.add_argument("part", choices=[parts.WORKER, parts.PROBE])
        parser.add_argument("count", type=int)

    def handle(self, *, part: str, count: int, **options: object) -> str:
        if count < 0:
            raise CommandError("count must be 0 or more")
        control = Control(RunFolder(settings.VAR_DIR))
        try:
            control.scale(part, count)
            return f"{part}: {control.count(part)}"
        except (NotRunning, Refused, CallError) as exc:
            raise CommandError(str(exc)) from exc
