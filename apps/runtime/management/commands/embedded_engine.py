from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.runtime import embedded_engine
from apps.runtime.embedded_model import ModelNotMade

DEFAULT = embedded_engine.EngineOptions()


class Command(BaseCommand):
    help = "Serve the embedded model with llama.cpp in the foreground, until SIGTERM or Ctrl-C."
    requires_system_checks = []  # it needs neither database nor Redis

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, required=True)
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--model", default=settings.ENGINE_MODEL, help="name of one of the two embedded models")
        parser.add_argument("--threads", type=int, default=DEFAULT.threads)
        parser.add_argument("--slots", type=int, default=DEFAULT.slots, help="requests that run at once")
        parser.add_argument("--slot-tokens", type=int, default=DEFAULT.slot_tokens, help="context of one slot")
        parser.add_argument("--batch-tokens", type=int, default=DEFAULT.batch_tokens, help="prefill step")
        parser.add_argument("--cache-mib", type=int, default=DEFAULT.cache_mib, help="memory for earlier prompts")
        parser.add_argument(
            "--spins", type=int, default=DEFAULT.spins, help="looks of a waiting thread before it sleeps"
        )
        parser.add_argument("--shared-kv", action="store_true", default=DEFAULT.shared_kv)
        parser.add_argument("--prefix-cache", action="store_true", default=DEFAULT.prefix_cache)
        parser.add_argument("--flash-attention", action="store_true", default=DEFAULT.flash_attention)

    def handle(self, *, host: str, port: int, model: str, **options: object) -> None:
        chosen = {name: options[name] for name in embedded_engine.EngineOptions.__dataclass_fields__}
        try:
            embedded_engine.serve(host, port, model, embedded_engine.EngineOptions(**chosen))
        except (embedded_engine.EngineNotInstalled, embedded_engine.UnknownModel, ModelNotMade, RuntimeError) as exc:
            raise CommandError(str(exc)) from exc
