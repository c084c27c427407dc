"""Takes over turns whose web process died: one task per process looks for leases that ran out."""

import asyncio
import logging

from channels.db import database_sync_to_async

from apps.chat import lifecycle, running

log = logging.getLogger(__name__)

LOOK_S = 2.0
AT_ONCE = 8  # turns taken per look; other processes take the rest

_looking: dict[asyncio.AbstractEventLoop, asyncio.Task[None]] = {}


def ensure_started() -> None:
    """Start looking on this event loop; a repeat does nothing."""
    loop = asyncio.get_running_loop()
    for old in [known for known in _looking if known.is_closed()]:
        del _looking[old]
    task = _looking.get(loop)
    if task is None or task.done():
        _looking[loop] = loop.create_task(_look_forever(), name="recovery")


async def stop() -> None:
    task = _looking.pop(asyncio.get_running_loop(), None)
    while task is not None and not task.done():
        task.cancel()  # again, since a database call that just ended swallows it
        await asyncio.wait({task}, timeout=0.2)


async def _look_forever() -> None:
    """The outermost loop: a database that is away now is back at a later look."""
    while True:
        try:
            await recover()
        except Exception:
            log.exception("looking for abandoned turns failed")
        await asyncio.sleep(LOOK_S)


async def recover() -> list[str]:
    """Take abandoned turns and run them again from the start, under the next epoch. Their ids."""
    taken = []
    for turn_id in await database_sync_to_async(lifecycle.expired)(AT_ONCE):
        run = await database_sync_to_async(lifecycle.take)(turn_id)
        if run is not None:
            log.warning("turn %s was abandoned: running it again, epoch %d", turn_id, run.epoch)
            running.start(run)
            taken.append(turn_id)
    return taken
