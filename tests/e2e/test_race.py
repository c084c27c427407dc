"""The race page: the same conversation twice, and what speculation bought."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.e2e

RACE_MS = 90_000


def test_a_race_plays_both_lanes_with_the_same_picks_and_the_same_words(page, engine):
    page.goto("/race/")
    page.get_by_label("Short, 1 s").check()
    page.get_by_role("button", name="Start the race").click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_be_visible(timeout=RACE_MS)
    expect(page.locator("[data-race=error]")).to_be_hidden()
    expect(result.locator(".race-same")).to_have_text(["same"] * 4)
    said = [page.locator(f"[data-race={lane}] [data-log] .race-said").all_inner_texts() for lane in ("off", "on")]
    assert len(said[0]) == 4
    assert said[0] == said[1]
    expect(page.get_by_role("button", name="Race again")).to_be_visible()


def test_a_race_can_be_stopped_and_says_so(page, engine):
    engine.told(first_byte_s=1.0)
    page.goto("/race/")
    page.get_by_role("button", name="Start the race").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The race was stopped.")
    expect(page.get_by_role("button", name="Race again")).to_be_visible()
