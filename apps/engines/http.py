"""The streaming HTTP call that every adapter makes, with its time limits, and the short side calls."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar

import httpx
from httpx_sse import EventSource, ServerSentEvent, SSEError

from apps.engines.answer import AnswerParts, refusal
from apps.engines.base import (
    Completion,
    Delta,
    EngineAborted,
    EngineError,
    EngineLoad,
    EngineRefused,
    EngineRequest,
    EngineTimeout,
    EngineUnreachable,
    IncompleteAnswer,
)
from apps.engines.known_identity import KnownIdentity
from apps.engines.patience import Deadline, Patience
from apps.serving.names import Json

logger = logging.getLogger(__name__)

# Engines close an idle connection after 5 s; giving it up sooner avoids sending into one that is closing.
KEEPALIVE_S = 2.0
DRAIN_S = 1.0  # for the bytes behind [DONE]; a connection that is not read to its end looks like a disconnect
FINISHED_KEPT = 4096  # ids remembered so that none of them is aborted
APPROXIMATE_TOKEN_BYTES = 3  # English text has 4 to 5 bytes a token; fewer errs towards reserving too much


class HttpEngine:
    """An OpenAI-compatible engine. A subclass adds what its engine has beyond the standard."""

    kind: ClassVar[str]
    health_path: ClassVar[str] = "/health"
    tokenize_path: ClassVar[str | None] = None
    aborts_by_id: ClassVar[bool] = False
    uses_proxy_settings: ClassVar[bool] = False  # one's own engine is reached directly
    reuses_connections: ClassVar[bool] = True
    load_kept_s: float = 0.0  # how old a load may be; more where asking for it slows the engine down

    def __init__(self, url: str, model: str, api_key: str = "", patience: Patience | None = None) -> None:
        """url is the engine's root; a trailing /v1 is accepted and dropped."""
        self.url = url.rstrip("/").removesuffix("/v1")
        self.model = model
        self.patience = patience or Patience()
        self._client = httpx.AsyncClient(
            base_url=self.url,
            headers=self._standing_headers(api_key),
            timeout=httpx.Timeout(self.patience.side_s, connect=self.patience.connect_s),
            limits=httpx.Limits(
                max_connections=None,
                max_keepalive_connections=None if self.reuses_connections else 0,
                keepalive_expiry=KEEPALIVE_S,
            ),
            trust_env=self.uses_proxy_settings,
        )
        self._identity = KnownIdentity(self._describe)
        self._tokenizes = self.tokenize_path is not None
        self._finished: OrderedDict[str, None] = OrderedDict()
        self._aborts: set[asyncio.Task[None]] = set()

    def _standing_headers(self, api_key: str) -> dict[str, str]:
        headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        return headers if self.reuses_connections else {**headers, "connection": "close"}

    def extras(self, request: EngineRequest) -> dict[str, Json]:
        """Fields of this engine's own that go beside the body; they never change the answer."""
        return {}

    def headers(self, request: EngineRequest) -> dict[str, str]:
        return {}

    async def stream(self, request: EngineRequest) -> AsyncIterator[Delta | Completion]:
        """See `Engine.stream`. Nothing is retried: a second try is the caller's decision."""
        over = False  # the engine itself has ended the request, so there is nothing to abort
        try:
            async with aclosing(self._answer(request)) as pieces:
                async for piece in pieces:
                    over = isinstance(piece, Completion)
                    yield piece
        except (EngineRefused, IncompleteAnswer, EngineAborted, EngineUnreachable) as exc:
            over = True
            if isinstance(exc, EngineUnreachable):
                self._identity.doubt()
            raise
        finally:
            if over:
                self._remember_finished(request.request_id)
            else:
                self._abort_soon(request.request_id)

    async def _answer(self, request: EngineRequest) -> AsyncIterator[Delta | Completion]:
        started = time.perf_counter()
        parts = AnswerParts()
        async with aclosing(self._events(request)) as events:
            async for data in events:
                if text := parts.take(data):
                    yield Delta(text)
        yield parts.completion((time.perf_counter() - started) * 1000)

    async def _events(self, request: EngineRequest) -> AsyncIterator[str]:
        """The data of each event up to [DONE] or the end of the stream."""
        deadline = Deadline.after(self.patience.first_byte_s, "first event")
        response = await self._open(request, deadline)
        events = EventSource(response).aiter_sse()
        try:
            while (data := await self._next(events, deadline)) not in (None, "[DONE]"):
                yield data
                deadline = Deadline.after(self.patience.between_s, "further event")
            if data is not None:
                await self._drain(events)
        finally:
            await response.aclose()
            await events.aclose()

    async def _open(self, request: EngineRequest, deadline: Deadline) -> httpx.Response:
        body = {"model": self.model, **request.body, **self.extras(request)}
        body |= {"stream": True, "stream_options": {"include_usage": True}}
        patience = httpx.Timeout(None, connect=self.patience.connect_s)
        sent = self._client.build_request(
            "POST", "/v1/chat/completions", json=body, headers=self.headers(request), timeout=patience
        )
        try:
            async with asyncio.timeout_at(deadline.until):
                response = await self._client.send(sent, stream=True)
        except TimeoutError as exc:
            raise self._late(deadline) from exc
        except httpx.HTTPError as exc:
            raise self._failure(exc) from exc
        kind = response.headers.get("content-type", "")
        if response.status_code != httpx.codes.OK or not kind.startswith("text/event-stream"):
            raise await self._refused(response, deadline)
        return response

    async def _refused(self, response: httpx.Response, deadline: Deadline) -> EngineError:
        """What a response that is no event stream says."""
        try:
            async with asyncio.timeout_at(deadline.until):
                await response.aread()
        except (TimeoutError, httpx.HTTPError):
            return EngineRefused(f"{self.kind} answered {response.status_code} and no reason")
        finally:
            await response.aclose()
        return EngineRefused(f"{self.kind} answered {response.status_code}: {said(response)}")

    async def _next(self, events: AsyncGenerator[ServerSentEvent, None], deadline: Deadline) -> str | None:
        """The next event's data, None at the end of the stream. Comments and empty events are passed over."""
        try:
            async with asyncio.timeout_at(deadline.until):
                async for event in events:
                    if event.event == "error":
                        raise refusal(event.data)
                    if event.data:
                        return event.data
        except TimeoutError as exc:
            raise self._late(deadline) from exc
        except httpx.RemoteProtocolError as exc:
            raise IncompleteAnswer(f"{self.kind} cut the stream: {exc}") from exc
        except httpx.HTTPError as exc:
            raise self._failure(exc) from exc
        except (SSEError, UnicodeDecodeError) as exc:
            raise IncompleteAnswer(f"{self.kind} sent no event stream: {exc}") from exc
        return None

    async def _drain(self, events: AsyncGenerator[ServerSentEvent, None]) -> None:
        try:
            async with asyncio.timeout(DRAIN_S):
                async for _ in events:
                    pass
        except (TimeoutError, httpx.HTTPError):
            logger.debug("%s kept its stream open behind [DONE]", self.kind)

    def _late(self, deadline: Deadline) -> EngineTimeout:
        return EngineTimeout(f"{self.kind} at {self.url}: no {deadline.what} within {deadline.limit_s:g} s")

    def _failure(self, exc: httpx.HTTPError) -> EngineError:
        if isinstance(exc, httpx.TimeoutException):
            return EngineTimeout(f"{self.kind} at {self.url}: {type(exc).__name__}")
        return EngineUnreachable(f"{self.kind} at {self.url}: {exc or type(exc).__name__}")

    def _remember_finished(self, request_id: str) -> None:
        self._finished[request_id] = None
        if len(self._finished) > FINISHED_KEPT:
            self._finished.popitem(last=False)

    def _abort_soon(self, request_id: str) -> None:
        """Tell the engine without holding up whoever closes the stream, who may be shutting down."""
        if self.aborts_by_id and not self._client.is_closed:
            task = asyncio.get_running_loop().create_task(self._abort_quietly(request_id))
            self._aborts.add(task)
            task.add_done_callback(self._aborts.discard)

    async def _abort_quietly(self, request_id: str) -> None:
        try:
            await self.abort(request_id)
        except EngineError as exc:
            logger.warning("abort of %s did not reach the engine: %s", request_id, exc)

    async def abort(self, request_id: str) -> None:
        """No route: only closing the stream helps."""

    async def load(self) -> EngineLoad:
        """Nothing is known of an engine that has no route for it. Raises `EngineError` when it does not answer."""
        return EngineLoad(None, None, None, None)

    async def tokens(self, text: str) -> int:
        """By the engine's tokenizer; without such a route, UTF-8 bytes over 3, rounded up."""
        if self._tokenizes and self.tokenize_path is not None:
            answer = await self.side("POST", self.tokenize_path, self.tokenize_body(text))
            if answer is not None:
                return int(answer.get("count") or len(answer["tokens"]))
            self._tokenizes = False
        return rough_tokens(text)

    def tokenize_body(self, text: str) -> dict[str, Json]:
        return {"model": self.model, "prompt": text, "add_special_tokens": False}

    async def identity(self) -> Mapping[str, Json]:
        """At most `known_identity.LIMIT_S` old, and asked anew once the engine could not be reached."""
        return await self._identity.get()

    async def _describe(self) -> Mapping[str, Json]:
        return {"kind": self.kind, "model": self.model, **await self.describe()}

    async def describe(self) -> dict[str, Json]:
        """version, revision, deterministic; null where the engine does not say."""
        return {"version": None, "revision": await self.model_revision(), "deterministic": None}

    async def model_revision(self) -> Json:
        """What the engine's own model list tells about the model beyond its name."""
        listed = await self.facts("/v1/models")
        cards = listed.get("data") or []
        card = next((card for card in cards if card.get("id") == self.model), cards[0] if cards else {})
        return card.get("root") or card.get("id")

    async def healthy(self) -> bool:
        """One answer, good or bad. A long prefill can hold one up: a caller waits for a second miss."""
        try:
            response = await self._client.get(self.health_path)
        except httpx.HTTPError:
            return False
        return response.status_code == httpx.codes.OK

    async def side(self, method: str, path: str, body: Json = None) -> Any:
        """A side call's JSON (or its text); None where the engine has no such route."""
        try:
            response = await self._client.request(method, path, json=body)
        except httpx.HTTPError as exc:
            raise self._failure(exc) from exc
        if response.status_code in (httpx.codes.NOT_FOUND, httpx.codes.METHOD_NOT_ALLOWED, httpx.codes.NOT_IMPLEMENTED):
            return None
        if response.status_code != httpx.codes.OK:
            raise EngineRefused(f"{self.kind} {path} answered {response.status_code}: {said(response)}")
        if not response.headers.get("content-type", "").startswith("application/json"):
            return response.text
        try:
            return response.json()
        except ValueError as exc:
            raise EngineRefused(f"{self.kind} {path} answered JSON that is none") from exc

    async def facts(self, path: str) -> Mapping[str, Any]:
        """A side route's JSON object; empty where there is no such route, or it answers something else."""
        answer = await self.side("GET", path)
        return answer if isinstance(answer, Mapping) else {}

    async def aclose(self) -> None:
        """Waits for aborts under way, then closes every connection."""
        await asyncio.gather(*self._aborts)
        await self._identity.aclose()
        await self._client.aclose()


def said(response: httpx.Response) -> str:
    """An error body's own message, shortened."""
    try:
        return str(refusal(response.json()))
    except ValueError:
        return str(refusal(response.text or response.reason_phrase))


def rough_tokens(text: str) -> int:
    """Tokens of `text` when nobody counts them, rounded up."""
    return -(-len(text.encode()) // APPROXIMATE_TOKEN_BYTES)
