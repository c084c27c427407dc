from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from apps.runtime import embedded_engine


class Command(BaseCommand):
    help = "Serve the embedded model with llama.cpp in the foreground, until SIGTERM or Ctrl-C."
    requires_system_checks = []  # it needs neither database nor Redis

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, required=True)
        parser.add_argument("--host", default="127.0.0.1")

    def handle(self, *, host: str, port: int, **options: object) -> None:
        try:
            embedded_engine.serve(host, port)
        except (embedded_engine.EngineNotInstalled, RuntimeError) as exc:
            raise CommandError(str(exc)) from exc
