"""Appends events to their streams, in order, and wakes the pages that follow them.

The stream is the content; the channel layer carries only wake-ups, and a lost one costs a page at most its
safety poll.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

from apps.runtime.clock import now_ms
from apps.serving.names import Json
from apps.serving.ports import Events

log = logging.getLogger(__name__)

SYSTEM = "system"
OWN_STREAM_ONLY = frozenset({"turn.text"})  # too many, and of no use to an operator
GIVE_UP_S = 30.0  # how long an event waits for Redis to come back


def conversation_stream(conversation: str) -> str:
    return f"conversation:{conversation}"


def conversation_group(conversation: str) -> str:
    return f"conversation.{conversation}"


@dataclass(eq=False, slots=True)
class _Item:
    """number  in its conversation's stream once it is there, so that a second try does not append it again"""

    conversation: str
    kind: str
    data: Mapping[str, Json]
    at_ms: int
    give_up_s: float  # on the monotonic clock
    done: asyncio.Future[int]
    number: int = 0


@dataclass(eq=False)
class Publisher:
    """One per process; keeps the order of what one event loop publishes."""

    events: Events
    run: Callable[..., Awaitable[object]]
    _queues: "WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Queue[_Item | None]]" = field(
        default_factory=WeakKeyDictionary
    )
    _drains: set[asyncio.Task[None]] = field(default_factory=set)
    _wakes: set[asyncio.Task[None]] = field(default_factory=set)

    async def publish(self, conversation: str, kind: str, data: Mapping[str, Json]) -> int:
        """Append to the conversation's stream (and the system stream); the number it got there."""
        return await self.post(conversation, kind, data)

    def post(self, conversation: str, kind: str, data: Mapping[str, Json]) -> "asyncio.Future[int]":
        """The same without waiting. An empty conversation means the system stream alone."""
        loop = asyncio.get_running_loop()
        queue = self._queues.get(loop)
        if queue is None:
            queue = self._queues[loop] = asyncio.Queue()
            drain = loop.create_task(self._drain(queue))
            self._drains.add(drain)
            drain.add_done_callback(self._drains.discard)
        done: asyncio.Future[int] = loop.create_future()
        done.add_done_callback(lambda future: future.cancelled() or future.exception())
        queue.put_nowait(_Item(conversation, kind, data, now_ms(), time.monotonic() + GIVE_UP_S, done))
        return done

    async def signal(self, conversation: str, message: Mapping[str, Json]) -> None:
        """A message to the processes that serve a conversation's pages; may be lost."""
        await self._send(conversation, {"type": "conversation.signal", **message})

    async def aclose(self) -> None:
        """Publish what is queued on this event loop, then stop."""
        queue = self._queues.pop(asyncio.get_running_loop(), None)
        if queue is None:
            return
        queue.put_nowait(None)
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(drain for drain in self._drains if drain.get_loop() is loop))
        await asyncio.gather(*(wake for wake in self._wakes if wake.get_loop() is loop))

    async def _drain(self, queue: "asyncio.Queue[_Item | None]") -> None:
        closing = False
        while not closing:
            batch = [await queue.get()]
            while not queue.empty():
                batch.append(queue.get_nowait())
            closing = None in batch
            await self._publish_batch([item for item in batch if item is not None])

    async def _publish_batch(self, batch: list[_Item]) -> None:
        numbers = await self._append_when_possible(batch)
        for item, number in zip(batch, numbers, strict=True):
            if item.done.done():
                continue
            if number is None:
                item.done.set_exception(ConnectionError(f"event {item.kind} was not published"))
            else:
                item.done.set_result(number)
        for conversation in {item.conversation for item in batch if item.conversation}:
            self._wake(conversation)

    def _wake(self, conversation: str) -> None:
        """Beside the next batch: what is published meanwhile must not wait for the channel layer."""
        wake = asyncio.create_task(self._send(conversation, {"type": "conversation.wake"}))
        self._wakes.add(wake)
        wake.add_done_callback(self._wakes.discard)

    async def _append_when_possible(self, batch: list[_Item]) -> list[int | None]:
        """Their numbers in order; None for an event that has waited for `GIVE_UP_S`.

        A failed try gives up all that have waited that long, so that what waits in a long outage stays bounded.
        """
        numbers: list[int | None] = []
        pause_s = 0.05
        while len(numbers) < len(batch):
            try:
                await self.run(self._append_rest, batch, numbers)
            except Exception:
                late = [item for item in batch[len(numbers) :] if item.give_up_s < time.monotonic()]
                if late:
                    log.exception("%d events given up, the first is %s", len(late), late[0].kind)
                    numbers += [None] * len(late)  # queued in order, so they are the first ones
                    continue
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, 1.0)
        return numbers

    def _append_rest(self, batch: list[_Item], numbers: list[int | None]) -> None:
        """One visit to the thread for all; `numbers` says how far it came when one fails."""
        for item in batch[len(numbers) :]:
            numbers.append(self._append(item))

    def _append(self, item: _Item) -> int:
        if item.conversation and not item.number:
            stream = conversation_stream(item.conversation)
            item.number = self.events.append(stream, item.kind, item.data, item.at_ms)
        if item.kind not in OWN_STREAM_ONLY:
            data = {**item.data, "conversation": item.conversation}
            system = self.events.append(SYSTEM, item.kind, data, item.at_ms)
            item.number = item.number or system
        return item.number

    async def _send(self, conversation: str, message: dict[str, object]) -> None:
        try:
            await get_channel_layer().group_send(conversation_group(conversation), message)
        except Exception:
            log.warning("no wake-up for conversation %s", conversation, exc_info=True)
