"""Pages and API: whose conversations, which errors, and what can be taken away."""

import asyncio
import json
import os
import subprocess
import sys

import pytest
from channels.layers import get_channel_layer
from django.contrib.auth import get_user_model
from django.test import AsyncClient

from apps.chat import ports, services
from apps.chat.models import Conversation, Offer, Turn
from apps.runtime.publisher import Publisher, conversation_group
from tests.integration.chat.fakes import GREETING
from tests.integration.chat.page import page

pytestmark = pytest.mark.usefixtures("runtime")


@pytest.fixture(autouse=True)
def unhashed_static_files(settings):
    """Hashed names exist only after collectstatic; the pages themselves are tested here."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


@pytest.fixture
def client():
    return AsyncClient()


async def created(client, **body):
    response = await client.post("/api/conversations/", body, content_type="application/json")
    assert response.status_code == 201, response.content
    return response.json()


async def owner_of(conversation):
    return (await Conversation.objects.aget(pk=conversation)).owner


async def test_the_first_visit_makes_a_conversation_and_the_next_resumes_it(client, driver):
    first = await client.get("/")
    again = await client.get("/")

    assert first.status_code == 302
    assert first.url == again.url
    turn = await Turn.objects.aget()
    assert (turn.state, turn.reply) == ("done", GREETING)
    assert len(driver.opened) == 1
    assert driver.calls == []


async def test_the_page_gets_what_its_script_needs(client, settings):
    settings.XRAY, settings.MODE_CHOICE = True, False
    made = await created(client, title="A trip")
    response = await client.get(made["url"])

    assert response.status_code == 200
    shown = response.context["page"]
    assert (shown["conversation"], shown["socket"], shown["xray"], shown["mode_choice"]) == (
        made["id"], made["socket"], True, False,
    )  # fmt: skip
    assert [c["title"] for c in shown["conversations"]] == ["A trip"]
    assert "csrftoken" in client.cookies


async def test_the_race_page_is_there(client):
    response = await client.get("/race/")

    assert response.status_code == 200
    assert response.context["page"]["mode_choice"] is False


async def test_an_api_conversation_is_complete_when_it_is_answered(client):
    made = await created(client)

    assert made["socket"] == f"/ws/chat/{made['id']}/"
    async with page(made["id"], await owner_of(made["id"])) as shown:
        assert shown.turns[shown.head]["state"] == "done"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("{", "body"),
        ("[]", "body"),
        ('{"colour": 1}', "colour"),
        ('{"mode": "floor"}', "mode"),
        ('{"title": 5}', "title"),
        (json.dumps({"title": "x" * 121}), "title"),
        (json.dumps({"title": "\u0000 \n"}), "title"),
    ],
)
async def test_a_bad_body_is_refused_by_the_name_of_its_field(client, body, field):
    response = await client.post("/api/conversations/", body, content_type="application/json")

    assert response.status_code == 400
    assert response.json()["message"].startswith(f"{field}:")
    assert response.json()["mend"]
    assert await Conversation.objects.acount() == 0


async def test_an_arm_can_be_chosen_only_where_that_is_allowed(client, settings):
    settings.MODE_CHOICE = True
    made = await created(client, mode="floor")
    unknown = await client.post("/api/conversations/", {"mode": "warp"}, content_type="application/json")

    assert (await Conversation.objects.aget(pk=made["id"])).mode == "floor"
    assert unknown.status_code == 400


async def test_a_session_lists_renames_and_deletes_its_own(client, driver):
    one, two = await created(client, title="One"), await created(client, title="Two")
    url = f"/api/conversations/{one['id']}/"
    renamed = await client.patch(url, {"title": " Ein\ns "}, content_type="application/json")
    listed = (await client.get("/api/conversations/")).json()["conversations"]
    deleted = await client.delete(url)

    assert renamed.json() == {"id": one["id"], "title": "Ein s"}
    assert {c["title"] for c in listed} == {"Ein s", "Two"}
    assert deleted.status_code == 204
    assert await Conversation.objects.filter(pk=one["id"]).acount() == 0
    assert await Turn.objects.acount() == 1
    assert driver.closed == ["branch-1"]
    assert (await client.get(one["url"])).status_code == 404
    assert (await client.get(two["url"])).status_code == 200


async def joined_by_a_page(conversation):
    layer, group = get_channel_layer(), conversation_group(conversation)
    async with asyncio.timeout(5):
        while not await layer.connection(layer.consistent_hash(group)).zcard(layer._group_key(group)):
            await asyncio.sleep(0.01)


async def test_deleting_tells_open_pages(client):
    made = await created(client)
    async with page(made["id"], await owner_of(made["id"])) as shown:
        await joined_by_a_page(made["id"])
        await client.delete(f"/api/conversations/{made['id']}/")
        assert await shown.closed() == 4404


async def test_a_page_that_missed_the_deletion_learns_of_it_when_it_greets(client, monkeypatch):
    async def lost(self, conversation, message):
        return None

    made = await created(client)
    async with page(made["id"], await owner_of(made["id"])) as shown:
        monkeypatch.setattr(Publisher, "signal", lost)
        await client.delete(f"/api/conversations/{made['id']}/")
        await shown.send(type="hello", epoch=None, seq=None)
        assert await shown.closed() == 4404


@pytest.mark.parametrize("odd", ["%00", "a%00b", "x" * 65, "%F0%9F%98%80"])
@pytest.mark.parametrize("path", ["/c/{}/", "/api/conversations/{}/export.md"])
async def test_what_cannot_be_an_id_is_unknown_before_the_database_is_asked(client, monkeypatch, path, odd):
    monkeypatch.setattr(Conversation.objects, "filter", None)  # asking would raise

    assert (await client.get(path.format(odd))).status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/c/{id}/"),
        ("patch", "/api/conversations/{id}/"),
        ("delete", "/api/conversations/{id}/"),
        ("get", "/api/conversations/{id}/export.md"),
        ("get", "/api/conversations/{id}/export.json"),
    ],
)
async def test_another_session_gets_403_and_an_unknown_conversation_404(client, method, path):
    secret = (await services.create("alice", "full", "Secret plans")).conversation
    await client.get("/race/")
    foreign = await getattr(client, method)(path.format(id=secret))
    unknown = await getattr(client, method)(path.format(id="nothing"))

    assert (foreign.status_code, unknown.status_code) == (403, 404)
    assert b"Secret" not in foreign.content
    assert await Conversation.objects.filter(pk=secret, title="Secret plans").aexists()


async def test_nothing_is_listed_for_a_new_session(client):
    await services.create("alice", "full")

    assert (await client.get("/api/conversations/")).json() == {"conversations": []}


async def test_changes_need_the_csrf_token():
    client = AsyncClient(enforce_csrf_checks=True)
    refused = await client.post("/api/conversations/", "{}", content_type="application/json")
    await client.get("/", follow=True)
    headers = {"X-CSRFToken": client.cookies["csrftoken"].value}
    accepted = await client.post("/api/conversations/", "{}", content_type="application/json", headers=headers)

    assert (refused.status_code, accepted.status_code) == (403, 201)


async def test_exports_hold_every_branch_of_the_conversation(client):
    made = await created(client)
    async with page(made["id"], await owner_of(made["id"])) as shown:
        offer = shown.turns[shown.head]["offer"]["id"]
        await shown.ended(await shown.pick(0))
        await shown.ended(await shown.pick(1, offer=offer, fork=True))
    base = f"/api/conversations/{made['id']}/export"
    markdown, data = await client.get(f"{base}.md"), (await client.get(f"{base}.json")).json()

    assert markdown["Content-Type"] == "text/markdown; charset=utf-8"
    assert "attachment" in markdown["Content-Disposition"]
    text = markdown.content.decode()
    assert "Find a table" in text
    assert "(follows 1)" in text
    assert [t["kind"] for t in data["turns"]] == ["start", "pick", "pick"]
    assert [t["action"] for t in data["turns"]] == [None, 0, 1]
    assert data["turns"][1]["timing"]["stages"]


async def test_health_names_the_part_that_does_not_answer(client, runtime):
    healthy = await client.get("/healthz")

    async def away(stream):
        raise ConnectionError

    runtime.events_head = away
    ill = await client.get("/healthz")

    assert (healthy.status_code, healthy.json()) == (200, {"status": "ok", "redis": True, "database": True})
    assert (ill.status_code, ill.json()["redis"]) == (503, False)


async def test_wrong_methods_are_refused(client):
    assert (await client.put("/api/conversations/")).status_code == 405
    assert (await client.post("/")).status_code == 405


async def test_the_wiring_offers_what_the_chat_asks_of_it(monkeypatch):
    monkeypatch.undo()
    wiring = ports.current()

    for name in ("driver", "publisher", "program", "events_read", "events_head"):
        assert callable(getattr(wiring, name))


@pytest.mark.parametrize("path", ["/race/", "/c/{id}/", "/healthz", "/admin/login/", "/nowhere/", "/robots.txt"])
async def test_every_page_runs_only_our_own_files(client, path):
    made = await created(client)
    policy = (await client.get(path.format(id=made["id"])))["Content-Security-Policy"]

    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives["default-src"] == "'self'"
    assert directives["object-src"] == directives["base-uri"] == directives["frame-ancestors"] == "'none'"
    assert "script-src" not in directives


async def test_a_body_that_is_too_large_is_refused_as_json(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 50
    answer = await client.post("/api/conversations/", {"title": "x" * 100}, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (413, "too_long")
    assert not await Conversation.objects.aexists()


async def test_the_admin_removes_a_conversation_whole_and_no_part_of_it_alone(client):
    made = await created(client)
    turn, offer = await Turn.objects.aget(), await Offer.objects.aget()
    await client.aforce_login(await get_user_model().objects.acreate_superuser("boss", password="b"))
    parts = [f"/admin/chat/turn/{turn.pk}/delete/", f"/admin/chat/offer/{offer.pk}/delete/"]

    assert [(await client.post(path, {"post": "yes"})).status_code for path in parts] == [403, 403]
    assert (await Conversation.objects.aget()).head_id == turn.pk
    assert (await client.post(f"/admin/chat/conversation/{made['id']}/delete/", {"post": "yes"})).status_code == 302
    assert not await Turn.objects.aexists()


async def test_crawlers_are_sent_away_and_make_no_conversation(client):
    answer = await client.get("/robots.txt")

    assert answer.content == b"User-agent: *\nDisallow: /\n"
    assert not await Conversation.objects.aexists()


async def test_what_a_session_wrote_is_kept_by_no_cache(client):
    made = await created(client)
    export = f"/api/conversations/{made['id']}/export"

    for path in (made["url"], "/api/conversations/", f"{export}.md", f"{export}.json"):
        assert "no-store" in (await client.get(path))["Cache-Control"], path


TELL_COOKIES = "from dynbranch_site import settings as s; print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE)"


@pytest.mark.parametrize(
    ("origins", "secure"),
    [("", "False"), ("https://chat.example", "True"), ("https://chat.example,http://localhost:8080", "False")],
)
def test_cookies_leave_over_https_only_where_every_origin_is_https(origins, secure):
    told = subprocess.run(
        [sys.executable, "-c", TELL_COOKIES],
        env={**os.environ, "DYNBRANCH_TRUSTED_ORIGINS": origins}, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert told.stdout.split() == [secure, secure]
