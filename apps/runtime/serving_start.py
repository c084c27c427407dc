"""What `manage.py serve` decides before it starts anything: addresses, secrets, the environment of every part."""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from apps.runtime import embedded_redis, orphans
from apps.runtime.manager import Plan
from apps.runtime.parts import Launch, parts_of
from apps.runtime.ports_free import PortTaken, first_free, free_port, is_free
from apps.runtime.private_files import kept_secret
from apps.runtime.run_folder import RunFolder

Say = Callable[[str], None]
DEFAULT_PORT = 8000
# `serve` is the demonstration on one machine: what it shows may be turned off by naming these.
DEMONSTRATION = {"DYNBRANCH_XRAY": "true", "DYNBRANCH_MODE_CHOICE": "true"}
# On two cores as much gets done one after another as at once, and then the first fill is ready sooner.
EMBEDDED_ENGINE = {"DYNBRANCH_ENGINE_FILLS": "1"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line and the settings asked for. port: None takes the default or the next free one, 0 any."""

    host: str
    port: int | None
    workers: int


def choose_port(wanted: Wanted, say: Say) -> int:
    """Raises PortTaken for a port that was asked for."""
    if wanted.port == 0:
        return free_port(wanted.host)
    if wanted.port is not None:
        if not is_free(wanted.host, wanted.port):
            raise PortTaken(
                wanted.host, wanted.port, "end that one, or name another in DYNBRANCH_PORT (0: any free one)"
            )
        return wanted.port
    port = first_free(wanted.host, DEFAULT_PORT)
    if port != DEFAULT_PORT:
        say(f"port {DEFAULT_PORT} is taken by another program; using {port} (name one in DYNBRANCH_PORT)")
    return port


def end_previous(home: RunFolder, say: Say) -> None:
    """End what a killed run left. Call with the folder locked, so that no run is alive."""
    record = home.read()
    if record is None:
        return
    if ended := orphans.end(orphans.orphans_of(record)):
        say(f"ended {ended} processes that a killed run had left")
    home.forget()


def decide(wanted: Wanted, home: RunFolder, say: Say) -> Launch:
    port = choose_port(wanted, say)
    redis = None if settings.REDIS_URL else embedded_redis.new_address()
    engine_port = None if settings.ENGINE_URL else free_port()
    return Launch(
        run_dir=home.run,
        host=wanted.host,
        port=port,
        redis_url=redis.url if redis else settings.REDIS_URL,
        engine_url=settings.ENGINE_URL or f"http://127.0.0.1:{engine_port}",
        redis=redis,
        engine_port=engine_port,
        workers=wanted.workers,
        concurrency=settings.CELERY_WORKER_CONCURRENCY,
    )


def secret_key(home: RunFolder) -> str:
    """The given key, or the one kept in var. Sessions hold as long as it does."""
    return settings._wrapped.SECRET_KEY or kept_secret(home.var_dir / "secret_key")


def plan_of(launch: Launch, home: RunFolder) -> Plan:
    env = {
        **DEMONSTRATION,
        **(EMBEDDED_ENGINE if launch.engine_port else {}),
        **os.environ,
        "REDIS_URL": launch.redis_url,
        "ENGINE_URL": launch.engine_url,
        "ENGINE_MODEL": settings.ENGINE_MODEL,  # without an address it had another default
        "DYNBRANCH_SECRET_KEY": settings.SECRET_KEY,
        "DYNBRANCH_VAR": str(home.var_dir),
        "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"],
        "PYTHONUNBUFFERED": "1",
    }
    return Plan(parts_of(launch), env, Path(settings.BASE_DIR), launch.address, secrets.token_hex(16))
