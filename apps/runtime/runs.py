"""What a process remembers of the runs that it serves: what each has read, and the chain that was begun for it."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TypeVar

from apps.serving.names import merged_reads
from apps.serving.outcomes import Result

REMEMBERED = 4096  # far more than run at once: a run that were forgotten midway would lose what it has read

Value = TypeVar("Value")


@dataclass(slots=True)
class _Run:
    reads: dict[str, int] = field(default_factory=dict)
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

    def remember_reads(self, turn: str, result: Result) -> None:
        """What a run has read so far enters the read-set of everything that it runs later."""
        run = self._run(turn)
        _keep(self._runs, turn, replace(run, reads=merged_reads(run.reads, result.reads)))

    def with_upstream(self, turn: str, own: Result) -> Result:
        return replace(own, reads=merged_reads(self._run(turn).reads, own.reads))

    def _run(self, turn: str) -> _Run:
        return self._runs.get(turn) or _Run()


def _keep(into: OrderedDict[str, Value], key: str, value: Value) -> None:
    into[key] = value
    into.move_to_end(key)
    while len(into) > REMEMBERED:
        into.popitem(last=False)
