"""What may be admitted: predicted continuations, speculable from end to end. §3.3"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.serving.errors import NotSpeculable
from apps.serving.names import Json
from apps.serving.workflow import Stage, Workflow


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate as the gate sees it.

    choice  the selection that it answers         rank  0 is best; only the order is used
    turn    what a run would walk, JSON           stages  its chain, in order, never empty
    """

    choice: str
    rank: int
    label: str
    turn: Mapping[str, Json]
    stages: tuple[Stage, ...]

    @property
    def kv_tokens(self) -> int:
        """Peak KV of the chain: its stages run one after another on one slot."""
        return max(stage.kv_tokens for stage in self.stages)


def proposal(
    workflow: Workflow, choice: str, rank: int, label: str, turn: Mapping[str, Json], stages: Sequence[str]
) -> Proposal:
    """A checked proposal. Raises NotSpeculable before anything of it can run."""
    chain = tuple(workflow.stage(name) for name in stages)
    for stage in chain:
        if not stage.speculable:
            raise NotSpeculable(workflow.name, stage.name)
    return Proposal(choice, rank, label, turn, chain)
