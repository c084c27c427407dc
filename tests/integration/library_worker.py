"""One of several processes that use one library at once, mixing everything that a product does, and crashes too.

    python -m tests.integration.library_worker '{"url": …, "database": …, "log": …, "seed": 1, "seconds": 20}'

Writes every committed change and every served value to its log, one JSON object a line (`read_history`).
"""

import json
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO

from apps.serving.branch.candidates import Proposal
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchRecord
from apps.serving.config import ServingConfig
from apps.serving.gate.policy import PlainGate
from apps.serving.layer import Layer, Stores
from apps.serving.names import Coordinate, merged_reads
from apps.serving.outcomes import Hit, Promoted, Result
from apps.serving.ports import ChainRecord, FillRecord
from apps.serving.workflow import Semantics, Stage, StageKind
from apps.stores.branches import RedisBranches
from apps.stores.client import make_client
from apps.stores.library import RedisLibrary
from apps.stores.records import RedisRecords
from apps.stores.reservations import RedisReservations
from apps.stores.shadows import RedisShadows
from tests.integration.library_world import RECORDS, Database, Node, nodes

# Small, so that a short run meets every bound: evictions, ghosts, leases that end, cascades of many steps.
CONFIG = ServingConfig(
    fill_slots=16,
    fill_kv_tokens=1_000_000,
    library_entries=16,
    shadow_entries=6,
    cascade_step=2,
    entry_ttl_ms=2_000,
    shadow_ttl_ms=1_500,
    user_window_ms=800,
    write_lease_ms=150,
    owner_lease_ms=400,
    reservation_lease_ms=800,
    settled_keep_ms=500,
)
BATCH = 50
Versions = Mapping[str, int]


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def stores_at(url: str) -> Stores:
    client = make_client(url)
    ports = (RedisLibrary, RedisShadows, RedisBranches, RedisRecords)
    return Stores(*(port(client, config=CONFIG) for port in ports), RedisReservations(client))


@dataclass(eq=False)
class Worker:
    """owner  who runs its fills; a new one whenever it leaves them behind, as a process that died would"""

    stores: Stores
    database: Database
    log: IO[str]
    random: Random
    nodes: tuple[Node, ...] = field(default_factory=nodes)
    owner: str = ""

    def __post_init__(self) -> None:
        self.layer = Layer(self.stores, PlainGate(), CONFIG, lambda: secrets.token_hex(16))
        self.operations: Mapping[Callable[[], None], int] = {
            self.demand: 150,
            self.write: 2,
            self.speculate: 12,
            self.delete: 2,
            self.sweep: 4,
            self.go_on: 8,
            self.reconcile: 8,
            self.reap: 5,
        }

    def run(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            (operation,) = self.random.choices(list(self.operations), list(self.operations.values()))
            operation()

    # -- demands ----------------------------------------------------------------------------------

    def demand(self) -> None:
        self.ask(self.random.choice(self.nodes))

    def ask(self, node: Node) -> Versions:
        """Answer one demand as the product does: an entry, a shadow, or an execution that is kept."""
        started = time.monotonic_ns()
        found: Hit | Promoted | object = self.stores.library.probe(node.name, now_ms())
        if not isinstance(found, Hit):
            fill = self.stores.shadows.find(node.name, now_ms())
            if fill is not None and fill.state is FillState.SHADOW:
                started = time.monotonic_ns()
                keep = self.random.random() < 0.7
                found = self.stores.shadows.promote(fill.fill_id, node.name, keep, now_ms())
        if isinstance(found, Hit | Promoted):
            return self._served(node, found, started)
        result = self.execute(node, {above: self.ask(above) for above in node.upstream})
        self.stores.library.record(node.name, result, f"canonical:{secrets.token_hex(4)}", node.stage, now_ms())
        return result.output["versions"]

    def _served(self, node: Node, found: Hit | Promoted, started_ns: int) -> Versions:
        versions = found.result.output["versions"]
        how = type(found).__name__.lower()
        what = f"{node.stage} {node.name.fingerprint[:8]}"
        self._note(kind="served", how=how, what=what, versions=versions, start_ns=started_ns)
        return versions

    def execute(self, node: Node, upstream: Mapping[Node, Versions]) -> Result:
        inherited: dict[str, int] = {}
        for versions in upstream.values():
            inherited = merged_reads(inherited, versions)
        own = self.database.versions(node.reads)
        value = {"versions": merged_reads(inherited, own), "padding": "x" * self.random.randint(0, 400)}
        names = tuple(above.name for above in upstream)
        return Result(value, own, self.random.uniform(0, 500), {}, names, inherited)

    # -- writes -----------------------------------------------------------------------------------

    def write(self) -> None:
        """Two-phase, left behind in one of its phases now and then."""
        records = self.random.sample(RECORDS, self.random.randint(1, 2))
        token, port = secrets.token_hex(8), self.stores.records
        fates = {"done": 20, "begun": 1, "rolled back": 1, "unpublished": 1, "half cascaded": 3, "slow": 2}
        (fate,) = self.random.choices(list(fates), list(fates.values()))
        port.begin_write(records, token, now_ms() + CONFIG.write_lease_ms)
        if fate == "begun":
            return
        with self.database.locked():
            versions = self.database.raise_versions(records)
            port.begin_write(records, token, now_ms() + (1 if fate == "slow" else CONFIG.write_lease_ms))
            if fate == "rolled back":
                return
            started = time.monotonic_ns()
            self.database.commit()
            self._note(kind="committed", versions=versions, start_ns=started)
        if fate == "unpublished":
            return
        step = port.commit_write(versions, token, now_ms())
        while step.open and fate != "half cascaded":
            step = port.cascade(now_ms())

    def go_on(self) -> None:
        self.stores.records.cascade(now_ms())

    def reconcile(self) -> None:
        """As the probe process does. The time is taken before the database is asked: marks made after it stay."""
        asked_ms = now_ms()
        overdue = self.stores.records.expired_writes(asked_ms, BATCH)
        if not overdue:
            return
        with self.database.locked():
            versions = self.database.versions(overdue)
        if versions:
            self.stores.records.publish(versions, asked_ms)

    # -- speculation ------------------------------------------------------------------------------

    def speculate(self) -> None:
        """Open a branch, fill its chain as far as fate lets it, and decide it, mostly."""
        self.owner = self.owner or secrets.token_hex(4)
        self.stores.shadows.beat(self.owner, now_ms() + CONFIG.owner_lease_ms)
        node = self.random.choice(self.nodes)
        branch = self._branch()
        stages = tuple(Stage(one.stage, StageKind.TOOL, True, 1) for one in (*node.upstream, node))
        self.layer.on_branch_opened(branch, [Proposal("0", 0, "", {}, stages)], None, now_ms())
        for chain_id in self.stores.branches.chains(branch.branch_id):
            if not self._fill(self.stores.shadows.chain(chain_id), node):
                self.owner = ""
                return
        choice = self.random.choice(["0", "0", None])
        self.layer.on_resolved(branch.branch_id, choice, now_ms())

    def _branch(self) -> BranchRecord:
        at = now_ms()
        point = Coordinate("toy", 1, "say")
        until = at + CONFIG.user_window_ms
        return BranchRecord(secrets.token_hex(16), point, Semantics.INDEPENDENT, {"conversation": "c"}, at, until)

    def _fill(self, chain: ChainRecord, node: Node) -> bool:
        """False when its worker died on the way."""
        values: dict[Node, Versions] = {}
        for one, fill in zip((*node.upstream, node), self.stores.shadows.chain_fills(chain.chain_id), strict=True):
            if self.random.random() < 0.05:
                return False
            values[one] = self._run(fill, one, {above: values[above] for above in one.upstream if above in values})
            if not values[one]:
                break
        if self.random.random() < 0.05:
            return False
        self.layer.end_chain(chain, FillEvent.EXPIRE, "over", now_ms())
        return True

    def _run(self, fill: FillRecord, node: Node, above: Mapping[Node, Versions]) -> Versions:
        """Empty when the fill was refused, or left running."""
        upstream = dict(above) or {one: self.ask(one) for one in node.upstream}
        names = tuple(one.name for one in upstream)
        if self.stores.shadows.start(fill.fill_id, node.name, self.owner, now_ms(), names) is not None:
            return {}
        result = self.execute(node, upstream)
        if self.random.random() < 0.05:
            self.owner = ""
            return {}
        at = now_ms()
        refused = self.stores.shadows.complete(fill.fill_id, result, at, at + CONFIG.shadow_ttl_ms)
        return result.output["versions"] if refused is None else {}

    # -- the rest ---------------------------------------------------------------------------------

    def delete(self) -> None:
        self.stores.library.delete([one.name for one in self.random.sample(self.nodes, 2)])

    def sweep(self) -> None:
        self.stores.library.sweep(now_ms(), BATCH)
        self.stores.shadows.sweep(now_ms(), BATCH)
        self.stores.branches.sweep(now_ms(), BATCH)

    def reap(self) -> None:
        """Ends what dead owners ran, and decides branches that nobody will."""
        for fill_id in self.stores.shadows.orphans(now_ms(), BATCH):
            fill = self.stores.shadows.fill(fill_id)
            chain = self.stores.shadows.chain(fill.chain_id) if fill else None
            if fill is not None and chain is not None:
                event = FillEvent.FAIL if fill.state is FillState.RUNNING else FillEvent.EXPIRE
                self.layer.end_chain(chain, event, "its worker is gone", now_ms())
        for branch_id in self.stores.branches.unsettled(now_ms(), BATCH):
            branch = self.stores.branches.branch(branch_id)
            if branch is not None and branch.expires_at_ms <= now_ms():
                self.layer.on_resolved(branch_id, None, now_ms())
            self.layer.settle_again(branch_id, now_ms())

    def _note(self, **fields: object) -> None:
        self.log.write(json.dumps({**fields, "end_ns": time.monotonic_ns()}) + "\n")


def main(order: Mapping[str, object]) -> None:
    database = Database(Path(str(order["database"])))
    with Path(str(order["log"])).open("w", encoding="utf-8") as log:
        worker = Worker(stores_at(str(order["url"])), database, log, Random(int(str(order["seed"]))))
        worker.run(float(str(order["seconds"])))
    database.close()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
