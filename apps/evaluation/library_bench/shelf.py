"""A Redis of its own with the stores on it, for one measurement."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from apps.evaluation.library_bench.material import NOW_MS, records
from apps.runtime.embedded_redis import EmbeddedRedis
from apps.serving.config import ServingConfig
from apps.stores.branches import RedisBranches
from apps.stores.client import make_client
from apps.stores.library import RedisLibrary
from apps.stores.records import RedisRecords
from apps.stores.shadows import RedisShadows

NEVER_MS = 10**12


@dataclass(frozen=True, slots=True)
class Shelf:
    """The stores of one server, as a process of the product has them."""

    url: str
    config: ServingConfig
    client: redis.Redis
    library: RedisLibrary
    shadows: RedisShadows
    branches: RedisBranches
    records: RedisRecords

    def memory_bytes(self) -> int:
        return int(self.client.info("memory")["used_memory"])


def config(library_bytes: int = 2**40, **changes: int) -> ServingConfig:
    """Nothing expires or gives way unless a measurement wants it."""
    wide = {"library_entries": 10**9, "shadow_entries": 10**9, "entry_ttl_ms": NEVER_MS, "shadow_ttl_ms": NEVER_MS}
    return ServingConfig(**{**wide, "library_bytes": library_bytes, **changes})


@contextmanager
def connected(url: str, chosen: ServingConfig) -> Iterator[Shelf]:
    with make_client(url) as client:
        yield Shelf(
            url,
            chosen,
            client,
            RedisLibrary(client, config=chosen),
            RedisShadows(client, config=chosen),
            RedisBranches(client, config=chosen),
            RedisRecords(client, config=chosen),
        )


@contextmanager
def shelf(chosen: ServingConfig | None = None) -> Iterator[Shelf]:
    """A server without persistence, empty but for the versions of all records."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dynbranch-bench-"))
        server = stack.enter_context(EmbeddedRedis(Path(folder) / "redis"))
        made = stack.enter_context(connected(server.url, chosen or config()))
        made.records.publish(records(), NOW_MS)
        yield made
