"""Events reach their streams once, in order, or are given up together."""

import pytest

from apps.runtime import publisher
from apps.runtime.publisher import SYSTEM, Publisher, conversation_stream
from apps.stores.memory import MemoryStore


async def at_once(function, *args):
    return function(*args)


@pytest.fixture
def events(monkeypatch):
    async def no_wake(self, conversation, message) -> None:
        return None

    monkeypatch.setattr(Publisher, "_send", no_wake)
    return MemoryStore().events


async def test_an_event_whose_second_stream_failed_at_first_is_in_each_stream_once(events, monkeypatch):
    really_append, tries = events.append, []

    def system_fails_once(stream, *args):
        tries.append(stream)
        if stream == SYSTEM and tries.count(SYSTEM) == 1:
            raise ConnectionError("away")
        return really_append(stream, *args)

    monkeypatch.setattr(events, "append", system_fails_once)

    made = Publisher(events, at_once)
    assert await made.publish("c", "turn.done", {"n": 1}) == 1
    assert await made.publish("c", "turn.done", {"n": 2}) == 2
    await made.aclose()

    for stream in (conversation_stream("c"), SYSTEM):
        assert [event.data["n"] for event in events.read(stream, 0, 10)] == [1, 2]


async def test_in_a_long_outage_all_that_waited_too_long_is_given_up_by_one_try(events, monkeypatch):
    tries = []

    def away(*args):
        tries.append(args)
        raise ConnectionError("away")

    monkeypatch.setattr(events, "append", away)
    monkeypatch.setattr(publisher, "GIVE_UP_S", -1.0)
    made = Publisher(events, at_once)

    posted = [made.post("c", "turn.text", {"n": n}) for n in range(50)]
    await made.aclose()

    assert len(tries) == 1
    assert all(isinstance(future.exception(), ConnectionError) for future in posted)
