"""What must happen without anyone asking: load readings, dead owners, expiry, unfinished writes. architecture.md §1

Several probes may run; one leads under a lease. Every step is safe to repeat.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from apps.engines.base import EngineError
from apps.runtime.clock import now_ms
from apps.runtime.driver import Driver
from apps.runtime.writes import Committed
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchState
from apps.serving.names import Json
from apps.serving.ports import Events, FillRecord, Invalidated, Records
from apps.stores.lease import Lease

log = logging.getLogger(__name__)

TICK_S = 1.0
BATCH = 200
LOAD_STREAM = "load"


class RecordSource(Protocol):
    """An app's database records, for the reconciler. Blocking; called off the loop."""

    def owns(self, record: str) -> bool: ...

    def committed_versions(self, records: Sequence[str]) -> Mapping[str, int]:
        """Committed versions of these records of its own, read under a row lock."""
        ...

    def all_records(self) -> Iterable[str]: ...


@dataclass(eq=False)
class Probe:
    """ask_database  runs a blocking database function in a thread with proper connection care."""

    driver: Driver
    events: Events
    sources: Sequence[RecordSource]
    lease: Lease
    ask_database: Callable[..., object]
    _epoch: str = field(default="", init=False)

    async def forever(self) -> None:
        """The outermost loop of the probe process."""
        while True:
            try:
                if await self.driver.run(self.lease.hold):
                    for step in self.steps():
                        await self._guarded(step)
            except Exception:
                log.exception("probe: leadership")
            await asyncio.sleep(TICK_S)

    def steps(self) -> tuple[Callable[[], Awaitable[None]], ...]:
        return self.reconcile, self.reap, self.expire, self.observe_load

    async def tick(self) -> None:
        for step in self.steps():
            await step()

    async def _guarded(self, step: Callable[[], Awaitable[None]]) -> None:
        """One step of the outermost loop: a database that is away must not keep dead workers' fills alive."""
        try:
            await step()
        except Exception:
            log.exception("probe: %s", step.__name__)

    # -- writes -----------------------------------------------------------------------------------

    async def reconcile(self) -> None:
        """Publish committed versions: all of them once, and again whenever the shared state was lost.

        Before that, go on with a cascade whose writer died midway: no database is needed for it.
        """
        await self._carry_on([await self.driver.run(self._records.cascade, now_ms())])
        epoch = (await self.driver.run(self.events.head, LOAD_STREAM)).epoch
        if epoch != self._epoch:
            for source in self.sources:
                await self._publish(source, list(await self.ask_database(source.all_records)))
            self._epoch = epoch
        overdue = await self.driver.run(self._records.expired_writes, now_ms(), BATCH)
        for source in self.sources if overdue else ():
            await self._publish(source, [record for record in overdue if source.owns(record)])

    @property
    def _records(self) -> Records:
        return self.driver.layer.stores.records

    async def _publish(self, source: RecordSource, names: list[str]) -> None:
        asked_ms = now_ms()  # before the database is: a write that began since is not in its answer
        versions = await self.ask_database(source.committed_versions, names) if names else {}
        if versions:
            step = await self.driver.run(self._records.publish, versions, asked_ms)
            await self._carry_on([step], tuple(versions))

    async def _carry_on(self, steps: list[Invalidated], records: tuple[str, ...] = ()) -> None:
        """Do what a writer does after its first step; pages are told where something ended."""
        try:
            await self.driver.invalidated(steps[0])
            while steps[-1].open:
                steps.append(await self.driver.run(self._records.cascade, now_ms()))
                await self.driver.invalidated(steps[-1])
        finally:
            done = Committed.of(records, steps)
            if done.entries or done.shadows or done.running:
                self.driver.publisher.post("", "write.committed", done.as_json())

    # -- owners and time --------------------------------------------------------------------------

    async def reap(self) -> None:
        """Fills whose worker died end, and their reservations with them."""
        layer = self.driver.layer
        for fill_id in await self.driver.run(layer.stores.shadows.orphans, now_ms(), BATCH):
            fill: FillRecord | None = await self.driver.run(layer.stores.shadows.fill, fill_id)
            chain = await self.driver.run(layer.stores.shadows.chain, fill.chain_id) if fill else None
            if fill is None or chain is None:
                continue
            event = FillEvent.FAIL if fill.state is FillState.RUNNING else FillEvent.EXPIRE
            reason = "its worker is gone" if fill.state is FillState.RUNNING else "no worker took it in time"
            await self.driver.perform(await self.driver.run(layer.end_chain, chain, event, reason, now_ms()))

    async def expire(self) -> None:
        """Windows and shadows past their time; branches with nothing left to change are settled."""
        layer, stores = self.driver.layer, self.driver.layer.stores
        await self.driver.run(stores.library.sweep, now_ms(), BATCH)
        expired = await self.driver.run(stores.shadows.sweep, now_ms(), BATCH)
        await self.driver.perform(await self.driver.run(layer.on_expired, expired))
        await self.driver.run(stores.branches.sweep, now_ms(), BATCH)
        for branch_id in await self.driver.run(stores.branches.unsettled, now_ms(), BATCH):
            branch = await self.driver.run(stores.branches.branch, branch_id)
            if branch is None:
                continue
            if branch.state is BranchState.OPEN and branch.expires_at_ms <= now_ms():
                await self.driver.resolve(branch_id, None)
            await self.driver.perform(await self.driver.run(layer.settle_again, branch_id, now_ms()))

    # -- load -------------------------------------------------------------------------------------

    async def observe_load(self) -> None:
        """One reading of the engine and of our own reservations; absent readings stay absent."""
        slots, kv_tokens = await self.driver.run(self.driver.layer.stores.reservations.held, now_ms())
        config = self.driver.layer.config
        reading: dict[str, Json] = {
            "slots_held": slots,
            "slots_max": config.fill_slots,
            "kv_tokens_held": kv_tokens,
            "kv_tokens_max": config.fill_kv_tokens,
            "running": None,
            "waiting": None,
            "kv_frac": None,
            "engine_slots": None,
        }
        try:
            load = await self.driver.engine.load()
            reading |= {
                "running": load.running,
                "waiting": load.waiting,
                "kv_frac": load.kv_frac,
                "engine_slots": load.slots,
            }
        except EngineError:
            log.warning("the engine gave no load reading")
        await self.driver.run(self.events.append, LOAD_STREAM, "load.view", reading, now_ms())
