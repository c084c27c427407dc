"""One conversation over the chat socket, as the page uses it: it resumes by sequence number, and a command
that was not acknowledged is sent again under its key."""

import asyncio
import json
import random
import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from apps.evaluation.site import ChatUnreachable, Opened
from apps.evaluation.transcript import Frame, Transcript

MAX_FRAME_BYTES = 8 * 1024 * 1024
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 2.0
REFUSED_CODES = range(4400, 4500)  # closed on purpose: coming back would not help


@dataclass(frozen=True, slots=True)
class Answer:
    """What one command brought.

    turn         the whole turn; None when the command was refused
    state        the turn's state, "refused", or "unanswered" after the time limit
    first_ms     command sent -> first text of the reply shown; None when there is none
    complete_ms  command sent -> turn done; None when it never was
    resumes      how often the socket was lost meanwhile
    """

    turn: Frame | None
    state: str
    error: str
    first_ms: float | None
    complete_ms: float | None
    resumes: int


class Conversation:
    """resume_s: how long a lost socket is retried, seconds; then `ChatUnreachable` is raised."""

    def __init__(self, opened: Opened, origin: str, resume_s: float = 30.0) -> None:
        self.transcript = Transcript()
        self.resumes = 0
        self._opened, self._origin, self._resume_s = opened, origin, resume_s
        self._socket: ClientConnection | None = None
        self._unacknowledged: dict[str, Any] | None = None
        self._lost_at_s: float | None = None  # the first loss since the last frame

    async def __aenter__(self) -> Self:
        await self._connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def until_ready(self, timeout_s: float) -> None:
        """Wait for the greeting to be complete."""
        deadline_s = time.perf_counter() + timeout_s
        while (shown := self.transcript.shown()) is None or not self.transcript.ended(shown["id"]):
            if not await self._receive(deadline_s):
                raise ChatUnreachable(f"{self._opened.socket_url}: no greeting within {timeout_s:g} s")

    async def think(self, until_s: float) -> None:
        """Take in what comes until `until_s` on the monotonic clock."""
        while await self._receive(until_s):
            pass

    async def pick(self, offer_id: str, index: int, timeout_s: float) -> Answer:
        return await self._command({"type": "pick", "offer": offer_id, "action": index, **self._here()}, timeout_s)

    async def say(self, text: str, timeout_s: float) -> Answer:
        return await self._command({"type": "say", "text": text, **self._here()}, timeout_s)

    async def retry(self, turn_id: str, timeout_s: float) -> Answer:
        return await self._command({"type": "retry", "turn": turn_id}, timeout_s)

    def _here(self) -> dict[str, Any]:
        return {"head": self.transcript.head, "fork": False}

    async def _command(self, fields: dict[str, Any], timeout_s: float) -> Answer:
        key, resumes = uuid4().hex, self.resumes
        frame = {**fields, "key": key}
        self._unacknowledged = frame
        sent_s = time.perf_counter()
        await self._send(frame)
        while not self._settled(key):
            if not await self._receive(sent_s + timeout_s):
                break
        self._unacknowledged = None
        return self._answer(key, sent_s, self.resumes - resumes)

    def _settled(self, key: str) -> bool:
        known = self.transcript
        return key in known.errors or (key in known.acks and known.ended(known.acks[key]))

    def _answer(self, key: str, sent_s: float, resumes: int) -> Answer:
        known = self.transcript
        if key in known.errors:
            refusal = known.errors[key]
            return Answer(None, "refused", f"{refusal['code']}: {refusal['message']}", None, None, resumes)
        turn_id = known.acks.get(key, "")
        turn = known.turns.get(turn_id)
        if turn is None or not known.ended(turn_id):
            return Answer(turn, "unanswered", "no answer within the time limit", None, None, resumes)
        first_ms = (known.first_at_s[turn_id] - sent_s) * 1000
        complete_ms = (known.done_at_s[turn_id] - sent_s) * 1000
        return Answer(turn, turn["state"], turn.get("error") or "", first_ms, complete_ms, resumes)

    async def _receive(self, deadline_s: float) -> bool:
        """Apply the next frame; False when none came before `deadline_s`."""
        wait_s = deadline_s - time.perf_counter()
        if wait_s <= 0 or self._socket is None:
            return False
        try:
            async with asyncio.timeout(wait_s):
                text = await self._socket.recv()
        except TimeoutError:
            return False
        except ConnectionClosed as exc:
            await self._resume(exc)
            return True
        self.transcript.apply(json.loads(text), time.perf_counter())
        self._lost_at_s = None
        if self._unacknowledged and self._unacknowledged["key"] in self.transcript.acks:
            self._unacknowledged = None
        if self.transcript.behind:
            self.transcript.behind = False
            await self._hello()
        return True

    async def _send(self, frame: Frame) -> None:
        """A frame that a lost socket swallows is sent again once receiving has noticed the loss."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(json.dumps(frame))

    async def _hello(self) -> None:
        known = self.transcript
        await self._send({"type": "hello", "epoch": known.epoch, "seq": known.seq})

    async def _connect(self) -> None:
        """Connect, retrying for `resume_s`, and ask for what was missed."""
        give_up_s, pause_s = time.perf_counter() + self._resume_s, FIRST_PAUSE_S
        while True:
            try:
                self._socket = await self._handshake(max(0.1, give_up_s - time.perf_counter()))
                return await self._hello()
            except (OSError, InvalidHandshake) as exc:  # TimeoutError is an OSError
                refused = isinstance(exc, InvalidStatus) and exc.response.status_code in range(400, 500)
                if refused or time.perf_counter() + pause_s > give_up_s:
                    raise ChatUnreachable(f"{self._opened.socket_url}: no connection ({exc})") from exc
            await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _handshake(self, timeout_s: float) -> ClientConnection:
        return await connect(
            self._opened.socket_url,
            origin=self._origin,
            additional_headers=self._opened.headers,
            proxy=None,
            max_size=MAX_FRAME_BYTES,
            open_timeout=timeout_s,
        )

    async def _resume(self, closed: ConnectionClosed) -> None:
        code = closed.rcvd.code if closed.rcvd else None
        if code in REFUSED_CODES:
            raise ChatUnreachable(f"{self._opened.socket_url} was closed by the product: {closed}") from closed
        if self._lost_at_s is None:
            self._lost_at_s = time.perf_counter()
        elif time.perf_counter() - self._lost_at_s > self._resume_s:
            raise ChatUnreachable(f"{self._opened.socket_url} closes as soon as it opens: {closed}") from closed
        else:
            await asyncio.sleep(LONGEST_PAUSE_S * random.uniform(0.5, 1.0))
        self.resumes += 1
        await self._connect()
        if self._unacknowledged is not None:
            await self._send(self._unacknowledged)
