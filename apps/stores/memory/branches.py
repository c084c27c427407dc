"""Branch records in memory."""

from dataclasses import replace

from apps.serving.branch.record import BranchRecord, BranchState, check_move
from apps.serving.outcomes import Miss, MissReason
from apps.stores.memory.state import State


class MemoryBranches:
    """`serving.ports.Branches`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def open(self, branch: BranchRecord, now_ms: int) -> Miss | None:
        with self._state.lock:
            if branch.branch_id in self._state.branches:
                return Miss(MissReason.STATE)
            self._state.branches[branch.branch_id] = branch
            self._state.branch_chains[branch.branch_id] = []
            return None

    def branch(self, branch_id: str) -> BranchRecord | None:
        with self._state.lock:
            return self._state.branches.get(branch_id)

    def move(
        self, branch_id: str, leave: BranchState, enter: BranchState, now_ms: int, choice: str | None = None
    ) -> Miss | None:
        check_move(branch_id, leave, enter)
        with self._state.lock:
            branch = self._state.branches.get(branch_id)
            if branch is None:
                return Miss(MissReason.ABSENT)
            if branch.state is not leave:
                return Miss(MissReason.STATE)
            chosen = branch.choice if choice is None else choice
            self._state.branches[branch_id] = replace(branch, state=enter, choice=chosen)
            if enter is BranchState.SETTLED:
                self._state.retired[branch_id] = now_ms
            return None

    def chains(self, branch_id: str) -> tuple[str, ...]:
        with self._state.lock:
            return tuple(self._state.branch_chains.get(branch_id, ()))

    def unsettled(self, now_ms: int, limit: int) -> tuple[str, ...]:
        with self._state.lock:
            branches = self._state.branches.values()
            left = sorted((b.opened_at_ms, b.branch_id) for b in branches if b.state is not BranchState.SETTLED)
            return tuple(branch_id for opened_at_ms, branch_id in left if opened_at_ms <= now_ms)[:limit]

    def sweep(self, now_ms: int, limit: int) -> int:
        state, removed = self._state, 0
        with state.lock:
            settled_by_ms = now_ms - state.config.settled_keep_ms
            old = sorted((at_ms, branch_id) for branch_id, at_ms in state.retired.items() if at_ms <= settled_by_ms)
            for _, branch_id in old[:limit]:
                if self._forget(branch_id):
                    removed += 1
                else:
                    state.retired[branch_id] = now_ms
            return removed

    def _forget(self, branch_id: str) -> bool:
        """False, and nothing forgotten, while a fill has not ended."""
        state = self._state
        chains = state.branch_chains[branch_id]
        fills = [fill_id for chain_id in chains for fill_id in state.chains[chain_id].fill_ids]
        if any(map(state.lives, fills)):
            return False
        for store, ids in (
            (state.fills, fills),
            (state.chains, chains),
            *((store, [branch_id]) for store in (state.branches, state.branch_chains, state.retired)),
        ):
            for known in list(ids):
                del store[known]
        return True
