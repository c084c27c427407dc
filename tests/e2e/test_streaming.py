"""An answer under way: stopped, reloaded, watched from two tabs, cut off from the network."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.chat_page import ANSWER_MS, ChatPage

pytestmark = pytest.mark.e2e

TEXT = "a quiet place for dinner tonight"


def start_slow_answer(chat, engine) -> None:
    """An answer that takes seconds, and is under way in the engine when this returns."""
    engine.told(first_byte_s=1.0, token_s=0.4)
    chat.say(TEXT)
    expect(chat.turns).to_have_count(2)
    expect(chat.live).to_have_count(1)
    for _ in range(100):
        if any(seen["outcome"] == "running" for seen in engine.seen()):
            return
        chat.page.wait_for_timeout(50)
    pytest.fail("the engine was not asked within 5 s")


def test_stop_ends_the_answer_on_the_page_and_in_the_engine(floor_chat, engine):
    start_slow_answer(floor_chat, engine)
    floor_chat.stop.click()
    expect(floor_chat.turns.nth(1)).to_have_attribute("data-state", "stopped", timeout=5000)
    expect(floor_chat.stop).to_be_hidden()
    expect(floor_chat.box).to_be_editable()
    floor_chat.page.wait_for_timeout(1000)
    assert {seen["outcome"] for seen in engine.seen()} <= {"aborted", "disconnected", "complete"}
    assert engine.seen()[-1]["outcome"] != "complete"


def test_a_reload_in_the_middle_of_an_answer_loses_and_doubles_nothing(floor_chat, engine):
    start_slow_answer(floor_chat, engine)
    floor_chat.page.reload()
    expect(floor_chat.turns).to_have_count(2)
    expect(floor_chat.live).to_have_count(1)
    floor_chat.answered(2)
    expect(floor_chat.said(1)).to_have_text(TEXT)
    shown = floor_chat.reply(1).inner_text()
    assert shown
    floor_chat.page.reload()
    floor_chat.answered(2)
    assert floor_chat.reply(1).inner_text() == shown


def test_a_second_tab_shows_the_same_answer_as_it_comes(floor_chat, engine, context):
    other = ChatPage(context.new_page()).open(floor_chat.page.url)
    start_slow_answer(floor_chat, engine)
    expect(other.turns).to_have_count(2)
    floor_chat.answered(2)
    other.answered(2)
    assert other.reply(1).inner_text() == floor_chat.reply(1).inner_text()


def test_an_offer_picked_in_one_tab_is_answered_in_the_other(chat, context):
    other = ChatPage(context.new_page()).open(chat.page.url)
    label = chat.label(0)
    chat.action(0).click()
    chat.answered(2)
    other.answered(2)
    expect(other.said(1)).to_have_text(label)


def test_the_page_says_that_the_network_is_gone_and_goes_on_when_it_is_back(chat, context):
    context.set_offline(True)
    connection = chat.page.locator("[data-part=connection]")
    expect(connection).not_to_have_attribute("data-state", "connected", timeout=15_000)
    context.set_offline(False)
    expect(connection).to_have_attribute("data-state", "connected", timeout=ANSWER_MS)
    chat.action(0).click()
    chat.answered(2)


def test_the_notice_that_the_store_is_away_goes_with_the_snapshot_that_follows(page, engine):
    sockets, sent = [], []

    def between(socket):
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda text: (sent.append(text), socket.send(text)))
        sockets.append(socket)

    page.route_web_socket(re.compile("/ws/chat/"), between)
    chat = ChatPage(page).open()
    away = {"type": "error", "key": None, "code": "unavailable", "message": "Reconnecting.", "mend": "Wait."}
    sockets[0].send(json.dumps(away))
    expect(chat.notice).to_contain_text("Reconnecting.")
    sockets[0].send(next(text for text in sent if json.loads(text)["type"] == "snapshot"))
    expect(chat.notice).to_be_hidden()


def test_a_retry_makes_another_version_of_the_answer(chat):
    chat.say(TEXT)
    chat.answered(2)
    chat.page.get_by_role("button", name="Try again").click()
    expect(chat.page.locator(".sibling-count:visible")).to_have_text("2/2", timeout=ANSWER_MS)
    chat.answered(2)
    expect(chat.said(1)).to_have_text(TEXT)


def test_another_person_cannot_open_the_conversation(chat, browser, stack):
    stranger = browser.new_context(base_url=stack.base_url)
    try:
        answer = stranger.new_page().goto(chat.page.url)
        assert answer.status == 403
        assert chat.reply(0).inner_text() not in answer.text()
    finally:
        stranger.close()
