"""The three hooks: a demand arrives, a branch opens, a branch resolves; and how fills end. §3.2, §3.3

Synchronous and pure but for its ports: time, ids and load are given, decisions and effects are returned.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from apps.serving.announcements import moved, opened
from apps.serving.branch.candidates import Proposal
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchRecord, BranchState
from apps.serving.branch.resolution import loses
from apps.serving.config import ServingConfig
from apps.serving.demand import Demand
from apps.serving.effects import AbortFill, Announce, Effect, StartChain
from apps.serving.gate.load import LoadView
from apps.serving.gate.policy import SLOTS_PER_CHAIN, FillDecision, Gate
from apps.serving.outcomes import Hit, Miss, MissReason, Pending, Promoted, Result
from apps.serving.ports import Branches, ChainRecord, FillRecord, Invalidated, Library, Records, Reservations, Shadows
from apps.serving.workflow import Semantics

LIVE = (FillState.RESERVED, FillState.RUNNING)


@dataclass(frozen=True, slots=True)
class Stores:
    """The ports, from one place: all Redis or all memory."""

    library: Library
    shadows: Shadows
    branches: Branches
    records: Records
    reservations: Reservations


@dataclass(frozen=True, slots=True)
class Layer:
    """new_id gives random, fixed-length, never repeated ids."""

    stores: Stores
    gate: Gate
    config: ServingConfig
    new_id: Callable[[], str]

    # -- a canonical demand -----------------------------------------------------------------------

    def on_demand(self, demand: Demand, now_ms: int) -> Hit | Promoted | Pending | Miss:
        """Answer a demand from the library or by promoting a shadow, or say why not.

        Never Pending where the demand's terms do not wait.
        """
        terms, found = demand.terms, Miss(MissReason.BYPASS)
        if terms.probes:
            probed = self.stores.library.probe(demand.name, now_ms, terms.lookup.max_age_ms)
            if isinstance(probed, Hit):
                return probed
            found = probed
        if not terms.promotes:
            return found
        fill = self.stores.shadows.find(demand.name, now_ms)
        if fill is not None and fill.state is not FillState.RUNNING:
            return self.stores.shadows.promote(fill.fill_id, demand.name, terms.keeps, now_ms)
        pending = self._awaited(demand) if fill is None else Pending(fill.fill_id, fill.branch_id)
        if pending is None:
            return _sooner(found, MissReason.ABSENT)
        return pending if terms.waits else Miss(MissReason.UNCONFIRMED)

    def on_executed(self, demand: Demand, result: Result, producer: str, now_ms: int) -> Miss | None:
        """Confirm a canonical result, in place of what is kept; BYPASS where its terms keep nothing."""
        if not demand.terms.keeps:
            return Miss(MissReason.BYPASS)
        return self.stores.library.record(demand.name, result, producer, demand.address, now_ms)

    def _awaited(self, demand: Demand) -> Pending | None:
        """The expected chain's fill of this stage, while it still waits for its upstream stage to end."""
        if demand.expected_chain is None:
            return None
        fills = self.stores.shadows.chain_fills(demand.expected_chain)
        if any(fill.state in (FillState.FAILED, FillState.STALE) for fill in fills):
            return None
        started = any(fill.state is not FillState.RESERVED for fill in fills)
        for fill in fills:
            if started and fill.stage == demand.stage and fill.state is FillState.RESERVED:
                return Pending(fill.fill_id, fill.branch_id)
        return None

    # -- a branch opens ---------------------------------------------------------------------------

    def on_branch_opened(
        self, branch: BranchRecord, proposals: Sequence[Proposal], pressure_frac: float | None, now_ms: int
    ) -> list[Effect]:
        """Both gates over the proposals (Algorithm 1): what was admitted is reserved and must be started."""
        if self.stores.branches.open(branch, now_ms) is not None:
            return []  # a repeat: the first call has done it
        slots, kv_tokens = self.stores.reservations.held(now_ms)
        load = LoadView(slots, self.config.fill_slots, kv_tokens, self.config.fill_kv_tokens, pressure_frac)
        generation = self.gate.generation(branch.coordinate, load)
        if generation.opens:
            admitted = list(self._admit(branch, proposals, load, now_ms))
        else:
            admitted = [(FillDecision(p, False, generation.reason), None) for p in proposals]
        starts = [StartChain(chain.chain_id, chain.expires_at_ms) for _, chain in admitted if chain is not None]
        return [opened(branch, admitted), *starts]

    def _admit(
        self, branch: BranchRecord, proposals: Sequence[Proposal], load: LoadView, now_ms: int
    ) -> Iterator[tuple[FillDecision, ChainRecord | None]]:
        left = list(proposals)
        while left:
            decision = self.gate.fill(left, load)
            left.remove(decision.proposal)
            chain = self._reserve(branch, decision.proposal, now_ms) if decision.admits else None
            if decision.admits and chain is None:
                decision = FillDecision(decision.proposal, False, "another branch took the last slot or KV")
            yield decision, chain
            if chain is not None:
                load = load.project(chain.slots, chain.kv_tokens)

    def _reserve(self, branch: BranchRecord, candidate: Proposal, now_ms: int) -> ChainRecord | None:
        reservation_id = self.new_id()
        if not self.stores.reservations.reserve(
            reservation_id,
            SLOTS_PER_CHAIN,
            candidate.kv_tokens,
            self.config.fill_slots,
            self.config.fill_kv_tokens,
            now_ms + self.config.reservation_lease_ms,
            now_ms,
        ):
            return None
        chain, fills = self._chain(branch, candidate, reservation_id)
        if self.stores.shadows.create_chain(chain, fills, now_ms) is not None:
            self.stores.reservations.release(reservation_id)
            return None
        return chain

    def _chain(
        self, branch: BranchRecord, candidate: Proposal, reservation_id: str
    ) -> tuple[ChainRecord, list[FillRecord]]:
        chain_id = self.new_id()
        fills = [
            FillRecord(self.new_id(), chain_id, branch.branch_id, position, stage.name, self.new_id())
            for position, stage in enumerate(candidate.stages)
        ]
        chain = ChainRecord(
            chain_id=chain_id,
            branch_id=branch.branch_id,
            choice=candidate.choice,
            rank=candidate.rank,
            turn=dict(candidate.turn),
            scope=branch.scope,
            fill_ids=tuple(fill.fill_id for fill in fills),
            reservation_id=reservation_id,
            slots=SLOTS_PER_CHAIN,
            kv_tokens=candidate.kv_tokens,
            expires_at_ms=branch.expires_at_ms,
        )
        return chain, fills

    # -- a branch resolves ------------------------------------------------------------------------

    def on_resolved(self, branch_id: str, choice: str | None, now_ms: int) -> tuple[str | None, list[Effect]]:
        """Settle the selection; losers leave their state at once and are aborted. Costs O(K_b).

        Returns the picked chain that is under way, if any, and the effects. A repeat, or an unknown branch,
        returns nothing: the first selection stands.
        """
        branch = self.stores.branches.branch(branch_id)
        if branch is None:
            return None, []
        moved = self.stores.branches.move(branch_id, BranchState.OPEN, BranchState.RESOLVED, now_ms, choice=choice)
        if moved is not None:
            return None, []
        effects: list[Effect] = [Announce("branch.resolved", branch.scope, {"branch": branch_id, "choice": choice})]
        picked: str | None = None
        for chain_id in self.stores.branches.chains(branch_id):
            kept, dropped = self._select(branch.semantics, chain_id, choice, now_ms)
            effects += dropped
            if kept:
                picked = chain_id
        return picked, effects + self.settle(branch_id, now_ms)

    def _select(
        self, semantics: Semantics, chain_id: str, choice: str | None, now_ms: int
    ) -> tuple[bool, list[Effect]]:
        """Whether the chain answers the selection and is under way; and its losers' end. Repeatable."""
        chain = self.stores.shadows.chain(chain_id)
        if chain is None:
            return False, []
        fills = self.stores.shadows.chain_fills(chain_id)
        picked = choice is not None and chain.choice == choice
        running = any(fill.state is FillState.RUNNING for fill in fills)
        losers = [fill for fill in fills if loses(semantics, picked, running, fill.state)]
        effects = self.end_fills(chain, losers, FillEvent.LOSE, "not selected", now_ms)
        return picked and running, effects

    # -- fills end --------------------------------------------------------------------------------

    def end_fills(
        self, chain: ChainRecord, fills: Sequence[FillRecord], event: FillEvent, reason: str, now_ms: int
    ) -> list[Effect]:
        """Move fills out by `event`; running ones are aborted, and a chain with none left frees its hold."""
        effects: list[Effect] = []
        aborted = False
        for fill in fills:
            left = self.stores.shadows.leave(fill.fill_id, event, now_ms)
            if left is None:
                continue
            state = FillState(_ENTERED[event])
            effects.append(moved(chain, fill, state, reason))
            if left is FillState.RUNNING:
                aborted = True
                effects.append(AbortFill(fill.fill_id, fill.request_id))
        # A running fill's worker frees the hold once the engine has let go; its lease covers a dead one.
        if effects and not aborted and not self._live(chain.chain_id):
            self.stores.reservations.release(chain.reservation_id)
        return effects

    def _live(self, chain_id: str) -> bool:
        return any(fill.state in LIVE for fill in self.stores.shadows.chain_fills(chain_id))

    def end_chain(self, chain: ChainRecord, event: FillEvent, reason: str, now_ms: int) -> list[Effect]:
        """The worker has let go of a chain: what is unfinished ends, the hold is released. Safe to repeat."""
        unfinished = [f for f in self.stores.shadows.chain_fills(chain.chain_id) if f.state in LIVE]
        effects = self.end_fills(chain, unfinished, event, reason, now_ms)
        self.stores.reservations.release(chain.reservation_id)
        return effects + self.settle(chain.branch_id, now_ms)

    def settle(self, branch_id: str, now_ms: int) -> list[Effect]:
        """RESOLVED -> SETTLED once no fill can change any more, whoever notices first."""
        branch = self.stores.branches.branch(branch_id)
        if branch is None or branch.state is not BranchState.RESOLVED:
            return []
        for chain_id in self.stores.branches.chains(branch_id):
            if self._unsettled(chain_id):
                return []
        if self.stores.branches.move(branch_id, BranchState.RESOLVED, BranchState.SETTLED, now_ms) is not None:
            return []
        return [Announce("branch.settled", branch.scope, {"branch": branch_id})]

    def _unsettled(self, chain_id: str) -> bool:
        unsettled = (*LIVE, FillState.SHADOW)
        return any(fill.state in unsettled for fill in self.stores.shadows.chain_fills(chain_id))

    def settle_again(self, branch_id: str, now_ms: int) -> list[Effect]:
        """`settle`, and before it the rest of a selection whose process died, or lost the stores, half-way.

        The chain that was picked is left alone: it may be between two of its stages.
        """
        branch = self.stores.branches.branch(branch_id)
        if branch is None or branch.state is not BranchState.RESOLVED:
            return []
        effects: list[Effect] = []
        for chain_id in self.stores.branches.chains(branch_id):
            chain = self.stores.shadows.chain(chain_id) if self._unsettled(chain_id) else None
            if chain is not None and chain.choice != branch.choice:
                effects += self._select(branch.semantics, chain_id, branch.choice, now_ms)[1]
        return effects + self.settle(branch_id, now_ms)

    def on_invalidated(self, ended: Invalidated) -> list[Effect]:
        """After one step of a cascade: announce what is stale now, and abort what ran. Safe to repeat."""
        reason = "a record it rests on was written"
        running = list(self._fills_with_chains(ended.running))
        aborts: list[Effect] = [AbortFill(fill.fill_id, fill.request_id) for fill, _ in running]
        stale = [*running, *self._fills_with_chains(ended.shadows)]
        return aborts + [moved(chain, fill, FillState.STALE, reason) for fill, chain in stale]

    def on_expired(self, fill_ids: Sequence[str]) -> list[Effect]:
        """After a sweep: announce the shadows that no demand came for."""
        reason = "no demand came in time"
        return [moved(chain, fill, FillState.EXPIRED, reason) for fill, chain in self._fills_with_chains(fill_ids)]

    def _fills_with_chains(self, fill_ids: Sequence[str]) -> Iterator[tuple[FillRecord, ChainRecord]]:
        for fill_id in fill_ids:
            fill = self.stores.shadows.fill(fill_id)
            chain = self.stores.shadows.chain(fill.chain_id) if fill else None
            if fill is not None and chain is not None:
                yield fill, chain


_ENTERED = {
    FillEvent.LOSE: FillState.DISCARDED,
    FillEvent.FAIL: FillState.FAILED,
    FillEvent.EXPIRE: FillState.EXPIRED,
    FillEvent.WRITE: FillState.STALE,
}


def _sooner(found: Hit | Miss, otherwise: MissReason) -> Miss:
    """The library's reason where it says more than `absent`."""
    if isinstance(found, Miss) and found.reason not in (MissReason.BYPASS, MissReason.ABSENT):
        return found
    return Miss(otherwise)
