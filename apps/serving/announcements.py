"""The events that pages draw branches and fills from. Pure; `docs/interfaces.md` lists their fields."""

from collections.abc import Sequence

from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchRecord
from apps.serving.effects import Announce
from apps.serving.gate.policy import FillDecision
from apps.serving.names import Json
from apps.serving.ports import ChainRecord, FillRecord


def moved(chain: ChainRecord, fill: FillRecord, state: FillState, reason: str, **facts: Json) -> Announce:
    """The event that pages draw a fill's life from."""
    data: dict[str, Json] = {
        "branch": chain.branch_id,
        "chain": chain.chain_id,
        "fill": fill.fill_id,
        "choice": chain.choice,
        "stage": fill.stage,
        "position": fill.position,
        "state": state.value,
        "reason": reason,
        **facts,
    }
    return Announce("fill.moved", chain.scope, data)


def opened(branch: BranchRecord, admitted: Sequence[tuple[FillDecision, ChainRecord | None]]) -> Announce:
    ordered = sorted(admitted, key=lambda pair: pair[0].proposal.rank)
    candidates: list[Json] = [
        {
            "choice": decision.proposal.choice,
            "label": decision.proposal.label,
            "rank": decision.proposal.rank,
            "admitted": chain is not None,
            "reason": decision.reason,
            "chain": chain.chain_id if chain else None,
            "stages": [stage.name for stage in decision.proposal.stages],
        }
        for decision, chain in ordered
    ]
    return Announce(
        "branch.opened",
        branch.scope,
        {
            "branch": branch.branch_id,
            "coordinate": str(branch.coordinate),
            "expires_at_ms": branch.expires_at_ms,
            "candidates": candidates,
        },
    )
