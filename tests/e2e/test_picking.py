"""A person picks an offered action, or writes instead."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.e2e


def test_the_greeting_offers_two_to_five_actions_in_a_labelled_group(chat):
    assert 2 <= chat.actions.count() <= 5
    expect(chat.page.get_by_role("group", name="Choose one, or write your own")).to_be_visible()


def test_a_click_picks_the_action_and_brings_its_answer_and_the_next_offer(chat):
    label = chat.label(0)
    chat.action(0).click()
    chat.answered(2)
    expect(chat.said(1)).to_have_text(label)
    expect(chat.reply(1)).not_to_be_empty()
    assert 2 <= chat.actions.count() <= 5


def test_a_number_key_picks_the_action_of_that_number(chat):
    label = chat.label(1)
    chat.log.focus()
    chat.page.keyboard.press("2")
    chat.answered(2)
    expect(chat.said(1)).to_have_text(label)


def test_a_number_inside_a_message_is_written_and_picks_nothing(chat):
    chat.box.focus()
    chat.page.keyboard.type("2 people for dinner", delay=10)
    expect(chat.box).to_have_value("2 people for dinner")
    chat.page.wait_for_timeout(600)  # longer than a lone digit in the empty box waits for company
    expect(chat.turns).to_have_count(1)


def test_typed_text_is_answered(chat):
    chat.say("a quiet place for dinner tonight")
    chat.answered(2)
    expect(chat.said(1)).to_have_text("a quiet place for dinner tonight")
    expect(chat.reply(1)).not_to_be_empty()
    expect(chat.box).to_have_value("")


def test_html_in_a_message_is_shown_as_text(chat):
    chat.say("<img src=x onerror=alert(1)> <b>hotel</b>")
    chat.answered(2)
    expect(chat.said(1)).to_have_text("<img src=x onerror=alert(1)> <b>hotel</b>")
    expect(chat.said(1).locator("img, b")).to_have_count(0)


def test_a_double_click_makes_one_pick(chat):
    chat.action(0).dblclick()
    chat.answered(2)
    chat.page.wait_for_timeout(500)
    expect(chat.turns).to_have_count(2)
    expect(chat.log.locator(".siblings:visible")).to_have_count(0)


def test_two_clicks_within_one_frame_make_one_pick(chat):
    chat.action(0).evaluate("button => { button.click(); button.click(); }")
    chat.answered(2)
    chat.page.wait_for_timeout(500)
    expect(chat.turns).to_have_count(2)


def test_a_draft_survives_a_pick(chat):
    chat.box.fill("and somewhere to park")
    chat.action(0).click()
    chat.answered(2)
    expect(chat.box).to_have_value("and somewhere to park")


def test_going_back_and_picking_another_opens_a_branch_and_keeps_the_first(chat):
    first, second = chat.label(0), chat.label(1)
    chat.action(0).click()
    chat.answered(2)
    chat.page.wait_for_timeout(700)  # a double click's second half is not taken for going back
    chat.log.locator(".offer").first.locator("button[data-action='1']").click()
    expect(chat.said(1)).to_have_text(second)
    chat.answered(2)
    chat.page.get_by_role("button", name="Earlier version").click()
    expect(chat.said(1)).to_have_text(first)
    chat.page.get_by_role("button", name="Later version").click()
    expect(chat.said(1)).to_have_text(second)


def test_the_whole_of_it_works_by_keyboard_alone(chat):
    page = chat.page
    chat.box.focus()
    page.keyboard.type("a cheap hotel for tomorrow")
    page.keyboard.press("Enter")
    chat.answered(2)
    label = chat.label(0)
    for _ in range(60):  # from the composer round the page to the offer
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.offer[data-open=true] button') !== null"):
            break
    expect(chat.action(0)).to_be_focused()
    page.keyboard.press("Enter")
    chat.answered(3)
    expect(chat.said(2)).to_have_text(label)
