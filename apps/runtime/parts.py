"""The processes of one machine's product, and how each is started. What replaces one by an outside part: settings."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from apps.runtime import embedded_redis
from apps.runtime.embedded_redis import RedisAddress

PYTHON = sys.executable
REDIS, ENGINE, WEB, WORKER, PROBE = "redis", "engine", "web", "worker", "probe"
PARTS = (REDIS, ENGINE, WEB, WORKER, PROBE)


@dataclass(frozen=True, slots=True)
class Part:
    """grace_s  how long it may take to end when asked to, before it is killed"""

    name: str
    argv: tuple[str, ...]
    count: int = 1
    grace_s: float = 5.0
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Launch:
    """What one start decided.

    redis         address of the embedded server; None when REDIS_URL names another
    engine_port   port of the embedded engine; None when ENGINE_URL names another
    workers       worker processes        concurrency  fills that each runs at once
    """

    run_dir: Path
    host: str
    port: int
    redis_url: str
    engine_url: str
    redis: RedisAddress | None
    engine_port: int | None
    workers: int
    concurrency: int

    @property
    def address(self) -> str:
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


def parts_of(launch: Launch) -> tuple[Part, ...]:
    """In the order of starting."""
    embedded = []
    if launch.redis:
        argv = embedded_redis.command(launch.redis, launch.run_dir / "redis")
        embedded.append(Part(REDIS, tuple(argv), grace_s=3))
    if launch.engine_port:
        argv = [PYTHON, "manage.py", "embedded_engine", "--port", str(launch.engine_port)]
        embedded.append(Part(ENGINE, tuple(argv), grace_s=3))
    return (*embedded, _web(launch), _worker(launch), Part(PROBE, (PYTHON, "manage.py", "probe")))


def _web(launch: Launch) -> Part:
    address = ["-b", launch.host, "-p", str(launch.port)]
    return Part(WEB, (PYTHON, "-m", "daphne", *address, "dynbranch_site.asgi:application"))


def _worker(launch: Launch) -> Part:
    argv = [PYTHON, "-m", "celery", "-A", "dynbranch_site", "worker", "--pool", "threads"]
    argv += ["--concurrency", str(launch.concurrency), "-Q", "fills", "--loglevel", "INFO"]
    # One message at a time, and only when a thread is free: a fill never waits behind another worker's.
    argv += ["--prefetch-multiplier", "1", "--disable-prefetch", "--without-gossip", "--without-mingle"]
    argv += ["-n", "fills-$(circus.wid)@%h"]  # circus numbers the processes
    return Part(WORKER, tuple(argv), launch.workers)
