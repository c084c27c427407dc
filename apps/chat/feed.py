"""Keeps one page up to date: its conversation's events in order, without doubles or gaps, or a new snapshot."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from apps.chat import ports, refusals, snapshots, wire
from apps.runtime.publisher import conversation_stream
from apps.serving.names import Json

log = logging.getLogger(__name__)

SAFETY_POLL_S = 2.0  # covers lost wake-ups
RETRY_S = 0.5  # while Redis is away
PAGE = 500
MOST_SEQ = 2**53  # no stream gets that far; Redis refuses larger numbers than it can hold
MOST_MISSED = 2_000  # a page that missed more gets a snapshot

Send = Callable[[Mapping[str, Json]], Awaitable[None]]


class Feed:
    """Silent until `hello`. `gone` is awaited when the conversation no longer exists."""

    def __init__(self, conversation_id: str, send: Send, gone: Callable[[], Awaitable[None]]) -> None:
        self._conversation_id, self._send, self._gone = conversation_id, send, gone
        self._stream = conversation_stream(conversation_id)
        self._epoch: str | None = None
        self._seq = 0
        self._greeted = False
        self._away = False
        self._open = True
        self._turn_to_send = asyncio.Lock()
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        """End `follow` also where a database call swallows its cancelling."""
        self._open = False

    async def hello(self, epoch: str | None, seq: int | None) -> None:
        """Go on after (epoch, seq), or start with a snapshot where that cannot be done."""
        async with self._turn_to_send:
            self._greeted = True
            known = epoch is not None and seq is not None and 0 <= seq <= MOST_SEQ
            self._epoch, self._seq = (epoch, seq) if known else (None, 0)
            await self._advance()

    async def follow(self) -> None:
        """Send what comes, until cancelled or closed."""
        while self._open:
            try:
                async with asyncio.timeout(RETRY_S if self._away else SAFETY_POLL_S):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._woken.clear()
            if self._greeted and self._open:
                async with self._turn_to_send:
                    await self._advance()

    async def _advance(self) -> None:
        try:
            await self._send_missing()
        except ports.STORE_AWAY:
            if not self._away:
                log.warning("conversation %s: events cannot be read", self._conversation_id, exc_info=True)
                self._away = True
                await self._send(wire.error(refusals.UNAVAILABLE))

    async def _send_missing(self) -> None:
        runtime = ports.current()
        reading = runtime.events_head(self._stream), runtime.events_read(self._stream, self._seq, PAGE)
        head, events = await asyncio.gather(*reading)  # at once: a promoted answer waits for this
        # After Redis was away, events may have been given up: only the rows are sure.
        if self._away or head.epoch != self._epoch or not 0 <= head.seq - self._seq <= MOST_MISSED:
            return await self._send_snapshot()
        if not events and self._seq < head.seq:  # read a moment before the event that the head already counts
            events = await runtime.events_read(self._stream, self._seq, PAGE)
        while events or self._seq < head.seq:
            if not events or events[0].seq != self._seq + 1:  # trimmed away before they were read
                return await self._send_snapshot()
            for event in events:
                await self._send(wire.event(head.epoch, event))
                self._seq = event.seq
            events = await runtime.events_read(self._stream, self._seq, PAGE) if len(events) == PAGE else ()
            if not events and self._seq < head.seq:
                events = await runtime.events_read(self._stream, self._seq, PAGE)

    async def _send_snapshot(self) -> None:
        snapshot = await snapshots.take(self._conversation_id)
        if snapshot is None:
            return await self._gone()
        self._away = False
        self._epoch, self._seq = snapshot.epoch, snapshot.seq
        await self._send(snapshot.frame)
        self._woken.set()  # what came while it was put together
