"""Facts in words: the cells, worker lines and one-sentence summary that the page shows as they are."""

from dataclasses import dataclass

from apps.console.facts import EngineFacts, Facts, StoreFacts, WorkerFacts, WorkerState
from apps.console.tone import Tone
from apps.figures.load import ABSENT


@dataclass(frozen=True, slots=True)
class Cell:
    label: str
    value: str
    tone: Tone = Tone.PLAIN
    note: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """`heard_ms` is the age of its last sign of life when the facts were taken."""

    name: str
    state: str
    tone: Tone
    active: str
    processed: str
    heard: str


@dataclass(frozen=True, slots=True)
class StateView:
    """Everything but events: what the page's upper part shows. `summary` is the figure in words."""

    at_ms: int
    groups: tuple[Group, ...]
    workers: tuple[WorkerRow, ...]
    workers_note: str
    summary: str


WORKER_TONES = {
    WorkerState.IDLE: Tone.PLAIN,
    WorkerState.BUSY: Tone.GOOD,
    WorkerState.LOST: Tone.BAD,
    WorkerState.LEFT: Tone.QUIET,
}


def state_view(facts: Facts) -> StateView:
    workers = tuple(worker_row(worker, facts.at_ms) for worker in facts.workers)
    return StateView(
        facts.at_ms,
        (
            Group("Engine", engine_cells(facts.engine)),
            Group("Fills", fill_cells(facts.store)),
            Group("Reuse", reuse_cells(facts.store)),
        ),
        workers,
        workers_note(facts),
        summary(facts),
    )


def engine_cells(engine: EngineFacts) -> tuple[Cell, ...]:
    if engine.healthy is None:
        health = Cell("health", "unknown", Tone.WARN, engine.problem)
    elif engine.healthy:
        health = Cell("health", "answers", Tone.GOOD, engine.problem)
    else:
        health = Cell("health", "does not answer", Tone.BAD, engine.problem)
    load = engine.load
    kv = load.kv_frac if load else None
    return (
        Cell("kind", engine.kind),
        health,
        Cell("running", count(load.running if load else None, "requests")),
        Cell("waiting", count(load.waiting if load else None, "requests")),
        Cell("slots", count(load.slots if load else None, "")),
        Cell("KV in use", ABSENT if kv is None else f"{kv * 100:.1f} %"),
    )


def fill_cells(store: StoreFacts) -> tuple[Cell, ...]:
    return (
        Cell(
            "slots held", held(store.slots_held, store.slots_limit, "slots"), full(store.slots_held, store.slots_limit)
        ),
        Cell(
            "KV held",
            held(store.kv_held_tokens, store.kv_limit_tokens, "tokens"),
            full(store.kv_held_tokens, store.kv_limit_tokens),
        ),
        Cell("reserved", count(store.reserved_fills, "fills")),
        Cell("running", count(store.running_fills, "fills")),
        Cell("queued", count(store.queued, "messages"), note="in the Celery queue"),
    )


def reuse_cells(store: StoreFacts) -> tuple[Cell, ...]:
    health = Cell("Redis", "answers", Tone.GOOD) if not store.problem else Cell("Redis", store.problem, Tone.BAD)
    return (
        Cell("shadows", count(store.shadows, "")),
        Cell("entries", count(store.entries, "")),
        Cell("library", mebibytes(store.library_bytes, store.library_limit_bytes), note="entries and their index"),
        health,
    )


def worker_row(worker: WorkerFacts, now_ms: int) -> WorkerRow:
    return WorkerRow(
        worker.name,
        worker.state.value,
        WORKER_TONES[worker.state],
        count(worker.active, ""),
        count(worker.processed, ""),
        f"{ago(now_ms - worker.heard_ms)} ago",
    )


def workers_note(facts: Facts) -> str:
    """A worker can send heartbeats and consume nothing, so a queue that waits beside idle workers is said."""
    alive = [w for w in facts.workers if w.state in (WorkerState.IDLE, WorkerState.BUSY)]
    if not alive:
        return "No worker is heard from: no fill can run."
    if facts.store.queued and all(w.state is WorkerState.IDLE for w in alive):
        return f"{count(facts.store.queued, 'messages')} wait while every worker is idle: do they consume?"
    return ""


def summary(facts: Facts) -> str:
    store, load = facts.store, facts.engine.load
    kv = load.kv_frac if load else None
    return (
        f"Fill slots {held(store.slots_held, store.slots_limit, 'slots')}; "
        f"fill KV {held(store.kv_held_tokens, store.kv_limit_tokens, 'tokens')}; "
        f"engine KV {ABSENT if kv is None else f'{kv * 100:.1f} %'}; "
        f"engine running {count(load.running if load else None, 'requests')}, "
        f"waiting {count(load.waiting if load else None, 'requests')}."
    )


def count(value: int | None, unit: str) -> str:
    if value is None:
        return ABSENT
    return f"{value:,} {unit[:-1] if value == 1 and unit.endswith('s') else unit}".strip()


def held(value: int | None, limit: int | None, unit: str) -> str:
    if value is None:
        return ABSENT
    return f"{value:,} of {f'{limit:,}' if limit is not None else 'unknown'} {unit}"


def mebibytes(value: int | None, limit: int | None) -> str:
    """Bytes held of a budget; the library evicts as it fills, so a full one is no alarm."""
    if value is None or limit is None:
        return ABSENT
    return f"{value / 2**20:,.1f} of {limit / 2**20:,.0f} MiB"


def full(value: int | None, limit: int | None) -> Tone:
    return Tone.WARN if value is not None and limit is not None and value >= limit > 0 else Tone.PLAIN


def ago(age_ms: int) -> str:
    """An age in the largest unit that keeps it readable; a negative one (skewed clocks) counts as 0."""
    seconds = max(0, age_ms) / 1000
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
