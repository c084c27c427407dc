"""Start everything on this machine; `make run` calls it."""

import asyncio
import sys
import time
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.runtime import preparation, serving_start
from apps.runtime.bring_up import bring_up
from apps.runtime.manager import Manager
from apps.runtime.parts import Launch
from apps.runtime.ports_free import PortTaken
from apps.runtime.run_folder import AlreadyRunning, RunFolder
from apps.runtime.serving_start import Wanted


class Command(BaseCommand):
    help = "Prepare and start the whole product, and stay until Ctrl-C. Progress goes to stderr."
    requires_system_checks = []  # run below, once the secret key is known

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workers", type=int, default=1, help="worker processes (default 1)")

    def handle(self, *, workers: int, **options: object) -> None:
        if workers < 0:
            raise CommandError("--workers must be 0 or more")
        home = RunFolder(settings.VAR_DIR).make()
        wanted = Wanted(settings.BIND_HOST, settings.BIND_PORT, workers)
        try:
            with home.locked(), home.socket_folder() as sockets:
                serving_start.end_previous(home, self.say)
                launch = serving_start.decide(wanted, home, self.say)
                self.prepare(home)
                up = asyncio.run(self.manage(launch, home, sockets))
        except (AlreadyRunning, PortTaken) as exc:
            raise CommandError(str(exc)) from exc
        if not up:
            raise CommandError("the product did not start; what was said above names the part")

    async def manage(self, launch: Launch, home: RunFolder, sockets: Path) -> bool:
        manager = Manager(serving_start.plan_of(launch, home), home, sockets, self.say)
        return await manager.run(bring_up(launch))

    def prepare(self, home: RunFolder) -> None:
        settings.SECRET_KEY = serving_start.secret_key(home)
        self.check(databases=["default"])
        preparation.prepare(self.say)

    def say(self, line: str) -> None:
        for part in line.splitlines() or [""]:
            print(f"[{time.strftime('%H:%M:%S')}] {part}", file=sys.stderr, flush=True)
