"""The console's one reader per process: it looks once and every open page is told.

It runs only while a page is open or has just asked over HTTP. A page keeps only its own position, so a slow page
costs no memory here: it is told less often, or gets a new snapshot.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from apps.console.cells import StateView, state_view
from apps.console.facts import Facts
from apps.console.figures import load_point
from apps.console.history import MOST_EVENTS, MOST_POINTS, Memory, Streams
from apps.console.rows import EventRow, event_row
from apps.figures.load import LoadPoint

log = logging.getLogger(__name__)

SYSTEM_STREAM = "system"
LOAD_STREAM = "load"
EVENTS_EVERY_S = 0.3
FACTS_EVERY_S = 1.0
WANTED_EVERY_S = 0.25
LINGER_S = 15.0  # how long after the last page, or the last HTTP question, it goes on


class Source(Streams, Protocol):
    """Where the hub looks. `start` and `stop` surround every run; reading a stream raises when Redis is away."""

    def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def facts(self) -> Facts:
        """Never raises for a part that is away: that is one of the facts."""
        ...


class Hub:
    """Belongs to one event loop. `version` counts changes; `wait` for another one."""

    def __init__(self, source: Source, linger_s: float = LINGER_S) -> None:
        self.events: Memory[EventRow] = Memory(SYSTEM_STREAM, MOST_EVENTS, event_row)
        self.load: Memory[LoadPoint] = Memory(LOAD_STREAM, MOST_POINTS, load_point)
        self.state: StateView | None = None
        self.version = 0
        self._stream_problem = self._look_problem = ""
        self._source, self._linger_s = source, linger_s
        self._changed = asyncio.Condition()
        self._pages, self._wanted_until_s = 0, 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def problem(self) -> str:
        """What the page must say about our own looking, "" when all is well."""
        return " ".join(filter(None, (self._stream_problem, self._look_problem)))

    def join(self) -> None:
        """A page opened; every join needs its `leave`."""
        self._pages += 1
        self.touch()

    def leave(self) -> None:
        self._pages -= 1
        self.touch()

    def touch(self) -> None:
        """Keep looking for `linger_s` from now, and begin if it does not."""
        loop = asyncio.get_running_loop()
        self._wanted_until_s = loop.time() + self._linger_s
        if not self.running:
            self._task = loop.create_task(self._run(), name="console-hub")

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def wait(self, seen: int, timeout_s: float) -> int:
        """The version once it is other than `seen`, or the same one after `timeout_s`."""
        async with self._changed:
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._changed.wait_for(lambda: self.version != seen)
        return self.version

    @property
    def _wanted(self) -> bool:
        return self._pages > 0 or asyncio.get_running_loop().time() < self._wanted_until_s

    async def _run(self) -> None:
        # Asked again after each session: a page may open while the last one is being stopped.
        while self._wanted:
            await self._session()

    async def _session(self) -> None:
        self.state = None  # what an earlier session saw is old
        self._source.start()
        looks = [
            asyncio.create_task(self._repeat(self._follow, EVENTS_EVERY_S)),
            asyncio.create_task(self._repeat(self._look, FACTS_EVERY_S)),
        ]
        try:
            ended: set[asyncio.Task[None]] = set()
            while self._wanted and not ended:
                ended, _ = await asyncio.wait(looks, timeout=WANTED_EVERY_S)
        finally:
            for look in looks:
                look.cancel()
            await asyncio.gather(*looks, return_exceptions=True)
            await self._source.stop()

    async def _repeat(self, step: Callable[[], Awaitable[bool]], every_s: float) -> None:
        loop = asyncio.get_running_loop()
        while True:
            began_s = loop.time()
            if await step():
                await self._announce()
            await asyncio.sleep(max(0.05, every_s - (loop.time() - began_s)))

    async def _announce(self) -> None:
        async with self._changed:
            self.version += 1
            self._changed.notify_all()

    async def _look(self) -> bool:
        try:
            self.state = state_view(await self._source.facts())
            self._look_problem = ""
        except Exception as exc:  # outermost loop: one failed look must not end all later ones
            if not self._look_problem:
                log.exception("console: a look at the system failed; said once until one succeeds")
            self._look_problem = f"The system's state cannot be read ({type(exc).__name__}); trying again."
        return True

    async def _follow(self) -> bool:
        was = self._stream_problem
        try:
            changed = [await memory.follow(self._source) for memory in (self.events, self.load)]
            self._stream_problem = ""
        except Exception as exc:  # outermost loop: Redis may be away; the page is told, and it is tried again
            changed = []
            self._stream_problem = f"Events cannot be read ({type(exc).__name__}); trying again."
            if not was:
                log.warning("console: events cannot be read: %s", exc)
        return any(changed) or self._stream_problem != was
