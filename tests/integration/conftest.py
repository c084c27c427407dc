import asyncio
import contextlib
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
    listener.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await listener
    await made.driver.aclose()
