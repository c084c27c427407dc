"""A writer that stops where a test says, a reader and the reconciler, over real rows and a real Redis.

Writers and the reconciler have threads of their own, with connections of their own, so that locks are real. A test
holds the order: a writer goes no further than it is told, and nothing waits for a time to pass.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from django.db import OperationalError, connection, connections

from apps.concierge import queries, services
from apps.concierge.models import Place
from apps.concierge.seed import seed_catalogue
from apps.runtime import clock, probe, wiring
from apps.serving.names import Json, ReuseName, digest
from apps.serving.outcomes import Hit, Miss, Result
from apps.stores.lease import Lease

PATIENCE_S = 60.0
# Where a writer stops: its records marked; its rows changed and locked; its mark renewed; the database committed.
BEGUN, CHANGED, HELD, COMMITTED = POINTS = ("begun", "changed", "held", "committed")
SAVED = "saved"  # some rows changed, others still to be locked: only where the write itself calls `stop_when_saved`
_ORDER = (BEGUN, SAVED, CHANGED, HELD, COMMITTED)
_THROUGH = len(_ORDER)
_own = threading.local()


class Died(Exception):
    """The writer's process is gone: its database rolls back what was not committed, and nobody says any more."""


def on_thread(work: Callable[[], Any]) -> "Future[Any]":
    """Run it beside the test; its connections end with it, so that the test's database can be removed."""
    done: Future[Any] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)
        finally:
            connections.close_all()

    threading.Thread(target=run, daemon=True).start()
    return done


class Writer:
    """One write, begun at once."""

    def __init__(self, write: Callable[[], object]) -> None:
        self._moved = threading.Condition()
        self._at, self._may_reach, self._dies = -1, -1, False
        self._done = on_thread(lambda: self._run(write))

    def _run(self, write: Callable[[], object]) -> None:
        _own.writer = self
        try:
            write()
        finally:
            with self._moved:
                self._at = _THROUGH
                self._moved.notify_all()

    def reach(self, point: str) -> None:
        """On the writer's own thread: stay here until told to go on."""
        place = _ORDER.index(point)
        with self._moved:
            self._at = place
            self._moved.notify_all()
            assert self._moved.wait_for(lambda: self._may_reach > place or self._dies, PATIENCE_S), point
            if self._dies:
                raise Died

    def let(self, point: str) -> None:
        """It may come as far as this point; it may have to wait for another's lock before."""
        self._allow(_ORDER.index(point))

    def to(self, point: str) -> None:
        """Returns when it is there."""
        self.let(point)
        place = _ORDER.index(point)
        with self._moved:
            assert self._moved.wait_for(lambda: self._at >= place, PATIENCE_S), f"it never came to {point}"
        assert self._at == place, self._done.exception(PATIENCE_S)

    def finish(self) -> None:
        self._allow(_THROUGH)
        self._done.result(PATIENCE_S)

    def die(self) -> None:
        """Where it stands."""
        with self._moved:
            self._dies = True
            self._moved.notify_all()
        assert isinstance(self._done.exception(PATIENCE_S), Died)

    def _allow(self, place: int) -> None:
        with self._moved:
            self._may_reach = place
            self._moved.notify_all()


def stop_when_saved() -> None:
    _own.writer.reach(SAVED)


class _Stopping:
    """The product's own write, with the writer's stops around its steps."""

    def __init__(self, write: AbstractContextManager[services.Write], writer: Writer) -> None:
        self._write, self._writer = write, writer

    def __enter__(self) -> "_Stopping":
        self._write.__enter__()
        self._writer.reach(BEGUN)
        return self

    def hold(self) -> None:
        self._writer.reach(CHANGED)
        self._write.hold()
        self._writer.reach(HELD)

    def committed(self, versions: Mapping[str, int]) -> None:
        self._writer.reach(COMMITTED)
        self._write.committed(versions)

    def __exit__(self, *error: Any) -> None:
        self._write.__exit__(*error)


def stopping(records: Sequence[str]) -> AbstractContextManager[services.Write]:
    """`services.writing` while a test runs."""
    write, writer = wiring.writing(records), getattr(_own, "writer", None)
    return write if writer is None else _Stopping(write, writer)


class Reader:
    """Asks one query as a demand for `lookup` does: served from the library, or else run and kept if that is safe."""

    def __init__(self, **query: Json) -> None:
        self.query = query
        self._name = ReuseName("t", "concierge/lookup", digest(query), 1)

    def served(self) -> Json | None:
        """What the library gives; None when the query would have to run."""
        found = wiring.store().library.probe(self._name, clock.now_ms())
        return found.result.output if isinstance(found, Hit) else None

    def run(self) -> queries.Found:
        return queries.run(self.query)

    def keep(self, found: queries.Found) -> Miss | None:
        """Why it was not kept, if so."""
        result = Result(found.output, found.reads, 1.0, {})
        return wiring.store().library.record(self._name, result, "test", "concierge/1/lookup", clock.now_ms())

    def ask(self) -> bool:
        """Whether the library served it. Whichever way it came, it is what the database holds."""
        output, found = self.served(), self.run()
        if output is None:
            self.keep(found)
            return False
        assert output == found.output, "a stale answer was served"
        return True

    def settle(self) -> None:
        """Asked twice, the second answer comes from the library: nothing of what happened holds it back for good."""
        self.ask()
        assert self.ask()


class Reconciler:
    """The real probe's own step, by a clock that a test sets."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._ahead_ms, self._waits = 0, True
        patch.setattr(probe, "now_ms", lambda: clock.now_ms() + self._ahead_ms)
        driver = SimpleNamespace(
            layer=SimpleNamespace(stores=wiring.store()),
            run=_at_once,
            invalidated=_at_once_nothing,
            publisher=SimpleNamespace(post=lambda *told: None),
        )
        lease = Lease(wiring.client(), "probe", 5.0)
        self._probe = probe.Probe(driver, wiring.events(), [services.RECORD_SOURCE], lease, self._ask)

    def leases_run_out(self) -> None:
        """Every lease given so far has ended by the reconciler's clock; one given from now on ends as early."""
        self._ahead_ms = 10 * wiring.config().write_lease_ms

    def begin(self) -> "Future[None]":
        """It may have to wait for a writer's locks."""
        return on_thread(lambda: asyncio.run(self._until_done()))

    def reconcile(self) -> None:
        self.begin().result(PATIENCE_S)

    def is_kept_out(self) -> bool:
        """Whether a lock stands in its way. It does not wait for one here: a wait cannot be told from being slow."""
        self._waits = False
        try:
            on_thread(lambda: asyncio.run(self._probe.reconcile())).result(PATIENCE_S)
        except OperationalError:
            return True
        finally:
            self._waits = True
        return False

    @staticmethod
    def waits_for_a_lock() -> bool:
        """Whether somebody does by now. SQLite does not tell: it has one lock, and so no two in the wrong order."""
        if connection.vendor != "postgresql":
            return True
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            return cursor.fetchone()[0] > 0

    async def _until_done(self) -> None:
        """SQLite, which does not wait for its lock for ever, is asked again, as at the probe's next tick.

        On PostgreSQL nothing is: there it would be a deadlock.
        """
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return await self._probe.reconcile()
            except OperationalError:
                if connection.vendor == "postgresql" or time.monotonic() > deadline:
                    raise

    async def _ask(self, function: Callable[..., Any], *args: Any) -> Any:
        def asked() -> Any:
            if not self._waits:
                _without_waiting()
            return function(*args)

        return await asyncio.wrap_future(on_thread(asked))


async def _at_once(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


async def _at_once_nothing(*args: Any) -> None:
    return None


def _without_waiting() -> None:
    postgres = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '1ms'" if postgres else "PRAGMA busy_timeout = 0")


@pytest.fixture
def reconciler(redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> Reconciler:
    """The catalogue, published."""
    seed_catalogue()
    monkeypatch.setattr(services, "writing", stopping)
    made = Reconciler(monkeypatch)
    made.reconcile()
    return made


def priced(price: int) -> Callable[[], None]:
    """A write that makes Brine House dearer. What it changes was read before it began, as a form does."""
    place = Place.objects.get(slug="brine-house")
    place.price, place.rating = price, Decimal("5.0")
    return lambda: services.save_place(place)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def empty_redis() -> None:
    wiring.client().flushall()
