"""An engine's identity is cheap to ask for, and never that of a server that is no longer there."""

import asyncio

import pytest

from apps.engines import known_identity
from apps.engines.base import IDENTITY_FIELDS, EngineError, EngineRequest, EngineTimeout, EngineUnreachable, Lane
from apps.engines.factory import make_engine
from apps.engines.known_identity import ASKED_AGAIN_S, LIMIT_S, KnownIdentity
from apps.engines.request_ids import new_request_id


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def monotonic(self) -> float:
        return self.now_s


class Server:
    def __init__(self) -> None:
        self.revision, self.asked = "a", 0
        self.trouble: EngineError | None = None

    async def describe(self) -> dict[str, str]:
        self.asked += 1
        if self.trouble:
            raise self.trouble
        return {"revision": self.revision}


@pytest.fixture
def clock(monkeypatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(known_identity, "time", made)
    return made


@pytest.fixture
def server() -> Server:
    return Server()


async def settled() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_it_is_asked_for_once_while_it_is_young(clock, server):
    identity = KnownIdentity(server.describe)

    first = await identity.get()
    clock.now_s += ASKED_AGAIN_S - 1

    assert await identity.get() is first
    assert server.asked == 1


async def test_every_field_is_there_and_null_where_the_engine_does_not_say(clock, server):
    identity = await KnownIdentity(server.describe).get()

    assert identity == {**dict.fromkeys(IDENTITY_FIELDS), "revision": "a"}


async def test_an_older_one_still_serves_the_demand_that_has_it_asked_for_again(clock, server):
    identity = KnownIdentity(server.describe)
    await identity.get()
    server.revision = "b"
    clock.now_s += ASKED_AGAIN_S

    assert (await identity.get())["revision"] == "a"
    await settled()
    assert (await identity.get())["revision"] == "b"
    assert server.asked == 2


async def test_one_past_its_limit_is_not_used_at_all(clock, server):
    identity = KnownIdentity(server.describe)
    await identity.get()
    server.revision = "b"
    clock.now_s += LIMIT_S

    assert (await identity.get())["revision"] == "b"


async def test_an_engine_that_is_late_when_asked_again_is_still_the_same(clock, server):
    identity = KnownIdentity(server.describe)
    known = await identity.get()
    server.trouble = EngineTimeout("late")
    clock.now_s += ASKED_AGAIN_S
    await identity.get()
    await settled()

    assert await identity.get() is known


async def test_an_engine_that_is_away_when_asked_again_is_unknown(clock, server):
    identity = KnownIdentity(server.describe)
    await identity.get()
    server.trouble = EngineUnreachable("away")
    clock.now_s += ASKED_AGAIN_S
    await identity.get()
    await settled()

    with pytest.raises(EngineUnreachable):
        await identity.get()
    server.trouble, server.revision = None, "b"
    assert (await identity.get())["revision"] == "b"


async def test_an_engine_that_could_not_be_reached_has_to_say_again_who_it_is(unused_tcp_port):
    engine = make_engine("openai", f"http://127.0.0.1:{unused_tcp_port}", "m")
    server = Server()
    engine.describe = server.describe
    await engine.identity()
    server.revision = "b"

    with pytest.raises(EngineUnreachable):
        async for _ in engine.stream(EngineRequest({"messages": []}, new_request_id(), Lane.CANONICAL)):
            pass

    assert (await engine.identity())["revision"] == "b"
    await engine.aclose()
