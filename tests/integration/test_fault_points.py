"""Killed before and after every single Redis call of every operation: nothing stale, dangling or held is left.

The points are enumerated: each operation runs once to count its calls, then is killed at each of them in turn.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import redis

from apps.runtime.clock import now_ms
from apps.serving.config import Mode
from apps.stores.library_check import LibraryCheck
from tests.integration.driver_bench import probe_of
from tests.integration.fault_world import OPERATIONS, PLACE, FaultWorld
from tests.integration.library_world import Database

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Order:
    """prepared  None: prepare, and say what `perform` must know    call  0: not killed"""

    operation: str
    url: str
    database: str
    prepared: list[str] | None = None
    call: int = 0
    moment: str = "before"


class Forker:
    """The process whose forks are killed."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.integration.fault_child"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(self, order: Order) -> dict[str, Any]:
        """code: exit status of the fork, minus the signal that ended it; and, if it lived, `calls` and `prepared`"""
        self._process.stdin.write(json.dumps(asdict(order)) + "\n")
        answer = self._process.stdout.readline()
        assert answer, "the process that forks has died"
        return json.loads(answer)

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def forker() -> Iterator[Forker]:
    made = Forker()
    yield made
    made.close()


@dataclass(eq=False)
class Scene:
    """One library, engine and database, and a process that lives on; every kill begins with an empty library."""

    client: redis.Redis
    url: str
    database: Path
    forker: Forker
    world: FaultWorld
    turns: int = 0

    def __post_init__(self) -> None:
        self.probe = probe_of(self.world)

    async def killed(self, operation: str, call: int, moment: str = "before") -> dict[str, Any]:
        self.client.flushall()
        order = Order(operation, self.url, str(self.database))
        ready = self.forker.run(order)
        assert ready["code"] == 0, f"{operation} could not be prepared"
        # An emptied library is reconciled whole; after this only what a lease says.
        await self.probe.reconcile()
        return self.forker.run(replace(order, prepared=ready["prepared"], call=call, moment=moment))

    async def assert_fresh(self, point: str) -> None:
        """A demand of someone else gets what the floor gives, which asks nobody but database and engine."""
        self.turns += 1
        answered = await self.world.turn("0", f"after {self.turns}")
        truth = await self.world.turn("0", f"floor {self.turns}", Mode.FLOOR)
        assert [served.result.output for served in answered] == [served.result.output for served in truth], point

    async def assert_sound(self, operation: str, point: str) -> None:
        """At once nothing stale is served; after the probe's steps nothing dangles and nothing is held either."""
        if OPERATIONS[operation].commits:  # else nothing can be stale, and a demand would end what the reaper should
            await self.assert_fresh(point)
        stores = self.world.stores
        for _ in range(2):
            await self.probe.reconcile()
            await self.probe.reap()
        assert stores.shadows.counts().running == 0, point
        await self.probe.expire()
        assert LibraryCheck(self.client).run(repair=False, now_ms=now_ms()).findings == (), point
        assert stores.shadows.counts().reserved == 0, point
        assert tuple(stores.reservations.held(now_ms())) == (0, 0), point
        assert stores.records.fresh({PLACE: self.world.program.versions[PLACE]}) is None, point
        await self.assert_fresh(point)


@pytest.fixture
async def scene(redis_client, redis_url, forker, tmp_path) -> Scene:
    database = tmp_path / "places.sqlite3"
    made = Database(database)
    made.create([PLACE])
    made.close()
    world = FaultWorld(redis_client, database)
    return Scene(redis_client, redis_url, database, forker, world)


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_a_process_killed_between_any_two_redis_calls_leaves_nothing_stale_dangling_or_held(
    scene: Scene, operation: str
):
    whole = await scene.killed(operation, 0)
    assert whole["code"] == 0
    assert whole["calls"] > 0
    await scene.assert_sound(operation, f"{operation}, not killed")
    for call in range(1, whole["calls"] + 1):
        for moment in ("before", "after") if OPERATIONS[operation].commits else ("after",):
            point = f"{operation}, killed {moment} call {call} of {whole['calls']}"
            ended = await scene.killed(operation, call, moment)
            # On a slow machine the watch of a fill makes calls of its own: the whole run may have counted some more.
            assert ended["code"] in (-signal.SIGKILL, 0), point
            await scene.assert_sound(operation, point)
