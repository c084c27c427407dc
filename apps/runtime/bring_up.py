"""Starts the parts in order and says when each can be used."""

import asyncio
from collections.abc import Awaitable, Callable

from apps.runtime import parts, readiness
from apps.runtime.manager import Manager
from apps.runtime.parts import Launch

REDIS_TIMEOUT_S = 20.0
PART_TIMEOUT_S = 90.0


def bring_up(launch: Launch) -> Callable[[Manager], Awaitable[bool]]:
    """Redis first, since every other part opens with it; then all others at once.

    Gives up when Redis or the web does not come: nothing can be used then. Without engine or workers the product
    answers (and says what is missing), so their absence is only reported.
    """
    asks = readiness.questions(launch)

    async def until_ready(manager: Manager, name: str, timeout_s: float) -> bool:
        took_s = await readiness.wait_until(asks[name], timeout_s)
        if took_s is not None:
            manager.say(f"{name} ready after {took_s:.1f} s")
            return True
        manager.say(f"{name} is not ready after {timeout_s:.0f} s; the end of {manager.home.log(name)}:")
        manager.say(manager.home.tail(name) or "(nothing written)")
        return False

    async def run(manager: Manager) -> bool:
        if launch.redis:
            await manager.start_part(parts.REDIS)
        if not await until_ready(manager, parts.REDIS, REDIS_TIMEOUT_S):
            return False
        others = [part.name for part in manager.plan.parts if part.name != parts.REDIS]
        for name in others:
            manager.say(f"starting {name}")
            await manager.start_part(name)
        asked = [name for name in others if name in asks]
        ready = await asyncio.gather(*(until_ready(manager, name, PART_TIMEOUT_S) for name in asked))
        if not dict(zip(asked, ready, strict=True))[parts.WEB]:
            return False
        manager.record = manager.home.mark_ready(manager.record)
        _say_where(manager, launch)
        return True

    return run


def _say_where(manager: Manager, launch: Launch) -> None:
    engine = "embedded" if launch.engine_port else launch.engine_url
    store = "embedded, on loopback" if launch.redis else "from REDIS_URL"
    manager.say(f"engine: {engine}; Redis: {store}; logs: {manager.home.logs}")
    manager.say("")
    manager.say(f"  chat     {launch.address}/")
    manager.say(f"  race     {launch.address}/race/")
    manager.say(f"  console  {launch.address}/console/")
    manager.say("")
    manager.say("Ctrl-C stops everything.")
