"""The stores under test: the same suite runs on memory and on a real Redis."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
import redis

from apps.serving.config import ServingConfig
from apps.serving.ports import Branches, Events, Library, Records, Reservations, Shadows
from apps.stores.branches import RedisBranches
from apps.stores.client import make_client
from apps.stores.events import RedisEvents
from apps.stores.library import RedisLibrary
from apps.stores.memory import MemoryStore
from apps.stores.records import RedisRecords
from apps.stores.reservations import RedisReservations
from apps.stores.shadows import RedisShadows


@dataclass(frozen=True, slots=True)
class RedisStore:
    library: Library
    shadows: Shadows
    branches: Branches
    records: Records
    reservations: Reservations
    events: Events


Store = MemoryStore | RedisStore
MakeStore = Callable[[ServingConfig], Store]


def redis_store(client: redis.Redis, config: ServingConfig, library: str = "main") -> RedisStore:
    return RedisStore(
        RedisLibrary(client, library, config),
        RedisShadows(client, library, config),
        RedisBranches(client, library, config),
        RedisRecords(client, library, config),
        RedisReservations(client),
        RedisEvents(client, config),
    )


@pytest.fixture
def store_client(redis_url: str, redis_client: redis.Redis) -> Iterator[redis.Redis]:
    """The product's own client, of an emptied database."""
    with make_client(redis_url) as client:
        yield client


@pytest.fixture(params=["memory", "redis"])
def make_store(request: pytest.FixtureRequest) -> MakeStore:
    """Makes an empty store of the parametrized kind."""
    if request.param == "memory":
        return MemoryStore
    client = request.getfixturevalue("store_client")
    return lambda config: redis_store(client, config)


@pytest.fixture
def store(make_store: MakeStore) -> Store:
    return make_store(ServingConfig())
