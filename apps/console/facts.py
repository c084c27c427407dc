"""What one look at the running system found. Plain data; None means unknown, never 0."""

from dataclasses import dataclass
from enum import StrEnum

from apps.engines.base import EngineLoad


class WorkerState(StrEnum):
    IDLE = "idle"  # heard from, runs nothing
    BUSY = "busy"  # heard from, runs fills
    LOST = "lost"  # not heard from although it never said goodbye
    LEFT = "left"  # said goodbye


@dataclass(frozen=True, slots=True)
class WorkerFacts:
    """One Celery worker process.

    active, processed  tasks running now, and since it started; None until its first heartbeat
    heard_ms           when it was last heard from     joined_ms  when this process first heard of it
    """

    name: str
    state: WorkerState
    active: int | None
    processed: int | None
    heard_ms: int
    joined_ms: int


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """healthy  None when it could not be asked      problem  one line for the page, "" when there is none"""

    kind: str
    healthy: bool | None
    load: EngineLoad | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What Redis holds for us. Counts of things; tokens for KV; fills waiting in the Celery queue.

    library_bytes  entries, ghosts and their index, by the library's own formula
    """

    slots_held: int | None = None
    slots_limit: int | None = None
    kv_held_tokens: int | None = None
    kv_limit_tokens: int | None = None
    entries: int | None = None
    library_bytes: int | None = None
    library_limit_bytes: int | None = None
    shadows: int | None = None
    running_fills: int | None = None
    reserved_fills: int | None = None
    queued: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    at_ms: int
    engine: EngineFacts
    store: StoreFacts
    workers: tuple[WorkerFacts, ...] = ()
