"""Turns on the engine: so many fills at once, and of those that wait, the oldest offer's best goes first."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from apps.serving.ports import ChainRecord


class EngineTurns:
    """at_once  most turns taken at a time, >= 1. For one event loop."""

    def __init__(self, at_once: int) -> None:
        self._at_once, self._taken = at_once, 0
        self._waiting: list[tuple[int, int, int]] = []
        self._arrivals = count()
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def turn(self, chain: ChainRecord) -> AsyncIterator[None]:
        ticket = (chain.expires_at_ms, chain.rank, next(self._arrivals))
        async with self._changed:
            self._waiting.append(ticket)
            try:
                await self._changed.wait_for(lambda: self._taken < self._at_once and ticket == min(self._waiting))
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
            self._taken += 1
        try:
            yield
        finally:
            async with self._changed:
                self._taken -= 1
                self._changed.notify_all()
