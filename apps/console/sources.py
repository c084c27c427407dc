"""Where the console looks: event streams, engine, Redis and Celery, through `runtime.wiring`."""

import asyncio
from collections.abc import Callable, Sequence

from django.conf import settings

from apps.console.facts import EngineFacts, Facts, StoreFacts
from apps.console.workers import WorkerListener, WorkerTable
from apps.engines.base import Engine, EngineError, EngineLoad
from apps.runtime import wiring
from apps.serving.ports import Event, StreamHead
from apps.stores.client import StoreError
from dynbranch_site.celery import app as celery_app

ENGINE_LOOK_S = 2.0  # an engine in a long prefill may be slow to answer; later than this counts as no answer


class LiveSource:
    """The running system. One for each hub."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._workers = WorkerTable()
        self._listener: WorkerListener | None = None

    def start(self) -> None:
        self._listener = WorkerListener(celery_app, self._workers, self._now_ms)
        self._listener.start()

    async def stop(self) -> None:
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    async def head(self, stream: str) -> StreamHead:
        return await wiring.events_head(stream)

    async def read(self, stream: str, after_seq: int, limit: int) -> Sequence[Event]:
        return await wiring.events_read(stream, after_seq, limit)

    async def facts(self) -> Facts:
        engine, store = await asyncio.gather(self._engine(), wiring.run(self._store))
        now_ms = self._now_ms()
        return Facts(now_ms, engine, store, self._workers.facts(now_ms))

    async def _engine(self) -> EngineFacts:
        try:
            engine = wiring.engine()
        except ValueError as exc:  # no engine is configured
            return EngineFacts(settings.ENGINE_KIND, None, None, str(exc))
        return await look_at_engine(engine)

    def _store(self) -> StoreFacts:
        """Blocks for a few round trips; runs on a store thread."""
        store, config = wiring.store(), wiring.config()
        try:
            slots, kv_tokens = store.reservations.held(self._now_ms())
            fills, library = store.shadows.counts(), store.library.totals()
            return StoreFacts(
                slots_held=slots,
                slots_limit=config.fill_slots,
                kv_held_tokens=kv_tokens,
                kv_limit_tokens=config.fill_kv_tokens,
                entries=library.entries,
                library_bytes=library.bytes,
                library_limit_bytes=config.library_bytes,
                shadows=fills.shadows,
                running_fills=fills.running,
                reserved_fills=fills.reserved,
                queued=wiring.client().llen(settings.CELERY_TASK_DEFAULT_QUEUE),
            )
        except StoreError as exc:
            return StoreFacts(problem=f"does not answer ({type(exc).__name__})")


async def look_at_engine(engine: Engine) -> EngineFacts:
    """Health and load, asked at the same time; whatever does not come within the limit is unknown."""
    healthy, load = await asyncio.gather(_healthy(engine), _load(engine))
    problem = "" if load is not None else "gives no load reading"
    return EngineFacts(engine.kind, healthy, load, problem)


async def _healthy(engine: Engine) -> bool | None:
    try:
        async with asyncio.timeout(ENGINE_LOOK_S):
            return await engine.healthy()
    except TimeoutError:
        return None
    except EngineError:
        return False


async def _load(engine: Engine) -> EngineLoad | None:
    try:
        async with asyncio.timeout(ENGINE_LOOK_S):
            return await engine.load()
    except (EngineError, TimeoutError):
        return None
