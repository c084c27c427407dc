"""Chains, fills and shadows in memory."""

from collections.abc import Sequence
from dataclasses import replace

from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchState
from apps.serving.library.graph import Kind, Node
from apps.serving.names import ReuseName
from apps.serving.outcomes import Miss, MissReason, Promoted, Result
from apps.serving.ports import ChainRecord, FillCounts, FillRecord
from apps.stores.memory.entries import Entry
from apps.stores.memory.state import State
from apps.stores.verdicts import leaving_moves


class MemoryShadows:
    """`serving.ports.Shadows`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def create_chain(self, chain: ChainRecord, fills: Sequence[FillRecord], now_ms: int) -> Miss | None:
        state = self._state
        with state.lock:
            branch = state.branches.get(chain.branch_id)
            if branch is None:
                return Miss(MissReason.ABSENT)
            if branch.state is not BranchState.OPEN or chain.chain_id in state.chains:
                return Miss(MissReason.STATE)
            state.chains[chain.chain_id] = chain
            state.fills.update({fill.fill_id: fill for fill in fills})
            state.branch_chains[chain.branch_id].append(chain.chain_id)
            return None

    def chain(self, chain_id: str) -> ChainRecord | None:
        with self._state.lock:
            return self._state.chains.get(chain_id)

    def fill(self, fill_id: str) -> FillRecord | None:
        with self._state.lock:
            return self._state.fills.get(fill_id)

    def chain_fills(self, chain_id: str) -> tuple[FillRecord, ...]:
        with self._state.lock:
            chain = self._state.chains.get(chain_id)
            fills = [self._state.fills[i] for i in chain.fill_ids] if chain else []
            return tuple(sorted(fills, key=lambda fill: fill.position))

    def _refused(self, fill_id: str, state: FillState) -> Miss | None:
        fill = self._state.fills.get(fill_id)
        if fill is None:
            return Miss(MissReason.ABSENT)
        return None if fill.state is state else Miss(MissReason.STATE)

    def start(
        self, fill_id: str, name: ReuseName, owner: str, now_ms: int, upstream: Sequence[ReuseName] = ()
    ) -> Miss | None:
        state = self._state
        with state.lock:
            refused = self._refused(fill_id, FillState.RESERVED)
            if refused is None:
                state.set_fill(fill_id, FillEvent.START, name=name)
                edges = state.graph.provenance(name, upstream)
                state.graph.put(Node(Kind.RUNNING, fill_id, name, provenances=(edges,)))
                state.owned_by[fill_id] = owner
                alive_until_ms = now_ms + state.config.owner_lease_ms
                state.owners[owner] = max(alive_until_ms, state.owners.get(owner, 0))
            return refused

    def complete(self, fill_id: str, result: Result, now_ms: int, expires_at_ms: int) -> Miss | None:
        state = self._state
        with state.lock:
            refused = self._refused(fill_id, FillState.RUNNING)
            if refused is not None:
                return refused
            name = state.fills[fill_id].name
            assert name is not None  # a running fill is named
            refused = state.keepable(name, result)
            state.fills[fill_id] = replace(state.fills[fill_id], result=result)
            if refused is not None:
                state.end_fill(fill_id, FillEvent.WRITE)
                return refused
            state.set_fill(fill_id, FillEvent.COMPLETE)
            state.owned_by.pop(fill_id)
            state.expiry[fill_id] = expires_at_ms
            state.graph.put(state.graph.made(Kind.SHADOW, fill_id, name, result))
            self._make_room()
            return None

    def _make_room(self) -> None:
        state = self._state
        while len(state.expiry) > state.config.shadow_entries:
            first = min(state.expiry, key=lambda fill_id: (state.expiry[fill_id], fill_id.encode()))
            state.end_fill(first, FillEvent.EXPIRE)
            state.displaced.append(first)

    def leave(self, fill_id: str, event: FillEvent, now_ms: int) -> FillState | None:
        leaving = dict(leaving_moves(event))
        with self._state.lock:
            fill = self._state.fills.get(fill_id)
            if fill is None or fill.state not in leaving:
                return None
            self._state.end_fill(fill_id, event)
            return fill.state

    def find(self, name: ReuseName, now_ms: int) -> FillRecord | None:
        state = self._state
        with state.lock:
            named = sorted((f for f in state.fills.values() if f.name == name), key=lambda f: f.fill_id)
            shadows = [f for f in named if state.expiry.get(f.fill_id, now_ms) > now_ms]
            if shadows:
                return max(shadows, key=lambda f: state.expiry[f.fill_id])
            return next((f for f in named if f.state is FillState.RUNNING), None)

    def promote(self, fill_id: str, name: ReuseName, keep_entry: bool, now_ms: int) -> Promoted | Miss:
        state = self._state
        with state.lock:
            refused = self._refused(fill_id, FillState.SHADOW)
            if refused is not None:
                return refused
            fill = state.fills[fill_id]
            if fill.name != name:
                return Miss(MissReason.NAME)
            if state.expiry[fill_id] <= now_ms:
                return Miss(MissReason.STATE)
            node = state.graph.nodes[f"f|{fill_id}"]
            refused = state.servable(node)
            if refused is not None:
                return refused
            assert fill.result is not None  # a shadow is complete
            if keep_entry:
                # Before the shadow goes: so its name is held throughout, and no ghost is needed.
                state.entries.put(node, Entry(fill.result, fill_id, self._stage(fill), now_ms, now_ms))
            state.end_fill(fill_id, FillEvent.AUTHORIZE)
            state.count(name.namespace, "promotions")
            return Promoted(fill.result, fill_id, fill.branch_id)

    def _stage(self, fill: FillRecord) -> str:
        coordinate = self._state.branches[fill.branch_id].coordinate
        return f"{coordinate.workflow}/{coordinate.version}/{fill.stage}"

    def sweep(self, now_ms: int, limit: int) -> tuple[str, ...]:
        state = self._state
        with state.lock:
            by_age = sorted(state.expiry.items(), key=lambda item: (item[1], item[0]))
            old = tuple(fill_id for fill_id, expires_at_ms in by_age if expires_at_ms <= now_ms)[:limit]
            for fill_id in old:
                state.end_fill(fill_id, FillEvent.EXPIRE)
            displaced, state.displaced = tuple(state.displaced), []
            return (*displaced, *old)

    def beat(self, owner: str, until_ms: int) -> None:
        with self._state.lock:
            self._state.owners[owner] = until_ms

    def owned(self, owner: str) -> tuple[str, ...]:
        with self._state.lock:
            return tuple(fill_id for fill_id, by in self._state.owned_by.items() if by == owner)

    def orphans(self, now_ms: int, limit: int) -> tuple[str, ...]:
        state = self._state
        with state.lock:
            late = sorted(
                (state.chains[fill.chain_id].expires_at_ms, fill.fill_id)
                for fill in state.fills.values()
                if fill.state is FillState.RESERVED
            )
            left = [fill_id for expires_at_ms, fill_id in late if expires_at_ms <= now_ms]
            dead = sorted((until, owner) for owner, until in state.owners.items() if until <= now_ms)
            lost = [fill_id for _, owner in dead for fill_id in self.owned(owner)]
            return tuple([*left, *lost][:limit])

    def counts(self) -> FillCounts:
        with self._state.lock:
            states = [fill.state for fill in self._state.fills.values()]
            live = (FillState.RESERVED, FillState.RUNNING, FillState.SHADOW)
            return FillCounts(*(states.count(state) for state in live))
