"""What a running turn shows: checked pieces of text to the conversation's stream, few events and no lost words."""

import asyncio
from collections.abc import Callable

from apps.chat import ports

COALESCE_S = 0.03  # later pieces of this long go out as one event


class Outlet:
    """The text of one run. The first piece goes out at once; a reply that comes whole is one event.

    first_ms  `clock()` when the first piece was handed over; None before
    """

    def __init__(self, conversation: str, turn: str, epoch: int, clock: Callable[[], int]) -> None:
        self.text = ""
        self.first_ms: int | None = None
        self._conversation, self._turn, self._epoch = conversation, turn, epoch
        self._clock = clock
        self._sent = 0  # characters published
        self._last_seq = 0
        self._later: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    async def emit(self, piece: str) -> None:
        if not piece:
            return
        self.text += piece
        if self.first_ms is None:
            self.first_ms = self._clock()
            self._later = asyncio.create_task(self.flush())
            await asyncio.shield(self._later)  # a stop must not leave in doubt whether it was published
        elif self._later is None or self._later.done():
            self._later = asyncio.create_task(self._flush_later())

    async def _flush_later(self) -> None:
        await asyncio.sleep(COALESCE_S)
        await self.flush()

    async def flush(self) -> None:
        """Publish what has not been published. A stream that lost its past gets the whole text again."""
        async with self._sending:
            offset, end = self._sent, len(self.text)
            if offset == end:
                return
            seq = await self._publish(offset, end)
            if seq is not None and seq <= self._last_seq and offset:
                seq = await self._publish(0, end)
            # A number that did not arrive leaves doubt about everything before it: start from the beginning.
            self._sent, self._last_seq = (0, 0) if seq is None else (end, seq)

    async def _publish(self, offset: int, end: int) -> int | None:
        data = {"turn": self._turn, "turn_epoch": self._epoch, "offset": offset, "text": self.text[offset:end]}
        try:
            return await ports.current().publisher().publish(self._conversation, "turn.text", data)
        except ports.STORE_AWAY:
            return None

    async def complete(self, reply: str) -> None:
        """End with `reply` as the whole text: what is missing of it goes out now."""
        if reply.startswith(self.text):
            await self.emit(reply[len(self.text) :])
        await self.close()

    async def close(self) -> None:
        """Publish the rest. A piece that is on its way is waited for: sent twice, it would be shown twice."""
        if self._later is not None and not self._sending.locked():
            self._later.cancel()
        await self.flush()
