"""The chat page as a person sees it: what is shown, and what can be done."""

from playwright.sync_api import Locator, Page, expect

ANSWER_MS = 20_000


class ChatPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.log = page.get_by_role("log")
        self.turns = self.log.locator(".turn")
        self.live = self.log.locator(".turn[data-state=pending], .turn[data-state=running]")
        self.offer = self.log.locator(".offer[data-open=true]")
        self.actions = self.offer.get_by_role("button")
        self.box = page.get_by_role("textbox", name="Your message")
        self.stop = page.get_by_role("button", name="Stop", exact=True)
        self.notice = page.get_by_role("alert")

    def open(self, path: str = "/") -> "ChatPage":
        self.page.goto(path)
        return self.ready()

    def ready(self) -> "ChatPage":
        """An open offer, and nothing under way."""
        expect(self.log).to_have_attribute("aria-busy", "false", timeout=ANSWER_MS)
        expect(self.offer).to_be_visible(timeout=ANSWER_MS)
        return self

    def answered(self, turns: int) -> "ChatPage":
        """`turns` turns are shown, the greeting among them, and all are complete."""
        expect(self.turns).to_have_count(turns, timeout=ANSWER_MS)
        expect(self.turns.last).to_have_attribute("data-state", "done", timeout=ANSWER_MS)
        return self.ready()

    def action(self, index: int) -> Locator:
        return self.offer.locator(f"button[data-action='{index}']")

    def label(self, index: int) -> str:
        return self.action(index).locator(".action-text").inner_text()

    def said(self, turn: int) -> Locator:
        return self.turns.nth(turn).locator(".said-text")

    def reply(self, turn: int) -> Locator:
        return self.turns.nth(turn).locator(".reply-body")

    def say(self, text: str) -> None:
        self.box.fill(text)
        self.box.press("Enter")
