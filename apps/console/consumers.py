import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine

from channels.generic.websocket import AsyncWebsocketConsumer

from apps.console import access, hubs, wire
from apps.runtime.clock import now_ms

log = logging.getLogger(__name__)

CLOSE_FORBIDDEN = 4403
CLOSE_LOST = 1011
QUIET_S = 5.0  # a message goes out at least this often, so that a page knows a dead socket from a quiet one
RECHECK_S = 60.0  # staff rights taken away end an open page within this


class ConsoleConsumer(AsyncWebsocketConsumer):
    """Hub -> operator's page. Translates; decides nothing."""

    # No groups here; and Channels' listening to a layer would end the socket, without `disconnect`, when Redis goes.
    channel_layer_alias = None
    pump: asyncio.Task[None] | None = None
    joined = False

    async def connect(self) -> None:
        # A browser sees the close code only of an accepted socket; nothing is sent before the check.
        await self.accept()
        if not access.is_staff(self.scope.get("user")):
            await self.close(code=CLOSE_FORBIDDEN)
            return
        self.hub = hubs.here()
        self.hub.join()
        self.joined = True

    async def disconnect(self, code: int) -> None:
        if self.joined:
            self.joined = False
            self.hub.leave()
        await self._stop_pump()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.joined:
            return
        try:
            frame = wire.parse(text_data)
        except wire.BadFrame as exc:
            await self.send(text_data=wire.encode_error(exc))
            return
        if isinstance(frame, wire.Ping):
            await self.send(text_data=wire.encode({"type": "pong"}))
            return
        await self._stop_pump()
        self.pump = asyncio.create_task(self._logged(self._tell(frame)))

    async def _logged(self, telling: Coroutine[None, None, None]) -> None:
        """The pump's outermost frame: a page that is told nothing more must know, so that it connects anew."""
        try:
            await telling
        except Exception:
            log.exception("console: a page is told nothing more")
            await self.close(code=CLOSE_LOST)

    async def _stop_pump(self) -> None:
        if self.pump is not None:
            self.pump.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.pump
            self.pump = None

    async def _tell(self, at: wire.Position) -> None:
        """Answer a hello, then send every change until cancelled; ends with the socket when rights end."""
        checked_s, version = time.monotonic(), self.hub.version
        while True:
            answer = wire.answer(self.hub, at, now_ms())
            await self.send(text_data=wire.encode(answer.message))
            at = answer.position
            version = await self.hub.wait(version, QUIET_S)
            if time.monotonic() - checked_s > RECHECK_S:
                checked_s = time.monotonic()
                if not await access.still_staff(self.scope["user"]):
                    await self.close(code=CLOSE_FORBIDDEN)
                    return
