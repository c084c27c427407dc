"""What the ports of one library share, and the steps that several of them take. Callers hold the lock."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from apps.serving.branch.fill import TRANSITIONS as MOVES
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchRecord
from apps.serving.config import ServingConfig
from apps.serving.library.graph import Graph, Kind, Node
from apps.serving.names import ReadSet, ReuseName
from apps.serving.outcomes import Miss, MissReason, Result
from apps.serving.ports import ChainRecord, FillRecord, Invalidated, NamespaceCounts
from apps.stores.memory.entries import Entries


@dataclass(slots=True)
class State:
    """graph     nodes, edges and readers of whatever is kept, and the cascades that are open
    writing      record -> {token: lease_until_ms} of its open writes
    unknown      records asked for without a version -> when last reported, ms
    expiry       fill id -> expires_at_ms of a SHADOW
    displaced    shadows that had to give way and were not reported yet, oldest first
    owned_by     fill id -> owner of a RUNNING fill
    retired      SETTLED branch -> when settled, ms
    """

    config: ServingConfig
    lock: threading.RLock = field(default_factory=threading.RLock)
    graph: Graph = field(default_factory=Graph)
    entries: Entries = field(init=False)
    counts: dict[str, NamespaceCounts] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    writing: dict[str, dict[str, int]] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    chains: dict[str, ChainRecord] = field(default_factory=dict)
    fills: dict[str, FillRecord] = field(default_factory=dict)
    expiry: dict[str, int] = field(default_factory=dict)
    displaced: list[str] = field(default_factory=list)
    owned_by: dict[str, str] = field(default_factory=dict)
    owners: dict[str, int] = field(default_factory=dict)
    branches: dict[str, BranchRecord] = field(default_factory=dict)
    branch_chains: dict[str, list[str]] = field(default_factory=dict)
    retired: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.entries = Entries(self.config, self.graph)

    def freshness(self, *read_sets: ReadSet) -> Miss | None:
        """STALE before UNCERTAIN: what is stale stays so. Remembers records whose version is unknown."""
        reason: MissReason | None = None
        for record, version in (pair for reads in read_sets for pair in reads.items()):
            current = self.versions.get(record)
            if current is None:
                self.unknown.setdefault(record, 0)
            if current is None or record in self.writing:
                reason = reason or MissReason.UNCERTAIN
            elif current != version:
                reason = MissReason.STALE
        return None if reason is None else Miss(reason)

    def servable(self, node: Node) -> Miss | None:
        """Whether what is kept may serve now: its indexed reads are fresh and nothing above it is in doubt."""
        refused = self.freshness(node.reads)
        if refused is None and node.has_edges and (self.graph.open or self.writing):
            return Miss(MissReason.UNCERTAIN)
        return refused

    def keepable(self, name: ReuseName, result: Result) -> Miss | None:
        """Whether a result may be kept under its name now."""
        refused = self.freshness(result.reads, result.inherited)
        if refused is None and self.graph.open and (result.upstream or self.graph.held(name)):
            return Miss(MissReason.UNCERTAIN)
        return refused

    def count(self, namespace: str, answer: str) -> None:
        """`answer` is a field of NamespaceCounts."""
        known = self.counts.get(namespace, NamespaceCounts(0, 0, 0))
        self.counts[namespace] = replace(known, **{answer: getattr(known, answer) + 1})

    def end_fill(self, fill_id: str, event: FillEvent) -> None:
        self.leave_fill(fill_id, event)
        self.graph.take(f"f|{fill_id}")

    def leave_fill(self, fill_id: str, event: FillEvent) -> None:
        """Ends a fill that is no longer, or not yet, in the graph."""
        self.set_fill(fill_id, event)
        self.expiry.pop(fill_id, None)
        self.owned_by.pop(fill_id, None)

    def set_fill(self, fill_id: str, event: FillEvent, **changes: object) -> None:
        fill = self.fills[fill_id]
        self.fills[fill_id] = replace(fill, state=MOVES[fill.state][event], **changes)

    def publish(self, versions: Mapping[str, int]) -> None:
        """Never lowers a version. Readers of one that changed are set aside for the cascade."""
        for record, version in versions.items():
            known = self.versions.get(record)
            self.versions[record] = version if known is None else max(version, known)
            self.unknown.pop(record, None)
            if self.versions[record] != known:
                self.graph.write(record)

    def cascade(self) -> Invalidated:
        """One step of the cascades that are open."""
        ended = self.graph.step(self.config.cascade_step, self.versions)
        for node in ended:
            if node.kind is Kind.ENTRY:
                self.entries.forget(node.name)
            elif node.kind is not Kind.GHOST:
                self.leave_fill(node.node_id, FillEvent.WRITE)
        ids = {kind: tuple(node.node_id for node in ended if node.kind is kind) for kind in Kind}
        names = tuple(node.name for node in ended if node.kind is Kind.ENTRY)
        return Invalidated(names, ids[Kind.SHADOW], ids[Kind.RUNNING], self.graph.open)

    def lives(self, fill_id: str) -> bool:
        return self.fills[fill_id].state in (FillState.RESERVED, FillState.RUNNING, FillState.SHADOW)
