import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from apps.engines.scripted import ScriptedEngine
from apps.runtime.aborts import listen_for_aborts
from tests.integration.driver_bench import Bench


@pytest.fixture
def scripted() -> Iterator[ScriptedEngine]:
    with ScriptedEngine() as engine:
        yield engine


@pytest.fixture
async def bench(redis_client, redis_url, scripted) -> AsyncIterator[Bench]:
    made = Bench(redis_client, scripted)
    listener = asyncio.create_task(listen_for_aborts(redis_url, made.runner.abort))
    yield made
    while not listener.done():
        listener.cancel()  # every time: redis-py swallows it while it connects
        await asyncio.wait({listener}, timeout=0.1)
    await made.driver.aclose()
