"""What a selection does to the fills of its branch. Pure; the layer performs it. §3.3"""

from apps.serving.branch.fill import FillState
from apps.serving.workflow import Semantics


def loses(semantics: Semantics, picked: bool, chain_started: bool, state: FillState) -> bool:
    """Whether a fill is given up at selection.

    picked         its chain answers the selection
    chain_started  some fill of its chain has left RESERVED

    Exclusive losers leave nothing behind. Of an independent branch only unfinished work of the other
    actions is given up: completed shadows stay eligible. The picked chain is kept if it is under way; one
    still queued is given up, since the demand runs at once and would only be delayed by it.
    """
    if picked:
        return not chain_started
    if semantics is Semantics.EXCLUSIVE:
        return state in (FillState.RESERVED, FillState.RUNNING, FillState.SHADOW)
    return state in (FillState.RESERVED, FillState.RUNNING)
