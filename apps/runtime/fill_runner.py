"""Runs admitted chains in a worker process: walks the program on the predicted turn, stage by stage. §3.3"""

import asyncio
import contextlib
import logging
import time
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field

from apps.engines.base import EngineError, Lane
from apps.runtime.clock import now_ms
from apps.runtime.driver import Driver
from apps.runtime.engine_turns import EngineTurns
from apps.runtime.lineage import Lineage
from apps.runtime.program import Program, StageTools
from apps.runtime.scope import Scope
from apps.serving.announcements import moved
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.demand import Terms
from apps.serving.names import Json, ReuseName
from apps.serving.outcomes import Hit, Result
from apps.serving.ports import ChainRecord, FillRecord
from apps.serving.workflow import StageCall, StageKind
from apps.stores.client import StoreError

log = logging.getLogger(__name__)

WATCH_S = 0.25  # covers an abort message that was lost
RETRY_S = 0.5  # how soon a chain's end is told again to shared state that was away


@dataclass(frozen=True, slots=True)
class _Ending:
    event: FillEvent
    reason: str


@dataclass(eq=False)
class _Walk:
    """One chain under way: what its stages have returned so far, and what that was made from."""

    chain: ChainRecord
    fills: dict[int, FillRecord]
    scope: Scope
    program: Program
    outputs: dict[str, Json] = field(default_factory=dict)
    lineage: Lineage = field(default_factory=Lineage)

    def take(self, call: StageCall, name: ReuseName, result: Result) -> None:
        self.outputs[call.stage.name] = result.output
        self.lineage = self.lineage.after(call, name, result)


class _Ended(Exception):
    """Leaves a walk early, saying how the rest of its chain ends."""

    def __init__(self, event: FillEvent, reason: str) -> None:
        self.ending = _Ending(event, reason)
        super().__init__(reason)


class _TakenByAnother(Exception):
    """A second delivery of the same chain is at work on it, and ends it."""


@dataclass(eq=False)
class FillRunner:
    """owner      this process, in heartbeats and on running fills; a new one for every start
    engine_fills  most model stages that this process has on the engine at once; 0 for no limit of its own
    """

    driver: Driver
    owner: str
    engine_fills: int = 0
    _turns: EngineTurns | None = None
    _running: dict[str, "asyncio.Task[Result]"] = field(default_factory=dict)

    async def run_chain(self, chain_id: str) -> None:
        """Run one chain to its end. A second delivery finds the fills no longer RESERVED, and does nothing."""
        layer, run = self.driver.layer, self.driver.run
        chain = await run(layer.stores.shadows.chain, chain_id)
        if chain is None:
            return
        renewal = asyncio.create_task(self._renew(chain))
        ending = _Ending(FillEvent.FAIL, "the worker failed")
        try:
            ending = await self._walk(chain)
        except Exception:
            log.exception("chain %s", chain_id)
        finally:
            renewal.cancel()
            if ending is not None:
                await self._end(chain, ending)

    async def _end(self, chain: ChainRecord, ending: _Ending) -> None:
        """Told until it is heard: the reaper ends only the fills of dead owners, and this one lives."""
        while True:
            try:
                effects = await self.driver.run(
                    self.driver.layer.end_chain, chain, ending.event, ending.reason, now_ms()
                )
                return await self.driver.perform(effects)
            except StoreError:
                log.warning("chain %s: its end is told again in %s s", chain.chain_id, RETRY_S)
                await asyncio.sleep(RETRY_S)

    def abort(self, fill_id: str) -> None:
        """Cancel a fill that runs here; cancelling closes its engine stream. Called on the runner's loop."""
        task = self._running.get(fill_id)
        if task is not None:
            task.cancel()

    async def _walk(self, chain: ChainRecord) -> _Ending | None:
        """How what is left of the chain ends; None when another delivery of it is at work."""
        stores = self.driver.layer.stores
        if now_ms() >= chain.expires_at_ms:
            return _Ending(FillEvent.EXPIRE, "its window had closed")
        scope = Scope.from_json(chain.scope)
        fills = {f.position: f for f in await self.driver.run(stores.shadows.chain_fills, chain.chain_id)}
        if any(fill.state is not FillState.RESERVED for fill in fills.values()):
            return None
        if not await self._holds(chain):
            return _Ending(FillEvent.EXPIRE, "its reservation had ended in the queue, and others hold the pool")
        walk = _Walk(chain, fills, scope, self.driver.programs[scope.workflow])
        try:
            for position in range(len(chain.fill_ids)):
                await self._step(walk, fills[position])
        except _TakenByAnother:
            return None
        except _Ended as ended:
            return ended.ending
        return _Ending(FillEvent.EXPIRE, "the chain is complete")

    async def _holds(self, chain: ChainRecord) -> bool:
        """Its own reservation still, or the same amounts taken anew when it had waited past its lease."""
        config, until_ms = self.driver.layer.config, now_ms() + self.driver.layer.config.reservation_lease_ms
        reserve = self.driver.layer.stores.reservations.reserve
        amounts = (chain.slots, chain.kv_tokens, config.fill_slots, config.fill_kv_tokens)
        return bool(await self.driver.run(reserve, chain.reservation_id, *amounts, until_ms, now_ms()))

    async def _step(self, walk: _Walk, fill: FillRecord) -> None:
        call = walk.program.next_call(walk.chain.turn, walk.outputs)
        if call is None or call.stage.name != fill.stage or not (call.stage.speculable and walk.lineage.knows(call)):
            raise _Ended(FillEvent.FAIL, "the run takes another path than was predicted")
        terms = Terms(self.driver.mode(walk.scope), call.stage.lookup)
        if not terms.promotes:
            raise _Ended(FillEvent.FAIL, "its stage is not to be served by what ran before")
        name = await self.driver.name(call, walk.scope)
        if name is None:
            raise _Ended(FillEvent.FAIL, "the engine is away")
        held = await self._held(name, terms)
        if held is not None:
            await self._leave(walk.chain, fill, FillEvent.LOSE, FillState.DISCARDED, "already held")
            walk.take(call, name, held)
            return
        async with self._engine_turn(walk.chain, call):
            await self._check_fresh(walk, call)
            walk.take(call, name, await self._fill(walk, fill, call, name))

    async def _check_fresh(self, walk: _Walk, call: StageCall) -> None:
        """A write ends what runs and what is complete; a chain between two stages has to look for itself."""
        inherited = walk.lineage.inherited(call)
        if inherited and await self.driver.run(self.driver.layer.stores.records.fresh, inherited) is not None:
            raise _Ended(FillEvent.FAIL, "a record it rests on was written")

    def _engine_turn(self, chain: ChainRecord, call: StageCall) -> AbstractAsyncContextManager[None]:
        """Until its turn a fill stays RESERVED."""
        if call.stage.kind is not StageKind.MODEL or self.engine_fills < 1:
            return nullcontext()
        if self._turns is None:
            self._turns = EngineTurns(self.engine_fills)
        return self._turns.turn(chain)

    async def _held(self, name: ReuseName, terms: Terms) -> Result | None:
        """The result of an entry or a shadow of this name: filling it again would be waste."""
        stores = self.driver.layer.stores
        if terms.probes:
            entry = await self.driver.run(stores.library.probe, name, now_ms(), terms.lookup.max_age_ms)
            if isinstance(entry, Hit):
                return entry.result
        other = await self.driver.run(stores.shadows.find, name, now_ms())
        return other.result if other is not None and other.state is FillState.SHADOW else None

    async def _fill(self, walk: _Walk, fill: FillRecord, call: StageCall, name: ReuseName) -> Result:
        driver, shadows = self.driver, self.driver.layer.stores.shadows
        upstream = walk.lineage.upstream(call)
        if await driver.run(shadows.start, fill.fill_id, name, self.owner, now_ms(), upstream) is not None:
            now = await driver.run(shadows.fill, fill.fill_id)
            if now is not None and now.state in (FillState.RUNNING, FillState.SHADOW, FillState.PROMOTED):
                raise _TakenByAnother
            raise _Ended(FillEvent.LOSE, "its branch was decided")
        await driver.perform([moved(walk.chain, fill, FillState.RUNNING, "")])
        started = time.perf_counter()
        result = walk.lineage.completed(call, await self._executed(walk, fill, call))
        expires = now_ms() + driver.layer.config.shadow_ttl_ms
        refused = await driver.run(shadows.complete, fill.fill_id, result, now_ms(), expires)
        state = FillState.SHADOW if refused is None else FillState.STALE
        facts = {"ms": round((time.perf_counter() - started) * 1000, 1), "engine_ms": round(result.engine_ms, 1)}
        reason = "" if refused is None else f"not kept: {refused.reason.value}"
        if refused is None or refused.reason.value != "state":
            await driver.perform([moved(walk.chain, fill, state, reason, notes=dict(result.notes), **facts)])
        if refused is not None:
            raise _Ended(FillEvent.FAIL, reason)
        return result

    async def _executed(self, walk: _Walk, fill: FillRecord, call: StageCall) -> Result:
        """Run the stage as a task of its own, so that an abort ends it and nothing else."""
        tools = StageTools(self.driver.engine, Lane.FILL, fill.request_id, _show_nothing, walk.scope)
        task = asyncio.create_task(walk.program.execute(call, tools))
        self._running[fill.fill_id] = task
        watch = asyncio.create_task(self._watch(fill.fill_id, task))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.cancelled():
                task.cancel()
                raise
            raise _Ended(FillEvent.LOSE, "aborted") from None
        except EngineError as exc:
            reason = f"engine: {exc.reason}"
            await self._leave(walk.chain, fill, FillEvent.FAIL, FillState.FAILED, reason)
            raise _Ended(FillEvent.FAIL, "its upstream stage failed") from exc
        finally:
            watch.cancel()
            self._running.pop(fill.fill_id, None)

    async def _watch(self, fill_id: str, task: "asyncio.Task[Result]") -> None:
        while True:
            await asyncio.sleep(WATCH_S)
            try:
                fill = await self.driver.run(self.driver.layer.stores.shadows.fill, fill_id)
            except StoreError:
                continue  # a fill whose state cannot be seen goes on
            if fill is None or fill.state is not FillState.RUNNING:
                task.cancel()
                return

    async def _leave(
        self, chain: ChainRecord, fill: FillRecord, event: FillEvent, state: FillState, reason: str
    ) -> None:
        left = await self.driver.run(self.driver.layer.stores.shadows.leave, fill.fill_id, event, now_ms())
        if left is not None:
            await self.driver.perform([moved(chain, fill, state, reason)])

    async def _renew(self, chain: ChainRecord) -> None:
        """Keep the reservation while the chain runs; when this process dies it ends by its lease."""
        lease_ms = self.driver.layer.config.reservation_lease_ms
        while True:
            with contextlib.suppress(StoreError):  # the next is due before the lease ends
                until = now_ms() + lease_ms
                await self.driver.run(self.driver.layer.stores.reservations.renew, chain.reservation_id, until)
            await asyncio.sleep(lease_ms / 3000)


async def _show_nothing(text: str) -> None:
    """A fill is invisible until it is promoted."""
