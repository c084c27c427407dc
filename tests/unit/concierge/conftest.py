"""The seeded catalogue, a writing port that records what it was told, and an engine that says what it is told."""

import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from channels.db import database_sync_to_async

from apps.concierge import services
from apps.concierge.program import PROGRAM
from apps.concierge.seed import seed_catalogue
from apps.engines.base import Completion, Delta, EngineRequest, Finish, Lane
from apps.runtime.program import Asker, StageTools
from apps.runtime.scope import Scope
from apps.serving.config import Mode

MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


@dataclass
class Writes:
    """What each two-phase write announced and committed."""

    begun: list[tuple[str, ...]] = field(default_factory=list)
    committed: list[dict[str, int]] = field(default_factory=list)
    held: int = 0

    @contextmanager
    def writing(self, records: Sequence[str]) -> Iterator["Writes.One"]:
        self.begun.append(tuple(records))
        yield Writes.One(self)

    @dataclass
    class One:
        writes: "Writes"

        def hold(self) -> None:
            """The lease is renewed; nothing to remember."""

        def committed(self, versions: Mapping[str, int]) -> None:
            self.writes.committed.append(dict(versions))


class SayingEngine:
    """Streams `text` in pieces of five characters; None repeats what it is told to. Counts calls and early closes."""

    kind = "saying"

    def __init__(self, text: str | None = None) -> None:
        self.text, self.requests, self.closed_early = text, [], 0

    async def stream(self, request: EngineRequest) -> AsyncIterator[Delta | Completion]:
        self.requests.append(request)
        last = str(request.body["messages"][-1]["content"])
        text = last.removeprefix('Repeat: "').removesuffix('"') if self.text is None else self.text
        complete = False
        try:
            for start in range(0, len(text), 5):
                yield Delta(text[start : start + 5])
            complete = True
            yield Completion(Finish.STOP, 30, 20, 0, (), 12.0)
        finally:
            self.closed_early += not complete


def asker(session="s1", operation="op-1", now=MONDAY) -> Asker:
    return Asker(session, operation, now)


def tools(engine, emitted=None) -> StageTools:
    async def emit(text: str) -> None:
        if emitted is not None:
            emitted.append(text)

    scope = Scope("concierge", "t", "s1", "c", "turn", Mode.FULL)
    return StageTools(engine, Lane.CANONICAL, uuid.uuid4().hex, emit, scope)


@dataclass
class Walked:
    calls: list
    outputs: dict
    emitted: list
    reads: dict

    @property
    def names(self):
        """What names are made of: stage, sharing and rendered input, in order."""
        return [(c.stage.name, c.sharing, c.rendered) for c in self.calls]


async def typed(text: str, context: Mapping[str, object], who: Asker) -> Mapping[str, object]:
    """The turn that a typed message makes; asked in a thread, since it looks into the database."""
    return await database_sync_to_async(PROGRAM.text_turn)(text, context, who)


async def walk(turn, engine=None) -> Walked:
    """Run a turn to its end, as the driver does."""
    walked = Walked([], {}, [], {})
    engine = engine or SayingEngine()
    while (call := PROGRAM.next_call(turn, walked.outputs)) is not None:
        result = await PROGRAM.execute(call, tools(engine, walked.emitted))
        walked.calls.append(call)
        walked.outputs[call.stage.name] = result.output
        walked.reads |= result.reads
    return walked


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> Writes:
    recorded = Writes()
    monkeypatch.setattr(services, "writing", recorded.writing)
    return recorded


@pytest.fixture
def catalogue(transactional_db, writes: Writes) -> Writes:
    """The seeded catalogue; transactional, since stages read it from another thread."""
    seed_catalogue()
    return writes
