"""The pages beside the chat, and every page on a narrow screen."""

import pytest
from playwright.sync_api import expect

from tests.e2e.chat_page import ChatPage

pytestmark = pytest.mark.e2e

NARROW = {"width": 360, "height": 740}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_the_chat_needs_no_sideways_scrolling_at_360_pixels(page, engine):
    page.set_viewport_size(NARROW)
    chat = ChatPage(page).open("/")
    chat.action(0).click()
    chat.answered(2)
    assert page.evaluate(OVERFLOW) <= 0
    expect(chat.box).to_be_in_viewport()
    for button in chat.actions.all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW["width"]


def test_a_long_word_does_not_widen_the_narrow_chat(page, engine):
    page.set_viewport_size(NARROW)
    chat = ChatPage(page).open("/")
    chat.say("x" * 400)
    chat.answered(2)
    assert page.evaluate(OVERFLOW) <= 0


def test_the_race_page_needs_no_sideways_scrolling_at_360_pixels(page, engine):
    page.set_viewport_size(NARROW)
    page.goto("/race/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate(OVERFLOW) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_have_readable_contrast_between_text_and_ground(browser, stack, engine, scheme):
    context = browser.new_context(base_url=stack.base_url, color_scheme=scheme)
    try:
        chat = ChatPage(context.new_page()).open("/")
        ground, text = chat.page.evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        )
        assert luminance(ground) > luminance(text) if scheme == "light" else luminance(ground) < luminance(text)
        assert contrast(ground, text) >= 4.5
    finally:
        context.close()


def luminance(colour: str) -> float:
    """Relative luminance of an rgb(…) colour, in [0, 1], as WCAG 2 defines it."""
    channels = [int(part) / 255 for part in colour.removeprefix("rgb(").rstrip(")").split(",")[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
