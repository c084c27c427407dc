"""What an installed workflow provides. The built-in one is `apps/concierge/program.py`.

A run walks its program: `next_call` renders the next stage from the turn and the outputs so far, the driver
answers it (from the library, a shadow, or by `execute`), and so on until `next_call` returns None. A fill
walks the very same program on a predicted turn, so equal inputs give equal reuse names by construction.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from apps.engines.base import Engine, Lane
from apps.runtime.scope import Scope
from apps.serving.names import Json
from apps.serving.outcomes import Result
from apps.serving.workflow import StageCall, Workflow

Emit = Callable[[str], Awaitable[None]]
"""Shows a checked piece of text to the user; a fill's collects nothing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A predicted continuation.

    choice  the selection that it answers: an action's index, a reading's key
    turn    the turn that a run would walk after that selection, JSON
    stages  names of the stages that its chain will run, in order; all speculable
    """

    choice: str
    rank: int
    label: str
    turn: Mapping[str, Json]
    stages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StageTools:
    """What a stage may use while it executes.

    request_id  fresh for every execution     emit  see `Emit`; called only with text that passed its checks
    """

    engine: Engine
    lane: Lane
    request_id: str
    emit: Emit
    scope: Scope


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and when.

    operation  the turn's id: makes a mutating stage happen once; only such stages may render it
    now        aware, in the workflow's own time zone; rendered only where it decides the output, and only
               as coarsely as it does
    """

    session: str
    operation: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Action:
    """One offered action: exact intent and arguments, so that its continuation can be rendered.

    payload     JSON, stored with the offer and handed back to `pick_turn`
    speculable  False where picking it runs a mutating stage next
    """

    label: str
    payload: Mapping[str, Json]
    speculable: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """What a complete run shows and leaves behind. `context` is handed to the next turn."""

    reply: str
    actions: tuple[Action, ...]
    context: Mapping[str, Json]


class Program(Protocol):
    workflow: Workflow

    def start_turn(self, asker: Asker) -> Mapping[str, Json]:
        """The greeting of a new conversation; walks no model stage."""
        ...

    def text_turn(self, text: str, context: Mapping[str, Json], asker: Asker) -> Mapping[str, Json]:
        """Blocking: it may look into the database for the words that it knows."""
        ...

    def pick_turn(
        self, payload: Mapping[str, Json], context: Mapping[str, Json], asker: Asker
    ) -> Mapping[str, Json]: ...

    def finish(self, turn: Mapping[str, Json], outputs: Mapping[str, Json]) -> Finished: ...

    def next_call(self, turn: Mapping[str, Json], outputs: Mapping[str, Json]) -> StageCall | None:
        """The next stage of this run; None when it is complete. Pure: no clock, no database, no chance."""
        ...

    async def execute(self, call: StageCall, tools: StageTools) -> Result:
        """Run one stage. `Result.reads` holds the records that this stage itself read.

        Raises EngineError when a model stage gets no complete answer.
        """
        ...

    def candidates(self, stage: str, turn: Mapping[str, Json], outputs: Mapping[str, Json]) -> Sequence[Candidate]:
        """Ranked continuations of the decision point at `stage`, speculable ones only.

        For a decode window (`understand`) it is asked before the stage runs, so `outputs` lacks it.
        """
        ...

    def shown(self, call: StageCall, output: Json) -> str:
        """Everything that `execute` emits on its way to this output; "" for a stage that shows nothing."""
        ...

    def choice(self, stage: str, output: Json) -> str:
        """Which candidate's `choice` the decision stage's output selects; any other text selects none."""
        ...
