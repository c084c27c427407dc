"""What a selection does to the fills of its branch. Pure; the layer performs it. §3.3"""

from apps.serving.branch.fill import FillState
from apps.serving.workflow import Semantics


def loses(semantics: Semantics, picked: bool, chain_running: bool, state: FillState) -> bool:
    """Whether a fill is given up at selection.

    picked         its chain answers the selection
    chain_running  some fill of its chain is on its way right now

    Exclusive losers leave nothing behind. Of an independent branch only unfinished work of the other
    actions is given up: completed shadows stay eligible. The picked chain goes on if it is under way. What of
    it still waits in some queue is given up: the demand runs at once, and would only be delayed by it.
    """
    if picked:
        return state is FillState.RESERVED and not chain_running
    if semantics is Semantics.EXCLUSIVE:
        return state in (FillState.RESERVED, FillState.RUNNING, FillState.SHADOW)
    return state in (FillState.RESERVED, FillState.RUNNING)
