"""What a write does to fills and pages, from a thread without a loop: all of it, also when the stores fail midway."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
import redis

from apps.runtime import performer as performer_module
from apps.runtime.aftermath import Aftermath
from apps.runtime.performer import Performer
from apps.runtime.writes import Committed
from apps.serving.effects import AbortFill
from apps.serving.ports import Invalidated

RUNNING = Invalidated(running=("f1",))
DONE = Committed(("place:a",), 0, 0, 1, 1)


class FakeLayer:
    def __init__(self, failures: int) -> None:
        self.failures = failures

    def on_invalidated(self, ended: Invalidated) -> list[AbortFill]:
        if self.failures:
            self.failures -= 1
            raise redis.ConnectionError("away")
        return [AbortFill(fill_id, f"request of {fill_id}") for fill_id in ended.running]


class Told:
    """Engine and publisher that remember."""

    def __init__(self) -> None:
        self.told: list[object] = []

    async def abort(self, request_id: str) -> None:
        self.told.append(request_id)

    async def publish(self, conversation: str, kind: str, data: dict) -> int:
        self.told.append((kind, data))
        return 1


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    thread = threading.Thread(target=made.run_forever)
    thread.start()
    yield made
    made.call_soon_threadsafe(made.stop)
    thread.join()
    made.close()


def wait_for(aftermath: Aftermath) -> None:
    """All that was left when the write returned, on a machine that stalls."""
    for future in aftermath._told:
        future.result(60)


def performer(told: Told, failures: int = 0) -> Performer:
    async def run(function, *args):
        return function(*args)

    return Performer(FakeLayer(failures), told, told, run, lambda *chain: None, told.told.append)


def test_a_running_reader_is_aborted_at_worker_and_engine_before_the_write_returns(loop):
    told = Told()
    aftermath = Aftermath(performer(told), loop)

    aftermath(RUNNING)
    aftermath(DONE)

    wait_for(aftermath)
    event = {"records": ["place:a"], "entries": 0, "shadows": 0, "running": 1, "steps": 1}
    assert told.told == ["f1", "request of f1", ("write.committed", event)]


def test_effects_are_asked_for_until_the_shared_state_answers(loop, monkeypatch):
    monkeypatch.setattr(performer_module, "RETRY_S", 0.0)
    told = Told()
    aftermath = Aftermath(performer(told, failures=3), loop)

    aftermath(RUNNING)
    aftermath(DONE)

    wait_for(aftermath)
    assert {"f1", "request of f1"} <= set(map(str, told.told))


def test_a_worker_that_cannot_be_told_does_not_keep_the_engine_from_hearing_it(loop):
    told = Told()
    made = performer(told)
    made.announce_abort = _away
    aftermath = Aftermath(made, loop)

    aftermath(RUNNING)
    aftermath(DONE)

    wait_for(aftermath)
    assert "request of f1" in told.told


def test_a_write_does_not_wait_for_ever_for_pages_to_hear_of_it(loop, monkeypatch):
    monkeypatch.setattr("apps.runtime.aftermath.TELL_S", 0.01)
    told, may_publish = Told(), threading.Event()

    async def publish_later(*event: object) -> int:
        while not may_publish.is_set():
            await asyncio.sleep(0.001)
        told.told.append("later")
        return 1

    monkeypatch.setattr(told, "publish", publish_later)

    aftermath = Aftermath(performer(told), loop)
    aftermath(DONE)
    assert told.told == []
    may_publish.set()

    wait_for(aftermath)
    assert told.told == ["later"]


def _away(*args: object) -> None:
    raise redis.ConnectionError("away")
