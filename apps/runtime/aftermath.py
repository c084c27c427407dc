"""What a write must still do to fills and pages, from the thread that committed it. method.md §3"""

import asyncio
import logging
from concurrent.futures import Future, wait
from dataclasses import dataclass, field

from apps.runtime.performer import Performer
from apps.runtime.writes import Committed
from apps.serving.ports import Invalidated

log = logging.getLogger(__name__)

TELL_S = 2.0  # longest that a write waits for it; what is left goes on for as long as the process lives


@dataclass(eq=False)
class Aftermath:
    """One write's. Given each step of its cascade as it comes, it aborts and announces beside the next one, in order.

    At the end it is waited for: a command's process would otherwise be gone first.
    """

    performer: Performer
    loop: asyncio.AbstractEventLoop
    _told: list[Future[None]] = field(default_factory=list)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __call__(self, news: Invalidated | Committed) -> None:
        self._told.append(asyncio.run_coroutine_threadsafe(self._tell(news), self.loop))
        if not isinstance(news, Committed):
            return
        done, left = wait(self._told, TELL_S)
        if left:
            log.warning("write of %s: pages and workers hear of it later", ", ".join(news.records))
        for told in done:
            if told.exception() is not None:
                log.error("write of %s: its effects", ", ".join(news.records), exc_info=told.exception())

    async def _tell(self, news: Invalidated | Committed) -> None:
        async with self._turn:
            if isinstance(news, Committed):
                await self.performer.publisher.publish("", "write.committed", news.as_json())
            else:
                await self.performer.invalidated(news)
