"""Puts the parts together, once per process, from Django's settings. Everything is made on first use."""

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError

from apps.engines.base import Engine
from apps.engines.factory import make_engine
from apps.runtime.aborts import announce_abort, listen_for_aborts
from apps.runtime.aftermath import Aftermath
from apps.runtime.clock import now_ms
from apps.runtime.driver import Driver
from apps.runtime.fill_runner import FillRunner
from apps.runtime.performer import Performer
from apps.runtime.program import Program
from apps.runtime.publisher import Publisher
from apps.runtime.writes import Writing
from apps.serving.config import ServingConfig
from apps.serving.gate.policy import PlainGate
from apps.serving.layer import Layer, Stores
from apps.serving.ports import Event, Events, StreamHead
from apps.stores.branches import RedisBranches
from apps.stores.client import make_client
from apps.stores.events import RedisEvents
from apps.stores.library import RedisLibrary
from apps.stores.records import RedisRecords
from apps.stores.reservations import RedisReservations
from apps.stores.shadows import RedisShadows

STORE_THREADS = 8
_making = threading.RLock()


def new_id() -> str:
    """Random, 128 bits, of fixed length: an engine may match ids by prefix."""
    return secrets.token_hex(16)


@cache
def config() -> ServingConfig:
    return ServingConfig(
        fill_slots=settings.FILL_SLOTS,
        fill_kv_tokens=settings.FILL_KV_TOKENS,
        shadow_ttl_ms=settings.SHADOW_TTL_S * 1000,
        shadow_entries=settings.SHADOWS,
        library_entries=settings.LIBRARY_ENTRIES,
        library_bytes=settings.LIBRARY_MIB * 1024 * 1024,
    )


@cache
def client() -> redis.Redis:
    return make_client(settings.REDIS_URL)


@cache
def events() -> Events:
    return RedisEvents(client())


@cache
def store() -> Stores:
    shared = {"client": client(), "config": config()}
    return Stores(
        library=RedisLibrary(**shared),
        shadows=RedisShadows(**shared),
        branches=RedisBranches(**shared),
        records=RedisRecords(**shared),
        reservations=RedisReservations(client()),
    )


@cache
def _store_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(STORE_THREADS, thread_name_prefix="store")


async def run(function: Callable[..., Any], *args: Any) -> Any:
    """Call a blocking store function without holding up the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_store_threads(), function, *args)


@cache
def publisher() -> Publisher:
    return Publisher(events(), run)


@cache
def engine() -> Engine:
    """The engine's client belongs to the event loop that uses it first."""
    return make_engine(*_engine_settings())


def _engine_settings() -> tuple[str, str, str, str]:
    return settings.ENGINE_KIND, settings.ENGINE_URL, settings.ENGINE_MODEL, settings.ENGINE_API_KEY


@cache
def programs() -> Mapping[str, Program]:
    return {name: import_string(path) for name, path in settings.DYNBRANCH_PROGRAMS.items()}


def program(name: str) -> Program:
    return programs()[name]


@cache
def layer() -> Layer:
    return Layer(store(), PlainGate(), config(), new_id)


@cache
def driver() -> Driver:
    return Driver(
        **_performer_parts(engine()), programs=programs(), speculation=settings.SPECULATION, reuse=settings.REUSE
    )


def _performer_parts(engine: Engine | None) -> dict[str, Any]:
    return {
        "layer": layer(),
        "engine": engine,
        "publisher": publisher(),
        "run": run,
        "dispatch": dispatch,
        "announce_abort": lambda fill_id: announce_abort(client(), fill_id),
    }


def dispatch(chain_id: str, expires_at_ms: int) -> None:
    """Queue a chain for the workers; ConnectionError when that fails. Not retried: a late fill is worth nothing."""
    from apps.runtime.tasks import run_chain  # the task module imports this one

    expires_s = max(1.0, (expires_at_ms - now_ms()) / 1000)
    try:
        run_chain.apply_async((chain_id,), expires=expires_s, retry=False, ignore_result=True)
    except OperationalError as exc:  # what Celery makes of a broker that is away; the driver knows the plain one
        raise ConnectionError(f"chain {chain_id} could not be queued") from exc


# -- a worker's own loop ------------------------------------------------------------------------------


def loop() -> asyncio.AbstractEventLoop:
    """The one long-lived event loop of a process whose main thread has none (worker, commands)."""
    with _making:
        return _loop()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    made = asyncio.new_event_loop()
    threading.Thread(target=made.run_forever, name="loop", daemon=True).start()
    return made


_background: list[Future[None]] = []  # the event loop itself holds tasks only weakly


def fill_runner() -> FillRunner:
    with _making:  # the first tasks of a worker arrive on several threads at once
        return _fill_runner()


@cache
def _fill_runner() -> FillRunner:
    runner = FillRunner(driver(), f"worker:{new_id()}", settings.ENGINE_FILLS)
    for background in (_beat(runner.owner), listen_for_aborts(settings.REDIS_URL, runner.abort)):
        _background.append(asyncio.run_coroutine_threadsafe(background, loop()))
    return runner


async def _beat(owner: str) -> None:
    """Say that this process lives; when it stops, the reaper ends what it ran."""
    lease_ms = config().owner_lease_ms
    while True:
        with contextlib.suppress(redis.RedisError):  # the next beat is due before the lease ends
            await run(store().shadows.beat, owner, now_ms() + lease_ms)
        await asyncio.sleep(lease_ms / 4000)


# -- what pages read ----------------------------------------------------------------------------------


async def events_read(stream: str, after_seq: int, limit: int = 500) -> tuple[Event, ...]:
    return await run(events().read, stream, after_seq, limit)


async def events_head(stream: str) -> StreamHead:
    return await run(events().head, stream)


# -- writes -------------------------------------------------------------------------------------------


def writing(records: list[str]) -> Writing:
    """Two-phase write around a database transaction; see `runtime/writes.py`. Not for the thread of `loop()`."""
    return Writing(records, store().records, config().write_lease_ms, Aftermath(write_performer(), loop()))


@cache
def write_performer() -> Performer:
    """On `loop()`, since a write is committed on a thread without one, and with an engine client of its own there."""
    return Performer(**_performer_parts(make_engine(*_engine_settings()) if settings.ENGINE_URL else None))
