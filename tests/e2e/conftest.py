"""The product in a real browser: one private stack and one scripted engine for all browser tests."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from apps.runtime.stack import PROJECT, Stack
from tests.e2e.chat_page import ChatPage

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HINT = (
    "the browser tests need Chromium or Chrome, and none was found: install one (Debian: sudo apt-get install "
    "chromium), or name it in CHROMIUM; every other test runs with `make test-no-browser`"
)


@dataclass(frozen=True, slots=True)
class ScriptedEngine:
    url: str

    def told(self, **behaviour: object) -> None:
        """How every answer goes from now on, see apps/engines/scripted/behaviour.py."""
        httpx.put(f"{self.url}/script", json=behaviour, trust_env=False).raise_for_status()

    def reset(self) -> None:
        httpx.delete(f"{self.url}/script", trust_env=False).raise_for_status()

    def seen(self) -> list[dict]:
        return httpx.get(f"{self.url}/script/seen", trust_env=False).json()


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser. Without one every browser test fails, and says what to install."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found or not Path(found).exists():
        pytest.fail(HINT, pytrace=False)
    return found


@pytest.fixture(scope="session")
def scripted() -> Iterator[ScriptedEngine]:
    command = [sys.executable, "-m", "apps.engines.scripted", "--port", "0"]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = process.stdout.readline()
            address = re.search(r"http://\S+:\d+", said)
            assert address, f"the scripted engine said {said!r}"
            yield ScriptedEngine(address.group())
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def stack(scripted: ScriptedEngine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack(tmp_path_factory.mktemp("e2e"), engine=scripted.url) as running:
        yield running.wait_ready()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def engine(scripted: ScriptedEngine) -> Iterator[ScriptedEngine]:
    """The engine with nothing scripted, before and after."""
    scripted.reset()
    yield scripted
    scripted.reset()


@pytest.fixture
def context(browser: Browser, stack: Stack) -> Iterator[BrowserContext]:
    """A person of their own: no cookies of another test."""
    context = browser.new_context(base_url=stack.base_url, viewport={"width": 1280, "height": 800})
    yield context
    context.close()


def errors_of(page: Page) -> list[str]:
    """Grows with every uncaught error, and with everything that the content policy blocked."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: "Content Security Policy" in said.text and errors.append(said.text))
    return errors


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """Fails the test when its scripts did, or wanted what the page's own policy forbids: never a detail."""
    page = context.new_page()
    errors = errors_of(page)
    yield page
    assert errors == []


@pytest.fixture
def chat(page: Page, engine: ScriptedEngine) -> ChatPage:
    """A new conversation with its first offer open."""
    return ChatPage(page).open()


@pytest.fixture
def floor_chat(page: Page, engine: ScriptedEngine) -> ChatPage:
    """The same in mode floor: every answer is made by the engine, whatever other tests have asked before."""
    page.goto("/race/")  # for the CSRF cookie
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    made = page.request.post("/api/conversations/", data={"mode": "floor"}, headers={"X-CSRFToken": token})
    assert made.status == 201, made.text()
    return ChatPage(page).open(made.json()["url"])
