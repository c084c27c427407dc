"""What a process remembers of the runs that it serves: how their stages were answered, the chain begun for each."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TypeVar

from apps.runtime.lineage import Lineage
from apps.serving.names import ReuseName
from apps.serving.outcomes import Result
from apps.serving.workflow import StageCall

REMEMBERED = 4096  # far more than run at once: a run that were forgotten midway would lose what it has read

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Run:
    lineage: Lineage = field(default_factory=Lineage)
    chain_id: str | None = None


class Runs:
    def __init__(self) -> None:
        self._runs: OrderedDict[str, _Run] = OrderedDict()
        self._picked: OrderedDict[str, str] = OrderedDict()

    def picked(self, conversation: str, chain_id: str | None) -> None:
        """A selection was made; its chain, if one is under way, belongs to the next run of the conversation."""
        self._picked.pop(conversation, None)
        if chain_id is not None:
            _keep(self._picked, conversation, chain_id)

    def chain_of(self, conversation: str, turn: str) -> str | None:
        """The chain that was begun for this run. A later run never gets it: it made another selection."""
        chain_id = self._picked.pop(conversation, None)
        if chain_id is not None:
            _keep(self._runs, turn, replace(self._run(turn), chain_id=chain_id))
        return self._run(turn).chain_id

    def lineage(self, turn: str) -> Lineage:
        return self._run(turn).lineage

    def done(self, turn: str, call: StageCall, name: ReuseName | None, result: Result) -> None:
        """A stage of the run was answered: it enters the provenance of what the run makes from it."""
        run = self._run(turn)
        _keep(self._runs, turn, replace(run, lineage=run.lineage.after(call, name, result)))

    def _run(self, turn: str) -> _Run:
        return self._runs.get(turn) or _Run()


def _keep(into: OrderedDict[str, Value], key: str, value: Value) -> None:
    into[key] = value
    into.move_to_end(key)
    while len(into) > REMEMBERED:
        into.popitem(last=False)
