import asyncio
from argparse import ArgumentParser

from channels.db import database_sync_to_async
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from apps.runtime import wiring
from apps.runtime.probe import Probe
from apps.stores.lease import Lease

LEASE_S = 5.0


class Command(BaseCommand):
    help = "Watch load, dead workers, expiry and unfinished writes until stopped. Several may run; one leads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="one tick, then exit")

    def handle(self, *, once: bool, **options: object) -> None:
        asyncio.run(self._run(once))

    async def _run(self, once: bool) -> None:
        probe = Probe(
            driver=wiring.driver(),
            events=wiring.events(),
            sources=[import_string(path) for path in settings.DYNBRANCH_RECORD_SOURCES],
            lease=Lease(wiring.client(), "probe", LEASE_S),
            ask_database=lambda function, *args: database_sync_to_async(function)(*args),
        )
        await (probe.tick() if once else probe.forever())
