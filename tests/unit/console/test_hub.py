import asyncio
import contextlib

import pytest

from apps.console import hub as hub_module
from apps.console.hub import Hub
from apps.console.wire import Position, answer
from tests.unit.console.fakes import FakeSource


@pytest.fixture
def source():
    return FakeSource()


@pytest.fixture
async def hub(source, monkeypatch):
    monkeypatch.setattr(hub_module, "EVENTS_EVERY_S", 0.05)
    monkeypatch.setattr(hub_module, "FACTS_EVERY_S", 0.05)
    made = Hub(source, linger_s=0.0)
    yield made
    await made.aclose()


async def until(hub, holds):
    async with asyncio.timeout(5):
        version = hub.version
        while not holds():
            version = await hub.wait(version, 0.1)


async def test_it_does_not_look_before_a_page_opens(hub, source):
    assert not hub.running
    assert source.started == 0


async def test_twenty_pages_are_served_by_one_reader(hub, source):
    for _ in range(20):
        hub.join()
    source.append()
    await until(hub, lambda: hub.state is not None and hub.events.seq == 1)
    looks, version = source.facts_asked, hub.version

    told = await asyncio.gather(*(hub.wait(version, 1.0) for _ in range(20)))

    assert all(seen > version for seen in told)
    assert source.started == 1
    assert source.facts_asked <= looks + 2


async def test_it_stops_when_the_last_page_is_gone_and_begins_again_with_the_next(hub, source):
    hub.join()
    await until(hub, lambda: hub.state is not None)
    hub.leave()
    await until(hub, lambda: not hub.running)
    assert source.stopped == 1

    hub.join()
    await until(hub, lambda: source.started == 2)


async def test_a_page_that_opens_while_the_reader_is_being_stopped_is_served(hub, source):
    stop = source.stop

    async def joined_meanwhile():
        await stop()
        if source.stopped == 1:
            hub.join()

    source.stop = joined_meanwhile
    hub.join()
    await until(hub, lambda: hub.state is not None)
    hub.leave()
    await until(hub, lambda: source.started == 2)
    source.append()

    await until(hub, lambda: hub.events.seq == 1)


async def test_unreadable_events_are_told_once_and_healed(hub, source):
    source.broken = True
    hub.join()
    await until(hub, lambda: "ConnectionError" in hub.problem)

    source.broken = False
    source.append()
    await until(hub, lambda: hub.problem == "" and hub.events.seq == 1)


async def test_a_failed_look_does_not_end_later_looks(hub, source, caplog):
    good, source.facts = source.facts, None
    hub.join()
    await until(hub, lambda: "look at the system failed" in caplog.text)

    assert hub.problem == "The system's state cannot be read (TypeError); trying again."
    source.facts = good
    await until(hub, lambda: hub.state is not None and hub.problem == "")


async def test_a_page_with_a_position_gets_only_what_it_missed(hub, source):
    for n in range(3):
        source.append(n=n)
    source.append("load.view", stream="load", at_ms=5_000, slots_held=1, slots_max=4)
    hub.join()
    await until(hub, lambda: hub.state is not None and hub.events.seq == 3 and hub.load.seq == 1)

    first = answer(hub, Position(), now_ms=9_000)
    assert first.message["type"] == "snapshot"
    assert [event["seq"] for event in first.message["events"]] == [1, 2, 3]
    assert first.message["load"][0]["text"][0] == "1 of 4 slots"
    again = answer(hub, first.position, now_ms=9_000).message
    assert (again["type"], again["events"], again["load"]) == ("events", [], [])
    missed = answer(hub, Position(hub.events.epoch, 1, 0), now_ms=9_000).message
    assert (missed["after"], [event["seq"] for event in missed["events"]]) == (1, [2, 3])
    stranger = answer(hub, Position("another epoch", 3), now_ms=9_000).message
    assert stranger["type"] == "snapshot"


async def test_the_age_of_the_state_travels_with_it(hub, source):
    assert answer(hub, Position(), now_ms=5).message["age_ms"] is None
    hub.join()
    await until(hub, lambda: hub.state is not None)

    assert answer(hub, Position(), now_ms=hub.state.at_ms + 700).message["age_ms"] == 700


async def test_closing_ends_the_reader(hub, source):
    hub.join()
    await until(hub, lambda: hub.state is not None)
    with contextlib.suppress(asyncio.CancelledError):
        await hub.aclose()

    assert not hub.running
    assert source.stopped == 1
