import psutil
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.runtime.run_folder import RunFolder

STOP_TIMEOUT_S = 30


class Command(BaseCommand):
    help = "Stop the product that runs in this var folder. Does nothing when none does."

    def handle(self, **options: object) -> str:
        record = RunFolder(settings.VAR_DIR).running()
        process = record.manager.process() if record else None
        if process is None:
            return "not running"
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except psutil.TimeoutExpired as exc:
            raise CommandError(f"process {process.pid} has not ended after {STOP_TIMEOUT_S} s") from exc
        return "stopped"
