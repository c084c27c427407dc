"""One process's driver and runner on a real Redis and a scripted engine, for tests that look inside."""

import asyncio
from collections.abc import Callable, Mapping

import redis

from apps.engines.factory import make_engine
from apps.engines.scripted import ScriptedEngine
from apps.runtime import wiring
from apps.runtime.aborts import announce_abort
from apps.runtime.aftermath import Aftermath
from apps.runtime.clock import now_ms
from apps.runtime.driver import Driver, Served
from apps.runtime.fill_runner import FillRunner
from apps.runtime.probe import Probe
from apps.runtime.publisher import Publisher
from apps.runtime.scope import Scope
from apps.runtime.writes import Writing
from apps.serving.config import Mode, ServingConfig
from apps.serving.gate.policy import PlainGate
from apps.serving.layer import Layer, Stores
from apps.serving.names import Json
from apps.serving.workflow import Lookup
from apps.stores.branches import RedisBranches
from apps.stores.events import RedisEvents
from apps.stores.lease import Lease
from apps.stores.library import RedisLibrary
from apps.stores.records import RedisRecords
from apps.stores.reservations import RedisReservations
from apps.stores.shadows import RedisShadows
from tests.integration.toy_program import ToyProgram


class Bench:
    """One process's driver and runner; dispatched chains wait in `queue` until a test lets a worker have them."""

    def __init__(self, client: redis.Redis, engine: ScriptedEngine, **config: int) -> None:
        self.config = ServingConfig(**config)
        self.client, self.scripted, self.program = client, engine, ToyProgram()
        self.queue: list[str] = []
        self.events = RedisEvents(client)
        stores = Stores(
            RedisLibrary(client, config=self.config),
            RedisShadows(client, config=self.config),
            RedisBranches(client, config=self.config),
            RedisRecords(client, config=self.config),
            RedisReservations(client),
        )
        stores.records.publish({"place:a": 1}, now_ms())
        self.driver = Driver(
            layer=Layer(stores, PlainGate(), self.config, wiring.new_id),
            engine=make_engine("llamacpp", engine.url, "toy", ""),
            programs={"toy": self.program},
            publisher=Publisher(self.events, wiring.run),
            run=wiring.run,
            dispatch=lambda chain_id, expires_at_ms: self.queue.append(chain_id),
            announce_abort=lambda fill_id: announce_abort(client, fill_id),
            speculation=True,
            reuse=True,
        )
        self.stores = stores
        self.runner = FillRunner(self.driver, "worker:test")
        self.shown: list[str] = []

    def scope(self, turn: str, mode: Mode = Mode.C2, conversation: str = "conv") -> Scope:
        return Scope("toy", "tenant", "session", conversation, turn, mode)

    async def offer(self, *choices: str, mode: Mode = Mode.C2) -> str:
        return await self.driver.open_branch("say", {"offers": list(choices)}, {}, self.scope("t0", mode))

    async def fill_all(self) -> None:
        await asyncio.gather(*(self.runner.run_chain(self.queue.pop(0)) for _ in list(self.queue)))

    async def turn(
        self,
        pick: str,
        mode: Mode = Mode.C2,
        turn: str = "t1",
        conversation: str = "conv",
        lookup: Lookup | None = None,
    ) -> list[Served]:
        outputs: dict = {}
        served = []
        scope = self.scope(turn, mode, conversation)
        while (call := self.program.next_call({"pick": pick}, outputs)) is not None:
            answer = await self.driver.serve(call, scope, self._emit, lookup)
            outputs[call.stage.name] = answer.result.output
            served.append(answer)
        return served

    async def write(self, record: str, version: int) -> None:
        """A write of the whole product: two-phase, cascade to its end, effects performed."""
        aftermath = Aftermath(self.driver, asyncio.get_running_loop())

        def committed() -> None:
            with Writing([record], self.stores.records, self.config.write_lease_ms, aftermath) as write:
                self.program.versions[record] = version
                write.committed({record: version})

        await asyncio.to_thread(committed)

    def told(self, kind: str, stream: str = "system") -> list[Mapping[str, Json]]:
        return [event.data for event in self.events.read(stream, 0, 500) if event.kind == kind]

    async def _emit(self, text: str) -> None:
        self.shown.append(text)

    def fills(self, branch_id: str, choice: str) -> list:
        for chain_id in self.stores.branches.chains(branch_id):
            if self.stores.shadows.chain(chain_id).choice == choice:
                return list(self.stores.shadows.chain_fills(chain_id))
        return []

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not true():
                await asyncio.sleep(0.01)


def probe_of(bench: Bench) -> Probe:
    async def at_once(function, *args):
        return function(*args)

    source = _Source(bench.program.versions)
    return Probe(bench.driver, bench.events, [source], Lease(bench.client, "probe", 5.0), at_once)


class _Source:
    def __init__(self, versions: dict[str, int]) -> None:
        self.versions = versions

    def owns(self, record):
        return record in self.versions

    def committed_versions(self, records):
        return {record: self.versions[record] for record in records if record in self.versions}

    def all_records(self):
        return list(self.versions)
