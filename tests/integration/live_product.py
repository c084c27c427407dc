"""The whole product while it runs, seen from beside it: its shared state, and a conversation over its chat socket."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import redis

from apps.engines.scripted import ScriptedEngine
from apps.evaluation.conversation import Answer, Conversation
from apps.evaluation.site import ChatSite
from apps.runtime.clock import now_ms
from apps.runtime.stack import Stack
from apps.serving.branch.fill import FillState
from apps.serving.config import Mode
from apps.stores.branches import RedisBranches
from apps.stores.events import RedisEvents
from apps.stores.reservations import RedisReservations
from apps.stores.shadows import RedisShadows

ANSWER_S = 60.0
HEAL_S = 60.0


class Product:
    """A running stack and its shared state, seen from beside it."""

    def __init__(self, stack: Stack, scripted: ScriptedEngine | None, redis_url: str) -> None:
        self.stack, self.scripted = stack, scripted
        self.client = redis.Redis.from_url(redis_url)
        self.branches, self.shadows = RedisBranches(self.client), RedisShadows(self.client)

    @asynccontextmanager
    async def conversation(self, mode: Mode = Mode.C2) -> AsyncIterator["Talk"]:
        async with ChatSite(self.stack.base_url) as site:
            opened = await site.open(mode)
            async with Conversation(opened, self.stack.base_url, resume_s=HEAL_S) as talk:
                await talk.until_ready(ANSWER_S)
                yield Talk(talk, opened.conversation_id, RedisEvents(self.client))

    def held(self) -> tuple[int, int]:
        return tuple(RedisReservations(self.client).held(now_ms()))

    def states(self, branch_id: str) -> set[FillState]:
        chains = self.branches.chains(branch_id)
        return {fill.state for chain in chains for fill in self.shadows.chain_fills(chain)}


class Talk:
    def __init__(self, conversation: Conversation, conversation_id: str, events: RedisEvents) -> None:
        self.conversation, self._id, self._events = conversation, conversation_id, events

    async def branch(self) -> str:
        """The branch of the offer shown; it opens just after the turn is done."""
        found: list[str] = []

        def look() -> bool:
            happened = self._events.read(f"conversation:{self._id}", 0, 500)
            opened = [event.data for event in happened if event.kind == "branch.opened"]
            found[:] = [data["branch"] for data in opened if data["turn"] == self.conversation.transcript.head]
            return bool(found)

        await self.until(look)
        return found[-1]

    @property
    def offer(self) -> dict:
        return self.conversation.transcript.shown()["offer"]

    async def think(self, seconds: float) -> None:
        await self.conversation.think(time.perf_counter() + seconds)

    async def until(self, true: Callable[[], bool], seconds: float = HEAL_S) -> None:
        deadline = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < deadline, f"still not so after {seconds:g} s"
            await self.think(0.1)

    async def pick(self, index: int = 0) -> Answer:
        return await self.conversation.pick(self.offer["id"], index, ANSWER_S)


def redis_of(var_dir: Path) -> str:
    """The embedded server's URL, as its processes are given it."""
    environ = Path(f"/proc/{web_pid(var_dir)}/environ").read_bytes().split(b"\0")
    return next(line.split(b"=", 1)[1].decode() for line in environ if line.startswith(b"REDIS_URL="))


def web_pid(var_dir: Path) -> int:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            environ = (folder / "environ").read_bytes()
        except OSError:
            continue
        if b"daphne" in command and f"DYNBRANCH_VAR={var_dir}".encode() in environ:
            return int(folder.name)
    raise AssertionError("no web process")
