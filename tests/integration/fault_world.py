"""What a process does on the library when it is killed: every operation, what it needs before, and its database."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import redis

from apps.engines.base import Completion, Delta, EngineLoad, EngineRequest, Finish
from apps.runtime.aborts import announce_abort
from apps.runtime.clock import now_ms
from apps.runtime.driver import Driver, How, Served
from apps.runtime.fill_runner import FillRunner
from apps.runtime.program import StageTools
from apps.runtime.scope import Scope
from apps.runtime.writes import Writing
from apps.serving.config import Mode, ServingConfig
from apps.serving.gate.policy import PlainGate
from apps.serving.layer import Layer, Stores
from apps.serving.names import Json, digest, reuse_name
from apps.serving.outcomes import Result
from apps.serving.workflow import StageCall
from apps.stores.branches import RedisBranches
from apps.stores.events import RedisEvents
from apps.stores.library import RedisLibrary
from apps.stores.records import RedisRecords
from apps.stores.reservations import RedisReservations
from apps.stores.shadows import RedisShadows
from tests.integration.library_world import Database
from tests.integration.toy_program import ToyProgram

PLACE = "place:a"
DAY_MS = 86_400_000
CONFIG = ServingConfig(cascade_step=1, user_window_ms=10_000)


class Versions(Mapping[str, int]):
    """Committed versions, asked of the database every time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __getitem__(self, record: str) -> int:
        return self._database.versions([record])[record]

    def __iter__(self) -> Iterator[str]:
        return iter([PLACE])

    def __len__(self) -> int:
        return 1


class PlaceProgram(ToyProgram):
    """`look` shows the version that it read, so that what was made from an old one can be told from the rest."""

    async def execute(self, call: StageCall, tools: StageTools) -> Result:
        result = await super().execute(call, tools)
        if call.stage.name != "look":
            return result
        return Result({"seen": f"a{result.reads[PLACE]}"}, result.reads, result.engine_ms, {})


class Silent:
    """Stands for the publisher: what pages are told is no part of the library, and is told beside everything else."""

    def post(self, conversation: str, kind: str, data: Mapping[str, Json]) -> None:
        pass

    async def aclose(self) -> None:
        pass


async def at_once(function: Callable[..., object], *args: object) -> object:
    """Calls a store on the loop itself, so that calls come in the same order every time."""
    return function(*args)


class Parrot:
    """An engine in the same process: an answer that only the question determines, and nothing to wait for."""

    kind = "llamacpp"

    async def stream(self, request: EngineRequest) -> AsyncIterator[Delta | Completion]:
        yield Delta(digest(request.body))
        yield Completion(Finish.STOP, 10, 1, 0, (), 5.0)

    async def identity(self) -> dict[str, Json]:
        return {"kind": self.kind, "model": "parrot"}

    async def abort(self, request_id: str) -> None:
        pass

    async def load(self) -> EngineLoad:
        return EngineLoad(None, None, None, None)

    async def aclose(self) -> None:
        pass


class FaultWorld:
    """One process's driver on a shared library and database; queued chains wait in `queue`."""

    def __init__(self, client: redis.Redis, database: str | Path) -> None:
        self.client, self.database, self.queue = client, Database(Path(database)), []
        self.program, self.events = PlaceProgram(versions=Versions(self.database)), RedisEvents(client)
        ports = (RedisLibrary, RedisShadows, RedisBranches, RedisRecords)
        self.stores = Stores(*(port(client, config=CONFIG) for port in ports), RedisReservations(client))
        self.driver = Driver(
            layer=Layer(self.stores, PlainGate(), CONFIG, lambda: secrets.token_hex(16)),
            engine=Parrot(),
            programs={"toy": self.program},
            publisher=Silent(),
            run=at_once,
            dispatch=lambda chain_id, expires_at_ms: self.queue.append(chain_id),
            announce_abort=lambda fill_id: announce_abort(client, fill_id),
            speculation=True,
            reuse=True,
        )
        self.runner = FillRunner(self.driver, "worker:test")
        self.stores.records.publish(dict(self.program.versions), now_ms())

    async def turn(self, pick: str, turn: str, mode: Mode = Mode.FULL) -> list[Served]:
        outputs: dict[str, Json] = {}
        served = []
        while (call := self.program.next_call({"pick": pick}, outputs)) is not None:
            answer = await self.driver.serve(call, self.scope(turn, mode), show_nobody)
            outputs[call.stage.name] = answer.result.output
            served.append(answer)
        return served

    async def offer(self, *choices: str) -> str:
        return await self.driver.open_branch("say", {"offers": list(choices)}, {}, self.scope("t0", Mode.FULL))

    def scope(self, turn: str, mode: Mode) -> Scope:
        return Scope("toy", "tenant", "session", "conversation", turn, mode)


async def show_nobody(text: str) -> None:
    pass


Prepared = list[str]


@dataclass(frozen=True, slots=True)
class Operation:
    """prepare  gives what `perform`, in the process that is killed, has to know: ids
    commits     it changes the database too, so that the instants after one call and before the next differ
    """

    prepare: Callable[[FaultWorld], Awaitable[Prepared]]
    perform: Callable[[FaultWorld, Prepared], Awaitable[None]]
    commits: bool = False


async def nothing(world: FaultWorld) -> Prepared:
    return []


async def kept_results(world: FaultWorld) -> Prepared:
    """Entries of several picks: all read the place, and half of them are made from the others."""
    for pick in "012":
        await world.turn(pick, f"before {pick}")
    return []


async def an_offer(world: FaultWorld) -> Prepared:
    branch = await world.offer("0", "1")
    return [branch, *world.queue]


async def shadows(world: FaultWorld) -> Prepared:
    branch = await world.offer("0", "1")
    for chain_id in world.queue:
        await world.runner.run_chain(chain_id)
    return [branch]


async def results_and_fills(world: FaultWorld) -> Prepared:
    """Entries, shadows, and a fill that runs on top of an entry; its worker never comes back."""
    await kept_results(world)
    prepared = await shadows(world)
    branch = await world.offer("2")
    (chain_id,) = world.stores.branches.chains(branch)
    fill = world.stores.shadows.chain_fills(chain_id)[0]
    above, *_ = world.stores.library.page(None, 1)
    running = reuse_name("t", "f" * 64, "running")
    assert world.stores.shadows.start(fill.fill_id, running, "worker:gone", now_ms(), [above]) is None
    return prepared


async def write(world: FaultWorld, prepared: Prepared) -> None:
    records = world.stores.records
    with Writing([PLACE], records, CONFIG.write_lease_ms, lambda *told: None) as writing:
        with world.database.locked():
            versions = world.database.raise_versions([PLACE])
            writing.hold()
            world.database.commit()
        writing.committed(versions)


async def demand(world: FaultWorld, prepared: Prepared) -> None:
    assert {served.how for served in await world.turn("0", "its own")} == {How.EXECUTED}


async def hit(world: FaultWorld, prepared: Prepared) -> None:
    assert {served.how for served in await world.turn("0", "its own")} == {How.HIT}


async def offer(world: FaultWorld, prepared: Prepared) -> None:
    await world.offer("0", "1")


async def fill(world: FaultWorld, prepared: Prepared) -> None:
    await world.runner.run_chain(prepared[1])


async def pick(world: FaultWorld, prepared: Prepared) -> None:
    await world.driver.resolve(prepared[0], "0")
    assert {served.how for served in await world.turn("0", "its own")} == {How.PROMOTED}


async def delete(world: FaultWorld, prepared: Prepared) -> None:
    library = world.stores.library
    for name in library.page(None, 100):
        library.delete([name])


async def sweep(world: FaultWorld, prepared: Prepared) -> None:
    """Everything is old a day later."""
    stores, late_ms = world.stores, now_ms() + DAY_MS
    stores.library.sweep(late_ms, 3)
    stores.shadows.sweep(late_ms, 100)
    stores.branches.sweep(late_ms, 100)
    stores.library.sweep(late_ms, 100)


OPERATIONS: Mapping[str, Operation] = {
    "a write of a place": Operation(results_and_fills, write, commits=True),
    "a demand that executes and records": Operation(nothing, demand),
    "a hit": Operation(kept_results, hit),
    "an offer": Operation(nothing, offer),
    "a chain of fills": Operation(an_offer, fill),
    "a pick that promotes": Operation(shadows, pick),
    "a delete": Operation(results_and_fills, delete),
    "a sweep": Operation(results_and_fills, sweep),
}
