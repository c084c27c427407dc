"""The operator console in a browser, beside a person who chats."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.conftest import errors_of

pytestmark = pytest.mark.e2e

NARROW = {"width": 360, "height": 740}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BUFFER = """async () => {
  const { EventBuffer } = await import("/static/js/console/event_buffer.js");
  const buffer = new EventBuffer(3);
  const events = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => ({ seq: from + n }));
  const more = (after, from, to, epoch = "e") => ({ type: "events", epoch, after, seq: to, events: events(from, to) });
  const result = {};
  result.snapshot = buffer.apply({ type: "snapshot", epoch: "e", seq: 2, events: events(1, 2) });
  result.gap = buffer.apply(more(4, 5, 5));
  result.otherEpoch = buffer.apply(more(2, 3, 3, "f"));
  result.overlap = buffer.apply(more(1, 2, 3)) && buffer.events.map((event) => event.seq);
  buffer.pause();
  buffer.apply(more(3, 4, 5));
  result.paused = [buffer.shown.map((event) => event.seq), buffer.waiting, buffer.dropped];
  buffer.resume();
  result.resumed = [buffer.shown.map((event) => event.seq), buffer.waiting];
  return result;
}"""


@pytest.fixture(scope="module")
def operator_state(browser, stack) -> dict:
    """Cookies of the staff user whose password the first start printed."""
    name, password = re.search(r"staff user `(\w+)`, password (\S+)", stack.output()).groups()
    context = browser.new_context(base_url=stack.base_url)
    page = context.new_page()
    page.goto("/console/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_label("Password").press("Enter")
    page.wait_for_url("**/console/")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def console(browser, stack, operator_state) -> Page:
    context = browser.new_context(base_url=stack.base_url, storage_state=operator_state)
    page = context.new_page()
    errors = errors_of(page)
    yield page
    context.close()
    assert errors == []


def live(console: Page) -> Page:
    console.goto("/console/")
    expect(console.locator("#line")).to_have_text("Live", timeout=15_000)
    return console


def test_a_pick_appears_in_the_open_console_and_expands_by_keyboard(console, chat):
    live(console)
    chat.action(0).click()

    line = console.locator("#events summary", has_text="an action was picked").first
    expect(line).to_be_visible(timeout=15_000)
    line.focus()
    console.keyboard.press("Enter")
    expect(console.locator("#events details[open] pre")).to_contain_text('"conversation"')


def test_engine_fills_workers_and_figure_are_shown_with_the_age_of_the_data(console, engine):
    live(console)

    expect(console.locator("#groups")).to_contain_text("answers", timeout=15_000)
    expect(console.locator("#groups")).to_contain_text(re.compile(r"0 of \d+ slots"))
    expect(console.locator("#workers tr").first).to_contain_text(re.compile("idle|busy"), timeout=15_000)
    expect(console.locator("#data-age")).to_have_text(re.compile(r"Data \d+ s old"))
    expect(console.locator("#load-chart .scatterlayer .trace").first).to_be_attached(timeout=15_000)
    expect(console.locator("#load-summary")).to_contain_text("Fill slots 0 of")


def test_pause_really_pauses_and_says_how_many_are_waiting(console, chat):
    live(console)
    chat.action(0).click()
    chat.answered(2)
    expect(console.locator("#events li").first).to_be_visible(timeout=15_000)
    console.get_by_role("button", name="Pause").click()
    shown = console.locator("#events li").count()

    chat.action(0).click()

    button = console.get_by_role("button", name=re.compile(r"Resume \([1-9]\d* waiting\)"))
    expect(button).to_be_visible(timeout=15_000)
    assert console.locator("#events li").count() == shown
    button.click()
    expect(console.get_by_role("button", name="Pause")).to_be_visible()
    assert console.locator("#events li").count() > shown


def test_the_list_is_filtered_by_kind_and_conversation(console, chat):
    live(console)
    chat.action(0).click()
    expect(console.locator("#events li").first).to_be_visible(timeout=15_000)

    console.get_by_label("Kind").select_option("turn.created")
    expect(console.locator("#events .kind").first).to_have_text("turn.created")
    assert set(console.locator("#events .kind").all_text_contents()) == {"turn.created"}
    console.get_by_label("Conversation").fill("no such conversation")

    expect(console.locator("#event-empty")).to_have_text("No event passes the filter.")


def test_a_page_whose_socket_is_cut_goes_on_over_http_and_says_so(console, chat):
    def cut(route: WebSocketRoute) -> None:
        route.close(code=1011)

    console.route_web_socket(re.compile("/ws/console/"), cut)
    console.goto("/console/")
    expect(console.locator("#banner")).to_contain_text("asks every 3 seconds", timeout=15_000)
    chat.action(0).click()

    expect(console.locator("#events summary", has_text="an action was picked").first).to_be_visible(timeout=15_000)
    expect(console.locator("#line")).to_have_text("Every 3 s")


def test_the_buffer_of_a_page_heals_gaps_counts_what_it_drops_and_pauses(console):
    live(console)

    assert console.evaluate(BUFFER) == {
        "snapshot": True,
        "gap": False,
        "otherEpoch": False,
        "overlap": [1, 2, 3],
        "paused": [[1, 2, 3], 2, 2],
        "resumed": [[3, 4, 5], 0],
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_console_needs_no_sideways_scrolling_at_360_pixels(console, engine, scheme):
    console.emulate_media(color_scheme=scheme)
    console.set_viewport_size(NARROW)
    live(console)
    expect(console.locator("#groups dl").first).to_be_visible(timeout=15_000)

    assert console.evaluate(OVERFLOW) <= 0
