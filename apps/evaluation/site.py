"""The product's HTTP side, as a browser session uses it."""

from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urljoin, urlsplit

import httpx

from apps.serving.config import Mode

HTTP_TIMEOUT_S = 30.0
# Each hands out the CSRF cookie. "/" does too, but it starts a conversation, whose fills would be measured with.
CSRF_PAGES = ("/race/", "/admin/login/")


class ChatUnreachable(Exception):
    """The product did not answer, or not as the chat's interface says; the text says what and where."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A new conversation. `headers` carry the session into the socket's handshake."""

    conversation_id: str
    socket_url: str
    headers: dict[str, str]


class ChatSite:
    """One anonymous session on the product at `base_url`. Reads no proxy from the environment: a proxy
    would be measured with it."""

    def __init__(self, base_url: str) -> None:
        self.origin = base_url.rstrip("/")
        self._http = httpx.AsyncClient(
            base_url=self.origin, timeout=HTTP_TIMEOUT_S, trust_env=False, follow_redirects=True
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def open(self, mode: Mode) -> Opened:
        """Start a conversation in `mode`; the product must allow the choice (DYNBRANCH_MODE_CHOICE)."""
        try:
            response = await self._create(mode)
            if response.status_code == httpx.codes.FORBIDDEN:
                await self._fetch_csrf_cookie()
                response = await self._create(mode)
        except httpx.HTTPError as exc:
            raise ChatUnreachable(f"{self.origin} does not answer: {exc or type(exc).__name__}") from exc
        if response.status_code != httpx.codes.CREATED:
            raise ChatUnreachable(
                f"POST {response.url} answered {response.status_code}: {response.text[:200]}. "
                "Does the product run with DYNBRANCH_MODE_CHOICE=1?"
            )
        made = response.json()
        return Opened(made["id"], self._socket_url(made["socket"]), self._handshake())

    async def _create(self, mode: Mode) -> httpx.Response:
        headers = {"Origin": self.origin, "X-CSRFToken": self._http.cookies.get("csrftoken") or ""}
        return await self._http.post("/api/conversations/", json={"mode": mode.value}, headers=headers)

    async def _fetch_csrf_cookie(self) -> None:
        for page in CSRF_PAGES:
            await self._http.get(page)
            if self._http.cookies.get("csrftoken"):
                return

    def _socket_url(self, socket: str) -> str:
        parts = urlsplit(urljoin(self.origin + "/", socket))
        scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
        return parts._replace(scheme=scheme).geturl()

    def _handshake(self) -> dict[str, str]:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._http.cookies.jar)
        return {"Cookie": cookies} if cookies else {}
