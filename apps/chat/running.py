"""The turns that this process runs, and stopping them here or wherever else they run."""

import asyncio
import logging
import time
from dataclasses import dataclass, field

from channels.db import database_sync_to_async

from apps.chat import lifecycle, ports, turns
from apps.chat.lifecycle import Run
from apps.runtime.program import Finished

log = logging.getLogger(__name__)

STOP_WAIT_S = 5.0  # how long a command that interrupts waits for the running turn's end
POLL_S = 0.05


@dataclass(eq=False)
class _Running:
    """whole: the run with its end; walk: the stages, whose cancelling is the stop"""

    whole: asyncio.Task[None]
    walk: "asyncio.Future[asyncio.Task[Finished]]" = field(repr=False)


_running: dict[str, _Running] = {}


def start(run: Run) -> asyncio.Task[None]:
    """Run a turn that this process holds the lease of. Kept until its end, whoever asked for it is gone or not."""
    walk: asyncio.Future[asyncio.Task[Finished]] = asyncio.get_running_loop().create_future()
    whole = asyncio.create_task(_guarded(run, walk), name=f"turn {run.turn}")
    _running[run.turn] = _Running(whole, walk)
    whole.add_done_callback(lambda task: _forget(run.turn, task))
    return whole


def _forget(turn_id: str, task: asyncio.Task[None]) -> None:
    held = _running.get(turn_id)
    if held is not None and held.whole is task:
        del _running[turn_id]


async def _guarded(run: Run, walk: "asyncio.Future[asyncio.Task[Finished]]") -> None:
    """The outermost frame of a turn: what escapes here leaves the lease to expire, and a successor tries again."""
    try:
        await turns.run_turn(run, walk)
    except Exception:
        log.exception("turn %s was lost; it runs again when its lease ends", run.turn)


def stop_here(turn_id: str) -> bool:
    """Stop the turn if this process runs it; its text so far is kept."""
    held = _running.get(turn_id)
    if held is None:
        return False
    if held.walk.done():
        held.walk.result().cancel()
    else:
        held.walk.add_done_callback(lambda future: future.cancelled() or future.result().cancel())
    return True


async def stop(conversation_id: str, turn_id: str) -> bool:
    """Ask for the end of a running turn, wherever it runs. False when it was not running."""
    if not await database_sync_to_async(lifecycle.ask_stop)(conversation_id, turn_id):
        return False
    if not stop_here(turn_id):
        await ports.current().publisher().signal(conversation_id, {"stop": turn_id})
    return True


async def stop_and_wait(conversation_id: str, turn_id: str) -> bool:
    """Stop a turn and wait, bounded, until its end is stored. True when it has ended."""
    await stop(conversation_id, turn_id)
    deadline = time.monotonic() + STOP_WAIT_S
    while time.monotonic() < deadline:
        if not await database_sync_to_async(lifecycle.is_running)(turn_id):
            return True
        await asyncio.sleep(POLL_S)
    return False


async def idle() -> None:
    """Wait for every turn that this process runs."""
    while _running:
        await asyncio.wait({held.whole for held in _running.values()})
