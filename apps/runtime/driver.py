"""Serves demands: runs stages, waits, opens and resolves branches. Only here and in `performer` is awaited. §3.3"""

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.engines.base import Engine, Lane
from apps.runtime.clock import now_ms
from apps.runtime.naming import allowed_mode, name_of
from apps.runtime.performer import Performer
from apps.runtime.program import Emit, Program, StageTools
from apps.runtime.runs import Runs
from apps.runtime.scope import Scope
from apps.runtime.served import WHY, How, NotCached, Served
from apps.runtime.waiting import Waiting
from apps.serving.announcements import moved
from apps.serving.branch.candidates import proposal
from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchRecord
from apps.serving.config import Mode
from apps.serving.demand import Demand, Terms
from apps.serving.effects import Announce
from apps.serving.names import Json, ReuseName
from apps.serving.outcomes import Hit, Miss, MissReason, Pending, Promoted, Result
from apps.serving.workflow import Lookup, StageCall, Window
from apps.stores.client import StoreError

log = logging.getLogger(__name__)

__all__ = ["Driver", "How", "NotCached", "Served"]


@dataclass(eq=False)
class Driver(Performer):
    """One per process, on one event loop."""

    engine: Engine
    programs: Mapping[str, Program]
    speculation: bool
    reuse: bool
    _runs: Runs = field(default_factory=Runs)
    _bookkeeping: set[asyncio.Task[None]] = field(default_factory=set)

    # -- demands ----------------------------------------------------------------------------------

    async def serve(self, call: StageCall, scope: Scope, emit: Emit, lookup: Lookup | None = None) -> Served:
        """Answer one canonical demand. Raises EngineError when it had to run and the engine failed.

        lookup  what the caller allows, None for what the stage says; NotCached where it forbids to run what is not kept
        Shared state that cannot be reached makes a miss, never a failure.
        """
        started = time.perf_counter()
        terms = Terms(self.mode(scope), lookup or call.stage.lookup)
        # Off means off: without reuse and speculation nothing is asked of anyone but the engine.
        name = None if terms.mode is Mode.FLOOR else await self.name(call, scope)
        demand = None if name is None else self._demand(name, terms, call, scope)
        answer, how = await self._answer(demand, terms), How.PROMOTED
        if isinstance(answer, Pending) and demand is not None:
            answer, how = await self._wait(answer, demand, scope), How.WAITED
        if isinstance(answer, (Hit, Promoted)):
            how = How.HIT if isinstance(answer, Hit) else how
            await self._show(call, scope, answer.result, emit)
            served = Served(answer.result, how, WHY[how], _ms_since(started), answer.result.engine_ms)
            if isinstance(answer, Promoted):
                self._afterwards(self._announce_promotion(answer, served.saved_ms))
        elif terms.runs:
            result = await self._execute(call, scope, emit, demand)
            served = Served(result, How.EXECUTED, answer.reason.value, _ms_since(started), 0.0)
        else:
            raise NotCached(call.stage.name, answer.reason)
        self._runs.done(scope.turn, call, name, served.result)
        self._announce_served(call, scope, served)
        return served

    def _demand(self, name: ReuseName, terms: Terms, call: StageCall, scope: Scope) -> Demand:
        workflow = self._program(scope).workflow
        expected = self._runs.chain_of(scope.conversation, scope.turn)
        return Demand(name, f"{workflow.name}/{workflow.version}", call.stage.name, terms, expected)

    async def _answer(self, demand: Demand | None, terms: Terms) -> Hit | Promoted | Pending | Miss:
        if terms.mode is Mode.FLOOR:
            return Miss(MissReason.BYPASS)
        if demand is None:
            return Miss(MissReason.UNAVAILABLE)
        try:
            return await self.run(self.layer.on_demand, demand, now_ms())
        except StoreError:
            log.warning("demand runs without reuse: the shared state is away", exc_info=True)
            return Miss(MissReason.UNAVAILABLE)

    async def _wait(self, pending: Pending, demand: Demand, scope: Scope) -> Promoted | Miss:
        waiting = Waiting(self.layer, self.run, self.perform, pending, scope.conversation)
        try:
            return await waiting.answer(demand)
        except asyncio.CancelledError:  # stopped: so is what was being done for it
            self._afterwards(waiting.give_up("the demand was stopped"))
            raise

    async def _execute(self, call: StageCall, scope: Scope, emit: Emit, demand: Demand | None) -> Result:
        request_id = self.layer.new_id()
        lineage = self._runs.lineage(scope.turn)
        tools = StageTools(self.engine, Lane.CANONICAL, request_id, emit, scope)
        result = lineage.completed(call, await self._program(scope).execute(call, tools))
        if demand is None or not (call.stage.speculable and demand.terms.keeps):
            return result
        if not lineage.knows(call):
            log.warning("result of %s not kept: this run did not do all of %s", call.stage.name, call.uses)
            return result
        try:
            await self.run(self.layer.on_executed, demand, result, f"canonical:{request_id}", now_ms())
        except StoreError:
            log.warning("result not kept: the shared state is away")
        return result

    async def _show(self, call: StageCall, scope: Scope, result: Result, emit: Emit) -> None:
        text = self._program(scope).shown(call, result.output)
        if text:
            await emit(text)

    async def _announce_promotion(self, promoted: Promoted, saved_ms: float) -> None:
        shadows = self.layer.stores.shadows
        try:
            fill = await self.run(shadows.fill, promoted.fill_id)
            chain = await self.run(shadows.chain, fill.chain_id) if fill else None
            if fill is not None and chain is not None:
                await self.perform(
                    [moved(chain, fill, FillState.PROMOTED, "demanded, and fresh", saved_ms=round(saved_ms, 1))]
                )
            await self.perform(await self.run(self.layer.settle, promoted.branch_id, now_ms()))
        except StoreError:
            log.warning("promotion of fill %s not announced: the shared state is away", promoted.fill_id)

    def _afterwards(self, work: Coroutine[Any, Any, None]) -> None:
        """Bookkeeping that a demand must not wait for; the set keeps the task alive."""
        task = asyncio.create_task(work)
        self._bookkeeping.add(task)
        task.add_done_callback(self._bookkeeping.discard)

    async def aclose(self) -> None:
        """Finish the bookkeeping, publish what is queued, and close the engine's connections."""
        await asyncio.gather(*self._bookkeeping)
        await self.publisher.aclose()
        await self.engine.aclose()

    # -- decision points --------------------------------------------------------------------------

    async def serve_decision(
        self,
        call: StageCall,
        turn: Mapping[str, Json],
        outputs: Mapping[str, Json],
        scope: Scope,
        emit: Emit,
        lookup: Lookup | None = None,
    ) -> Served:
        """Answer a stage whose own output selects what runs next, filling its candidates meanwhile.

        The demand does not wait for its branch to open; what follows waits for its selection.
        """
        terms = Terms(self.mode(scope), lookup or call.stage.lookup)
        if not (terms.mode.speculates and terms.runs):
            return await self.serve(call, scope, emit, lookup)
        opening = asyncio.create_task(self.open_branch(call.stage.name, turn, outputs, scope))
        choice: str | None = None
        try:
            served = await self.serve(call, scope, emit, lookup)
            choice = self._program(scope).choice(call.stage.name, served.result.output)
        finally:
            await asyncio.shield(self._resolve_opened(opening, choice))
        return served

    async def _resolve_opened(self, opening: "asyncio.Task[str]", choice: str | None) -> None:
        await self.resolve(await opening, choice)

    async def open_branch(self, stage: str, turn: Mapping[str, Json], outputs: Mapping[str, Json], scope: Scope) -> str:
        """Open the branch at `stage`, admit, and start what was admitted. Its id; "" when nothing was opened."""
        if not self.mode(scope).speculates:
            return ""
        program = self._program(scope)
        point = program.workflow.decision_point(stage)
        config = self.layer.config
        window_ms = config.user_window_ms if point.window is Window.USER else config.decode_window_ms
        proposals = [
            proposal(program.workflow, c.choice, c.rank, c.label, c.turn, c.stages)
            for c in program.candidates(stage, turn, outputs)
        ]
        opened = now_ms()
        branch = BranchRecord(
            self.layer.new_id(),
            program.workflow.coordinate(stage),
            point.semantics,
            scope.as_json(),
            opened,
            opened + window_ms,
        )
        try:
            await self.perform(await self.run(self.layer.on_branch_opened, branch, proposals, None, opened))
        except StoreError:
            log.warning("branch not opened: the shared state is away", exc_info=True)
            return ""
        return branch.branch_id

    async def resolve(self, branch_id: str, choice: str | None) -> bool:
        """The selection; a repeat does nothing. The fills that lost are aborted at once.

        False when the shared state was away; the branch then ends with its window.
        """
        if not branch_id:
            return True
        try:
            picked, effects = await self.run(self.layer.on_resolved, branch_id, choice, now_ms())
        except StoreError:
            log.warning("branch %s not resolved: the shared state is away", branch_id)
            return False
        for effect in effects:
            if isinstance(effect, Announce) and effect.kind == "branch.resolved":
                self._runs.picked(str(effect.scope["conversation"]), picked)
        await self.perform(effects)
        return True

    async def close_branch(self, branch_id: str) -> bool:
        """Nobody is looking any more: unfinished fills end, completed shadows wait for a return."""
        return await self.resolve(branch_id, None)

    # -- names ------------------------------------------------------------------------------------

    def mode(self, scope: Scope) -> Mode:
        return allowed_mode(scope.mode, self.speculation, self.reuse)

    async def name(self, call: StageCall, scope: Scope) -> ReuseName | None:
        return await name_of(call, scope, self.mode(scope), self._program(scope).workflow, self.engine)

    def _program(self, scope: Scope) -> Program:
        return self.programs[scope.workflow]

    def _announce_served(self, call: StageCall, scope: Scope, served: Served) -> None:
        data: dict[str, Json] = {
            "turn": scope.turn,
            "stage": call.stage.name,
            "how": served.how.value,
            "answered": served.answered.value,
            "reason": served.reason,
            "ms": round(served.ms, 1),
            "saved_ms": round(served.saved_ms, 1),
            "notes": dict(served.result.notes),
        }
        self.publisher.post(scope.conversation, "stage.served", data)


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
