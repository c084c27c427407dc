"""Fixtures of the chat's integration tests: fakes in place, and nothing running when the test is over."""

import pytest
from channels.layers import channel_layers

from apps.chat import ports, presence, recovery, running, services
from apps.runtime import wiring
from tests.integration.chat.fakes import FakeRuntime
from tests.loop_end import end_other_tasks


@pytest.fixture
async def runtime(transactional_db, redis_client, monkeypatch):
    channel_layers.backends.clear()  # a layer belongs to the event loop of its test
    fake = FakeRuntime()
    monkeypatch.setattr(ports, "current", lambda: fake)
    yield fake
    for reply in fake.fake_driver.replies:
        reply.go.set()
    await running.idle()
    await recovery.stop()
    await wiring.publisher().aclose()  # a Redis call in flight can swallow the loop's own cancelling
    for task in list(presence._left.values()):
        task.cancel()
    presence._left.clear()
    presence._gone.clear()
    await end_other_tasks()


@pytest.fixture
def driver(runtime):
    return runtime.fake_driver


@pytest.fixture
async def conversation(runtime):
    return (await services.create("alice", "full")).conversation
