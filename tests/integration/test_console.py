"""The console over a real Redis: who may see it, and what its socket and its HTTP answer say."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from channels_redis.core import RedisChannelLayer
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser

from apps.console import consumers, hubs, sources
from apps.console.consumers import CLOSE_FORBIDDEN, ConsoleConsumer
from apps.console.routing import websocket_urlpatterns
from apps.engines.base import EngineLoad, EngineUnreachable
from apps.runtime import wiring
from apps.runtime.clock import now_ms
from tests.loop_end import end_other_tasks

pytestmark = pytest.mark.django_db(transaction=True)


class ScriptedEngine:
    """Only what the console asks of an engine."""

    kind = "scripted"

    def __init__(self):
        self.reading = EngineLoad(running=2, waiting=None, kv_frac=None, slots=4)
        self.alive = True

    async def healthy(self):
        return self.alive

    async def load(self):
        if not self.alive:
            raise EngineUnreachable("gone")
        return self.reading


@pytest.fixture
def engine(monkeypatch):
    made = ScriptedEngine()
    monkeypatch.setattr(wiring, "engine", lambda: made)
    return made


@pytest.fixture
async def hub(redis_client, engine):
    made = hubs.here()
    yield made
    listener = made._source._listener
    await made.aclose()
    await end_other_tasks()
    if listener is not None:
        assert await asyncio.to_thread(listener.join, 10.0)


def append(kind, stream="system", **data):
    return wiring.events().append(stream, kind, data, now_ms())


def user(username, is_staff):
    return get_user_model().objects.create_user(username, password="secret", is_staff=is_staff)


@pytest.fixture
async def staff():
    return await sync_to_async(user)("operator", True)


def socket(who):
    communicator = WebsocketCommunicator(ConsoleConsumer.as_asgi(), "/ws/console/")
    communicator.scope["user"] = who
    return communicator


async def opened(who, **position):
    page = socket(who)
    connected, _ = await page.connect()
    assert connected
    await page.send_json_to({"type": "hello", **position})
    return page


async def hear(page, holds):
    """The next message for which `holds`."""
    async with asyncio.timeout(10):
        while True:
            message = await page.receive_json_from(timeout=10)
            if holds(message):
                return message


def numbers(message):
    return [event["seq"] for event in message["events"]]


# -- who may ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/console/", "/console/load.csv"])
def test_a_stranger_is_sent_to_the_login_page(client, path):
    answer = client.get(path)

    assert answer.status_code == 302
    assert answer["Location"] == f"/admin/login/?next={path}"


def test_a_user_who_is_not_staff_is_sent_to_the_login_page(client):
    client.force_login(user("visitor", False))

    assert client.get("/console/").status_code == 302


def test_the_state_answers_403_and_nothing_else_to_a_stranger(client):
    answer = client.get("/console/state.json")

    assert answer.status_code == 403
    assert answer.json()["code"] == "forbidden"
    assert "events" not in answer.json()


async def test_the_socket_closes_4403_for_everyone_but_staff(hub):
    for who in (AnonymousUser(), await sync_to_async(user)("visitor", False)):
        page = socket(who)
        await page.connect()

        assert (await page.receive_output())["code"] == CLOSE_FORBIDDEN
        await page.send_json_to({"type": "hello"})
        assert await page.receive_nothing()
        await page.disconnect()
    assert not hub.running


async def test_the_socket_reads_the_user_from_its_session(hub, redis_client):
    page = WebsocketCommunicator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)), "/ws/console/")

    await page.connect()

    assert (await page.receive_output())["code"] == CLOSE_FORBIDDEN
    await page.disconnect()


async def test_an_open_page_is_closed_when_staff_rights_are_taken_away(hub, staff, monkeypatch):
    monkeypatch.setattr(consumers, "RECHECK_S", 0.0)
    page = await opened(staff)
    await hear(page, lambda m: m["type"] == "snapshot")
    staff.is_staff = False
    await staff.asave()

    async with asyncio.timeout(10):
        while (output := await page.receive_output(timeout=10))["type"] != "websocket.close":
            pass

    assert output["code"] == CLOSE_FORBIDDEN
    await page.disconnect()


async def test_a_page_that_can_be_told_nothing_more_is_closed_and_leaves_the_hub(hub, staff, monkeypatch):
    async def away(user):
        raise OSError("database away")

    monkeypatch.setattr(consumers, "RECHECK_S", 0.0)
    monkeypatch.setattr(consumers.access, "still_staff", away)
    page = await opened(staff)

    async with asyncio.timeout(10):
        while (output := await page.receive_output(timeout=10))["type"] != "websocket.close":
            pass
    await page.disconnect()

    assert output["code"] == consumers.CLOSE_LOST
    assert hub._pages == 0


async def test_a_socket_outlives_a_channel_layer_that_is_away(hub, staff, monkeypatch):
    async def away(*args, **kwargs):
        raise ConnectionError("Redis is away")

    monkeypatch.setattr(RedisChannelLayer, "receive", away)
    page = await opened(staff)
    await hear(page, lambda m: m["type"] == "snapshot")
    await page.send_json_to({"type": "ping"})
    await hear(page, lambda m: m["type"] == "pong")
    await page.disconnect()

    assert hub._pages == 0


# -- events by number ---------------------------------------------------------------------------------


async def test_a_page_gets_a_snapshot_and_then_events_by_number(hub, staff):
    append("branch.settled", conversation="c1", branch="b1")
    page = await opened(staff)
    whole = await hear(page, lambda m: m["seq"] == 1)
    append("fill.moved", conversation="c1", state="promoted", stage="reply", choice="0", reason="")

    more = await hear(page, lambda m: m["events"] and m["seq"] == 2)

    assert whole["type"] == "snapshot"
    assert (more["type"], more["after"], numbers(more)) == ("events", 1, [2])
    assert more["events"][0]["words"].startswith("shadow promoted")
    assert more["events"][0]["conversation"] == "c1"
    await page.disconnect()


async def test_a_page_that_returns_gets_only_what_it_missed(hub, staff):
    for n in range(4):
        append("branch.settled", conversation="c1", n=n)
    first = await opened(staff)
    whole = await hear(first, lambda m: m["seq"] == 4)
    await first.disconnect()

    back = await opened(staff, epoch=whole["epoch"], seq=2)
    missed = await hear(back, lambda m: True)

    assert (missed["type"], numbers(missed)) == ("events", [3, 4])
    await back.disconnect()


async def test_an_emptied_redis_means_a_new_snapshot_and_not_old_numbers(hub, staff, redis_client):
    append("branch.settled", conversation="c1")
    page = await opened(staff)
    before = await hear(page, lambda m: m["seq"] == 1)
    redis_client.flushall()
    append("branch.settled", conversation="c2")

    after = await hear(page, lambda m: m["events"] and m["epoch"] != before["epoch"])

    assert after["type"] == "snapshot"
    assert [event["conversation"] for event in after["events"]] == ["c2"]
    await page.disconnect()


async def test_malformed_frames_get_an_error_and_keep_the_socket(hub, staff):
    page = await opened(staff)
    await page.send_to(text_data="{nonsense")
    error = await hear(page, lambda m: m["type"] == "error")
    await page.send_to(bytes_data=b"\x00")
    await hear(page, lambda m: m["type"] == "error")
    await page.send_json_to({"type": "ping"})

    assert error["code"] == "bad_frame"
    await hear(page, lambda m: m["type"] == "pong")
    await page.disconnect()


async def test_twenty_pages_share_one_reader(hub, staff, monkeypatch):
    asked = 0
    look = sources.LiveSource.facts

    async def counted(self):
        nonlocal asked
        asked += 1
        return await look(self)

    monkeypatch.setattr(sources.LiveSource, "facts", counted)
    pages = [await opened(staff) for _ in range(20)]
    for page in pages:
        await hear(page, lambda m: m["state"] is not None)
    begun = asked
    append("branch.settled", conversation="c1")
    for page in pages:
        await hear(page, lambda m: numbers(m) == [1])

    assert begun <= 3
    assert asked <= begun + 3
    for page in pages:
        await page.disconnect()


# -- state --------------------------------------------------------------------------------------------


def values(message):
    return {f"{g['name']}/{c['label']}": c["value"] for g in message["state"]["groups"] for c in g["cells"]}


async def test_what_is_held_and_queued_is_read_from_redis_and_unknown_load_reads_absent(hub, staff, redis_client):
    wiring.store().reservations.reserve("r1", 2, 700, 4, 8192, now_ms() + 60_000, now_ms())
    redis_client.rpush("fills", "one", "two", "three")
    page = await opened(staff)

    shown = values(await hear(page, lambda m: m["state"] is not None))

    assert shown["Engine/running"] == "2 requests"
    assert shown["Engine/waiting"] == shown["Engine/KV in use"] == "absent"
    assert shown["Fills/slots held"] == f"2 of {settings.FILL_SLOTS} slots"
    assert shown["Fills/KV held"] == "700 of 8,192 tokens"
    assert shown["Fills/queued"] == "3 messages"
    assert (shown["Reuse/shadows"], shown["Reuse/entries"]) == ("0", "0")
    await page.disconnect()


async def test_an_engine_that_is_gone_is_said_and_its_load_is_absent(hub, staff, engine):
    engine.alive = False
    page = await opened(staff)

    shown = values(await hear(page, lambda m: m["state"] is not None))

    assert shown["Engine/health"] == "does not answer"
    assert shown["Engine/running"] == "absent"
    await page.disconnect()


async def test_a_workers_heartbeat_over_the_broker_shows_it(hub, staff):
    from dynbranch_site.celery import app

    def beat():
        with app.connection_for_write() as connection, app.events.Dispatcher(connection, hostname="w1@test") as sender:
            sender.send("worker-heartbeat", active=1, processed=41, freq=2)

    page = await opened(staff)
    async with asyncio.timeout(10):
        while True:  # what is sent before the listener has subscribed is lost, as with real workers
            await asyncio.to_thread(beat)
            message = await hear(page, lambda m: m["state"] is not None)
            if message["state"]["workers"]:
                break

    (worker,) = message["state"]["workers"]
    assert (worker["name"], worker["state"], worker["active"], worker["processed"]) == ("w1@test", "busy", "1", "41")
    await page.disconnect()


async def test_load_views_of_the_probe_reach_the_figure_by_number(hub, staff):
    append("load.view", stream="load", slots_held=1, slots_max=4, kv_tokens_held=0, kv_tokens_max=8, running=None)
    page = await opened(staff)

    (point,) = (await hear(page, lambda m: m["load"]))["load"]

    assert point["y"] == [25.0, 0.0, None, None, None]
    assert point["text"][3] == "absent"
    await page.disconnect()


# -- over HTTP ----------------------------------------------------------------------------------------


async def test_http_answers_what_the_socket_would(hub, staff, async_client):
    await async_client.aforce_login(staff)
    append("branch.settled", conversation="c1")
    await async_client.get("/console/state.json")
    async with asyncio.timeout(10):
        while hub.events.seq < 1:
            await hub.wait(hub.version, 1.0)

    whole = (await async_client.get("/console/state.json")).json()
    more = (await async_client.get("/console/state.json", {"epoch": whole["epoch"], "seq": whole["seq"]})).json()

    assert (whole["type"], numbers(whole)) == ("snapshot", [1])
    assert (more["type"], numbers(more)) == ("events", [])
    assert whole["state"] is not None
    assert (await async_client.get("/console/state.json", {"epoch": "e", "seq": "x"})).status_code == 400


@pytest.fixture
def unhashed_static(settings):
    """Static files under their own names: what a page holds is tested without collecting files first."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


async def test_the_page_and_its_csv_hold_the_load_so_far(hub, staff, async_client, unhashed_static):
    await async_client.aforce_login(staff)
    append("load.view", stream="load", slots_held=1, slots_max=4, kv_tokens_held=0, kv_tokens_max=8, running=None)
    hub.touch()
    async with asyncio.timeout(10):
        while hub.load.seq < 1:
            await hub.wait(hub.version, 1.0)

    page = (await async_client.get("/console/")).content.decode()
    csv = (await async_client.get("/console/load.csv")).content.decode().splitlines()

    figures = json.loads(page.split('<script id="load-figures" type="application/json">')[1].split("</script>")[0])
    assert figures["dark"]["data"][0]["y"] == [25.0]
    assert "plotly/plotly.min.js" in page
    assert len(csv) == 2
    assert csv[1].endswith(",1,4,0,8,,,")
