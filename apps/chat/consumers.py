"""Browser <-> conversation service. Translates; decides nothing."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.utils import await_many_dispatch

from apps.chat import ports, presence, recovery, refusals, running, services, wakeups, wire
from apps.chat.feed import Feed
from apps.chat.owners import owner_of
from apps.chat.refusals import Refusal
from apps.serving.names import Json

log = logging.getLogger(__name__)

CLOSE_CODES: Mapping[Refusal, int] = {
    refusals.FORBIDDEN: wire.CLOSE_FOREIGN,
    refusals.UNKNOWN_CONVERSATION: wire.CLOSE_UNKNOWN,
}


class ChatConsumer(AsyncWebsocketConsumer):
    """One page. Foreign and unknown conversations are accepted and closed at once, so that the page sees the code."""

    joined = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Channels' own loop, without its listening to the layer: see `wakeups`."""
        self.scope, self.base_send = scope, send
        self.background: set[asyncio.Task[None]] = set()
        try:
            await await_many_dispatch([receive], self.dispatch)
        except StopConsumer:
            pass
        finally:
            self.leave()

    async def connect(self) -> None:
        self.conversation_id = self.scope["url_route"]["kwargs"]["conversation_id"]
        self.owner = owner_of(self.scope["session"])
        await self.accept()
        refusal = await services.access(self.conversation_id, self.owner)
        if refusal is not None:
            return await self.close(code=CLOSE_CODES[refusal])
        recovery.ensure_started()
        presence.joined(self.conversation_id)
        self.joined = True
        self.feed = Feed(self.conversation_id, self.send_frame, self.conversation_gone)
        self._spawn(wakeups.listen(self.conversation_id, self.heard))
        self._spawn(self.feed.follow())

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(self._logged(work))
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    async def _logged(self, work: Any) -> None:
        """The outermost frame of a background task: a page without it is of no use, so the page reconnects."""
        try:
            await work
        except Exception:
            log.exception("conversation %s: socket lost its feed", self.conversation_id)
            await self.close(code=1011)

    async def disconnect(self, code: int) -> None:
        self.leave()

    def leave(self) -> None:
        for task in self.background:
            task.cancel()
        if self.joined:
            self.joined = False
            self.feed.close()
            presence.left(self.conversation_id)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.joined:
            return
        frame = wire.parse(text_data)
        key = getattr(frame, "key", None)
        try:
            await self.take(frame)
        except ports.STORE_AWAY:
            await self.send_frame(wire.error(refusals.UNAVAILABLE, key))
        except Exception:
            log.exception("conversation %s: command failed", self.conversation_id)
            await self.send_frame(wire.error(refusals.INTERNAL, key))

    async def take(self, frame: wire.Frame | wire.Rejected) -> None:
        match frame:
            case wire.Rejected(refusal, key):
                await self.send_frame(wire.error(refusal, key))
            case wire.Ping():
                await self.send_frame(wire.PONG)
            case wire.Hello(epoch, seq):
                await self.feed.hello(epoch, seq)
            case _:
                for answer in await services.handle(self.conversation_id, str(self.owner), frame):
                    await self.send_frame(answer)

    async def heard(self, message: Mapping[str, Any]) -> None:
        """A message of the conversation's group, sent by any process."""
        if "stop" in message:
            running.stop_here(message["stop"])
        elif "who" in message:
            await presence.answer(self.conversation_id, message)
        elif "gone" in message:
            await self.conversation_gone()
        else:
            self.feed.wake()

    async def send_frame(self, frame: Mapping[str, Json]) -> None:
        await self.send(text_data=wire.encode(frame))

    async def conversation_gone(self) -> None:
        await self.close(code=wire.CLOSE_UNKNOWN)
