"""The product's admin as an operator's browser uses it: its pages, its forms, its cookies."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser

import httpx

from apps.runtime.preparation import OPERATOR
from apps.runtime.stack import Stack

PATIENCE_S = 60.0


class Form(HTMLParser):
    """What a browser would send of a page's form, nothing changed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._area, self._select = "", ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name = has.get("name") or ""
        match tag:
            case "input" if name and has.get("type") != "submit":
                self.fields[name] = has.get("value") or ""
            case "textarea":
                self._area, self.fields[name] = name, ""
            case "select":
                self._select = name
            case "option" if self._select and "selected" in has:
                self.fields[self._select] = has.get("value") or ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.fields[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""


class Desk:
    """The admin as an operator uses it, in a browser of their own."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def log_in(self, password: str) -> None:
        form = await self._form("/admin/login/")
        form |= {"username": "operator", "password": password, "next": "/admin/"}
        await self._send("/admin/login/", form)

    async def edit(self, name: str, kind: str) -> None:
        """Another kind for the place of that name."""
        found = await self._http.get("/admin/concierge/place/", params={"q": name})
        path = re.search(r"/admin/concierge/place/\d+/change/", found.text)[0]
        await self._send(path, await self._form(path) | {"kind": kind})
        assert (await self._form(path))["kind"] == kind

    async def _form(self, path: str) -> dict[str, str]:
        return Form((await self._http.get(path)).raise_for_status().text).fields

    async def _send(self, path: str, form: dict[str, str]) -> None:
        answer = await self._http.post(path, data=form)
        assert answer.status_code == httpx.codes.FOUND, answer.text[-2000:]


@asynccontextmanager
async def at_the_desk(stack: Stack) -> AsyncIterator[Desk]:
    """Logged in with the password that the product printed at its first start."""
    printed = stack.home.log("serve").read_text(encoding="utf-8")
    password = re.search(rf"staff user `{OPERATOR}`, password (\S+)", printed)[1]
    async with httpx.AsyncClient(base_url=stack.base_url, trust_env=False, timeout=PATIENCE_S) as http:
        desk = Desk(http)
        await desk.log_in(password)
        yield desk
