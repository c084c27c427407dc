"""Runs one turn: walks its program through the driver, shows what comes, and writes the end in one transaction."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from channels.db import database_sync_to_async

from apps.chat import lifecycle, ports, presence
from apps.chat.lifecycle import Ending, Run
from apps.chat.models import State
from apps.chat.outlet import Outlet
from apps.engines.base import EngineError
from apps.runtime.clock import now_ms
from apps.runtime.driver import Served
from apps.runtime.program import Finished
from apps.runtime.scope import Scope
from apps.runtime.writes import WriteRefused
from apps.serving.config import Mode
from apps.serving.names import Json
from apps.serving.workflow import StageCall, Window

log = logging.getLogger(__name__)

TENANT = "public"
ENGINE_ERRORS: Mapping[str, str] = {
    "unreachable": "The language model cannot be reached.",
    "refused": "The language model refused the request.",
    "timeout": "The language model did not answer in time.",
    "incomplete": "The language model's answer was cut off.",
    "aborted": "The language model dropped the request.",
}
ANY_ENGINE_ERROR = "The language model gave no complete answer."
STORE_ERROR = "A part of the service that this answer needs cannot be reached."
INTERNAL_ERROR = "Something went wrong while answering."
MOST_RUNS = 5  # a turn that brings its process down again and again ends here


class RunsUsedUp(Exception):
    """Every process that ran this turn died of it, or lost it."""


@dataclass(eq=False)
class Walk:
    """One run on its way. `outputs` and `stages` grow stage by stage, so a stop keeps what is there."""

    run: Run
    scope: Scope
    outlet: Outlet
    outputs: dict[str, Json] = field(default_factory=dict)
    stages: list[Json] = field(default_factory=list)
    saved_ms: float = 0.0

    def note(self, call: StageCall, served: Served) -> None:
        self.outputs[call.stage.name] = served.result.output
        self.saved_ms += served.saved_ms
        self.stages.append(
            {
                "stage": call.stage.name, "how": served.how.value, "answered": served.answered.value,
                "reason": served.reason, "ms": round(served.ms, 1), "saved_ms": round(served.saved_ms, 1),
                "notes": dict(served.result.notes),
            }
        )  # fmt: skip

    def timing(self) -> dict[str, Json]:
        since, first_ms = self.run.created_ms, self.outlet.first_ms
        return {
            "first_ms": None if first_ms is None else first_ms - since,
            "complete_ms": now_ms() - since,
            "saved_ms": round(self.saved_ms, 1),
            "stages": self.stages,
        }


async def run_turn(run: Run, walking: "asyncio.Future[asyncio.Task[Finished]] | None" = None) -> None:
    """Run to an end that is stored and shown, then open the new offer's branch.

    walking  gets the task whose cancelling stops the turn
    """
    walk = _walk_of(run)
    if run.epoch > 1:
        _post(run.conversation, "turn.restarted", {"turn": run.turn, "turn_epoch": run.epoch})
    task = asyncio.create_task(_stages(walk))
    if walking is not None and not walking.done():
        walking.set_result(task)
    keeper = asyncio.create_task(_keep_lease(run, task))
    try:
        await asyncio.wait({task})
    finally:
        keeper.cancel()
        task.cancel()  # only where this run itself is cancelled: the process ends, and a successor takes over
    ending = _ending(walk, task)
    await walk.outlet.complete(ending.reply)
    stored = await database_sync_to_async(lifecycle.finish)(run, ending)
    if stored is None:
        return
    _post(run.conversation, "turn.done", {"turn": stored.turn})
    if ending.state is not State.FAILED and stored.origin is not None:
        await _open_offer(walk, stored.origin)


def _walk_of(run: Run) -> Walk:
    scope = Scope(ports.WORKFLOW, TENANT, run.owner, run.conversation, run.turn, Mode(run.mode))
    return Walk(run, scope, Outlet(run.conversation, run.turn, run.epoch, now_ms))


async def _settle_earlier(run: Run) -> None:
    """The selection is made before its turn runs: the fills that lost stop competing for the engine."""
    driver = ports.current().driver()
    if run.left and run.left != run.branch:
        await driver.close_branch(run.left)
    if run.branch:
        await driver.resolve(run.branch, run.choice)


async def _stages(walk: Walk) -> Finished:
    """The program's stages, each answered by the driver. Cancelling it closes the engine's stream."""
    if walk.run.stop_asked:
        raise asyncio.CancelledError
    if walk.run.epoch > MOST_RUNS:
        raise RunsUsedUp(f"{MOST_RUNS} runs ended without an answer")
    await _settle_earlier(walk.run)
    driver, program = ports.current().driver(), ports.program()
    decisions = {p.stage for p in program.workflow.decision_points if p.window is Window.DECODE}
    turn = walk.run.input
    while (call := program.next_call(turn, walk.outputs)) is not None:
        if call.stage.name in decisions:
            served = await driver.serve_decision(call, turn, walk.outputs, walk.scope, walk.outlet.emit)
        else:
            served = await driver.serve(call, walk.scope, walk.outlet.emit)
        walk.note(call, served)
    return program.finish(turn, walk.outputs)


async def _keep_lease(run: Run, task: asyncio.Task[Finished]) -> None:
    """Renew until the end; stop the walk when that was asked for elsewhere, or the turn is another's."""
    while not task.done():
        await asyncio.sleep(lifecycle.RENEW_S)
        try:
            stop = await database_sync_to_async(lifecycle.renew)(run)
        except Exception:
            log.warning("turn %s: lease not renewed", run.turn, exc_info=True)
            continue
        if stop is not False:
            task.cancel()  # every time: a database call that just ended swallows it


def _ending(walk: Walk, task: asyncio.Task[Finished]) -> Ending:
    """A run that was cut short keeps its text so far, and offers the actions that the user had before."""
    if task.cancelled():
        return Ending(State.STOPPED, walk.outlet.text, walk.outputs, walk.timing())
    failure = task.exception()
    if failure is not None:
        error = _error(walk.run, failure)
        return Ending(State.FAILED, walk.outlet.text, walk.outputs, walk.timing(), error=error)
    finished = task.result()
    actions = tuple(finished.actions)
    return Ending(State.DONE, finished.reply, walk.outputs, walk.timing(), finished.context, actions)


def _error(run: Run, failure: BaseException) -> Mapping[str, Json]:
    if isinstance(failure, EngineError):
        log.warning("turn %s failed: %s", run.turn, failure)
        return {"code": failure.reason, "message": ENGINE_ERRORS.get(failure.reason, ANY_ENGINE_ERROR)}
    if isinstance(failure, (*ports.STORE_AWAY, WriteRefused)):
        log.warning("turn %s failed: %r", run.turn, failure)
        return {"code": "unavailable", "message": STORE_ERROR}
    log.error("turn %s failed", run.turn, exc_info=failure)
    return {"code": "internal", "message": INTERNAL_ERROR}


async def _open_offer(walk: Walk, origin: Mapping[str, Mapping[str, Json]]) -> None:
    """Open the branch of the turn's offer, unless every page has been closed for a while."""
    if not await presence.someone_looks(walk.run.conversation):
        return
    driver = ports.current().driver()
    branch = await driver.open_branch("offer", origin["turn"], origin["outputs"], walk.scope)
    if not branch:
        return
    settled = await database_sync_to_async(lifecycle.store_branch)(walk.run.turn, branch)
    if settled.answered:
        await driver.resolve(branch, settled.picked)


def _post(conversation: str, kind: str, data: Mapping[str, Json]) -> None:
    """In order, without waiting: the publisher repeats while Redis is away, and a new snapshot covers the rest."""
    ports.current().publisher().post(conversation, kind, data)
