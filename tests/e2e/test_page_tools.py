"""What surrounds the conversation on the chat page: edit, draft, theme, names, announcements, the x-ray."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.chat_page import ANSWER_MS, ChatPage

pytestmark = pytest.mark.e2e


def test_an_edited_message_becomes_a_version_beside_the_first(chat):
    chat.say("a quiet place for dinner")
    chat.answered(2)
    chat.turns.nth(1).hover()
    chat.page.get_by_role("button", name="Edit", exact=True).click()
    box = chat.page.get_by_role("textbox", name="Edit your message")
    box.fill("a cheap hotel")
    box.press("Enter")
    expect(chat.said(1)).to_have_text("a cheap hotel")
    chat.answered(2)
    chat.page.get_by_role("button", name="Earlier version").click()
    expect(chat.said(1)).to_have_text("a quiet place for dinner")


def test_a_draft_is_there_after_a_reload_and_gone_once_it_was_sent(chat):
    chat.box.fill("half a thought")
    chat.page.reload()
    chat.ready()
    expect(chat.box).to_have_value("half a thought")
    chat.box.press("Enter")
    chat.answered(2)
    chat.page.reload()
    chat.ready()
    expect(chat.box).to_have_value("")


def test_the_chosen_theme_holds_after_a_reload(chat):
    page = chat.page
    page.get_by_role("button", name="Switch to dark theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Switch to light theme")).to_be_visible()


def test_a_renamed_conversation_shows_its_name_in_the_list_and_above_the_log(chat):
    page = chat.page
    page.get_by_role("button", name=re.compile("^Rename: ")).first.click()
    page.get_by_role("textbox", name="Title").fill("Dinner on Friday")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dinner on Friday")
    expect(page.get_by_role("link", name=re.compile("Dinner on Friday"))).to_be_visible()


def test_a_conversation_is_deleted_only_after_a_yes(chat):
    page, address = chat.page, chat.page.url
    delete = page.get_by_role("button", name=re.compile("^Delete: ")).first
    delete.click()
    page.get_by_role("button", name="Keep it").click()
    expect(page).to_have_url(address)
    delete.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page).not_to_have_url(address)
    assert page.request.get(address).status == 404


def test_an_answer_is_announced_in_whole_sentences_and_then_its_offer(chat):
    chat.action(0).click()
    chat.answered(2)
    announced = chat.page.locator("[data-part=announcer] p")
    expect(announced.last).to_have_text(re.compile(r"^\d actions offered\.$"))
    said = " ".join(announced.all_inner_texts()[:-1])
    assert " ".join(said.split()) == " ".join(chat.reply(1).inner_text().split())


def test_a_message_that_is_too_long_stays_in_the_box_with_a_way_out(chat):
    chat.box.fill("x" * 4001)
    chat.box.press("Enter")
    expect(chat.notice).to_contain_text("Shorten it")
    expect(chat.box).to_have_value("x" * 4001)
    expect(chat.turns).to_have_count(1)


def test_the_x_ray_shows_each_offered_action_and_keeps_the_answered_window_in_sight(chat):
    panel = chat.page.locator("#xray")
    rows = panel.locator(".xray-row")
    expect(rows.first).to_have_attribute("data-outcome", "ready", timeout=ANSWER_MS)
    label = chat.label(0)
    chat.action(0).click()
    chat.answered(2)
    last = panel.locator("[data-xray=last]")
    expect(last).to_contain_text(label)
    chips = last.locator(".xray-last-chips li")
    expect(chips.first).to_have_attribute("data-outcome", "promoted", timeout=ANSWER_MS)
    expect(last.locator(".xray-answers")).to_contain_text(
        re.compile("lookup (promoted|hit): .*exact and fresh"), timeout=ANSWER_MS
    )


def test_a_draft_belongs_to_its_conversation(chat):
    chat.box.fill("for this one only")
    chat.page.get_by_role("button", name="New conversation", exact=True).click()
    chat.page.wait_for_url(re.compile("/c/"))
    expect(ChatPage(chat.page).ready().box).to_have_value("")
