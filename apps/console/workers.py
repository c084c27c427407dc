"""Celery workers as their own events tell of them: heartbeats, arrivals, goodbyes."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from celery import Celery

from apps.console.facts import WorkerFacts, WorkerState

log = logging.getLogger(__name__)

LOST_AFTER_MS = 8_000  # heartbeats come every 2 s, so four were missed
PURGE_AFTER_MS = 300_000  # a lost or departed worker leaves the page after this
MOST_WORKERS = 500  # names come from the broker; the table stays bounded whatever they are
RETRY_S = 2.0


@dataclass(frozen=True, slots=True)
class _Heard:
    heard_ms: int
    joined_ms: int
    left: bool = False
    active: int | None = None
    processed: int | None = None


class WorkerTable:
    """What was heard of each worker. Times are this process's own: clocks of other machines may differ."""

    def __init__(self) -> None:
        self._heard: dict[str, _Heard] = {}
        self._lock = threading.Lock()

    def on_event(self, event: Mapping[str, object], now_ms: int) -> None:
        """Take one Celery event; anything but a worker event changes nothing."""
        kind, name = event.get("type"), event.get("hostname")
        if kind not in ("worker-online", "worker-heartbeat", "worker-offline") or not isinstance(name, str):
            return
        with self._lock:
            if name not in self._heard and len(self._heard) >= MOST_WORKERS:
                del self._heard[min(self._heard, key=lambda n: self._heard[n].heard_ms)]
            known = self._heard.get(name) or _Heard(now_ms, now_ms)
            self._heard[name] = replace(
                known,
                heard_ms=now_ms,
                left=kind == "worker-offline",
                active=0 if kind == "worker-offline" else _number(event.get("active"), known.active),
                processed=_number(event.get("processed"), known.processed),
            )

    def facts(self, now_ms: int) -> tuple[WorkerFacts, ...]:
        """All workers by name; those silent for `PURGE_AFTER_MS` are forgotten here."""
        with self._lock:
            self._heard = {n: h for n, h in self._heard.items() if now_ms - h.heard_ms < PURGE_AFTER_MS}
            heard = sorted(self._heard.items())
        return tuple(
            WorkerFacts(name, _state(h, now_ms), h.active, h.processed, h.heard_ms, h.joined_ms) for name, h in heard
        )


def _number(value: object, otherwise: int | None) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def _state(heard: _Heard, now_ms: int) -> WorkerState:
    if heard.left:
        return WorkerState.LEFT
    if now_ms - heard.heard_ms >= LOST_AFTER_MS:
        return WorkerState.LOST
    return WorkerState.BUSY if heard.active else WorkerState.IDLE


class WorkerListener:
    """Reads Celery's event stream on a thread of its own (the client blocks) into a table, until `stop`.

    It only listens: no result backend, no `AsyncResult`, and the one message it sends asks every worker for a
    heartbeat, so that the table fills at once.
    """

    def __init__(self, app: Celery, table: WorkerTable, now_ms: Callable[[], int]) -> None:
        self._app, self._table, self._now_ms = app, table, now_ms
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="console-workers", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end; it does within about a second."""
        self._stop.set()

    def join(self, timeout_s: float) -> bool:
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._listen()
            except Exception as exc:  # outermost loop of this thread: the broker may be away for a while
                log.warning("console: worker events unreadable, trying again: %s", exc)
                self._stop.wait(RETRY_S)

    def _listen(self) -> None:
        with self._app.connection_for_read() as connection:
            receiver = self._app.events.Receiver(connection, handlers={"*": self._hear})
            with receiver.consumer_context(wakeup=True) as (listening, _channel, _consumers):
                while not self._stop.is_set():
                    try:
                        listening.drain_events(timeout=0.5)
                    except TimeoutError:
                        continue

    def _hear(self, event: Mapping[str, object]) -> None:
        self._table.on_event(event, self._now_ms())
