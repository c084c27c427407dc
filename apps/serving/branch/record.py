"""One visit to a decision point, from opening to settlement. §3.3"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from apps.serving.errors import IllegalBranchMove
from apps.serving.names import Coordinate, Json
from apps.serving.workflow import Semantics


class BranchState(StrEnum):
    OPEN = "open"  # undecided: fills may be admitted
    RESOLVED = "resolved"  # decided: fills end, shadows may still be promoted (independent)
    SETTLED = "settled"  # every fill has ended and every reservation is released


TRANSITIONS: Mapping[BranchState, tuple[BranchState, ...]] = {
    BranchState.OPEN: (BranchState.RESOLVED,),
    BranchState.RESOLVED: (BranchState.SETTLED,),
    BranchState.SETTLED: (),
}


@dataclass(frozen=True, slots=True)
class BranchRecord:
    """choice is None while OPEN, and also when the branch was resolved with none of its candidates.

    scope          the driver's scope, JSON: tenant, session, conversation, mode
    expires_at_ms  end of the window: a branch still OPEN then is resolved with no choice
    """

    branch_id: str
    coordinate: Coordinate
    semantics: Semantics
    scope: Json
    opened_at_ms: int
    expires_at_ms: int
    state: BranchState = BranchState.OPEN
    choice: str | None = None


def check_move(branch_id: str, leave: BranchState, enter: BranchState) -> None:
    """Raises IllegalBranchMove for a move that is not in the table."""
    if enter not in TRANSITIONS[leave]:
        raise IllegalBranchMove(branch_id, leave, enter, TRANSITIONS[leave])
