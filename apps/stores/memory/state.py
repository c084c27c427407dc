"""What the ports of one library share, and the steps that several of them take. Callers hold the lock.

Readers of a record are found by looking through everything: this store is for small states, and an index that
does not exist cannot be left dangling.
"""

import threading
from dataclasses import dataclass, field, replace

from apps.serving.branch.fill import TRANSITIONS as MOVES
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchRecord
from apps.serving.config import ServingConfig
from apps.serving.names import ReadSet, ReuseName
from apps.serving.outcomes import Miss, MissReason, Result
from apps.serving.ports import ChainRecord, FillRecord


@dataclass(slots=True)
class StoredEntry:
    result: Result
    producer: str
    used_ms: int


@dataclass(slots=True)
class State:
    """writing   record -> {token: lease_until_ms} of its open writes
    unknown      records asked for without a version -> when last reported, ms
    expiry       fill id -> expires_at_ms of a SHADOW
    owned_by     fill id -> owner of a RUNNING fill
    retired      SETTLED branch -> when settled, ms
    """

    config: ServingConfig
    lock: threading.RLock = field(default_factory=threading.RLock)
    versions: dict[str, int] = field(default_factory=dict)
    writing: dict[str, dict[str, int]] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    entries: dict[ReuseName, StoredEntry] = field(default_factory=dict)
    chains: dict[str, ChainRecord] = field(default_factory=dict)
    fills: dict[str, FillRecord] = field(default_factory=dict)
    expiry: dict[str, int] = field(default_factory=dict)
    owned_by: dict[str, str] = field(default_factory=dict)
    owners: dict[str, int] = field(default_factory=dict)
    branches: dict[str, BranchRecord] = field(default_factory=dict)
    branch_chains: dict[str, list[str]] = field(default_factory=dict)
    retired: dict[str, int] = field(default_factory=dict)

    def freshness(self, reads: ReadSet) -> Miss | None:
        """STALE before UNCERTAIN: what is stale stays so. Remembers records whose version is unknown."""
        reason: MissReason | None = None
        for record, version in reads.items():
            current = self.versions.get(record)
            if current is None:
                self.unknown.setdefault(record, 0)
            if current is None or record in self.writing:
                reason = reason or MissReason.UNCERTAIN
            elif current != version:
                reason = MissReason.STALE
        return None if reason is None else Miss(reason)

    def put_entry(self, name: ReuseName, result: Result, producer: str, now_ms: int) -> None:
        self.entries[name] = StoredEntry(result, producer, now_ms)
        while len(self.entries) > self.config.library_entries:
            del self.entries[min(self.entries, key=lambda n: (self.entries[n].used_ms, str(n).encode()))]

    def end_fill(self, fill_id: str, event: FillEvent) -> None:
        self.set_fill(fill_id, event)
        self.expiry.pop(fill_id, None)
        self.owned_by.pop(fill_id, None)

    def set_fill(self, fill_id: str, event: FillEvent, **changes: object) -> None:
        fill = self.fills[fill_id]
        self.fills[fill_id] = replace(fill, state=MOVES[fill.state][event], **changes)

    def publish(self, record: str, version: int) -> list[str]:
        """Never lowers a version. What read another one goes; its ids."""
        version = self.versions[record] = max(version, self.versions.get(record, version))
        self.unknown.pop(record, None)
        entries = [n for n, e in self.entries.items() if e.result.reads.get(record, version) != version]
        shadows = [i for i in self.expiry if self._read(i).get(record, version) != version]
        for name in entries:
            del self.entries[name]
        for fill_id in shadows:
            self.end_fill(fill_id, FillEvent.WRITE)
        return [*map(str, entries), *shadows]

    def _read(self, fill_id: str) -> ReadSet:
        result = self.fills[fill_id].result
        assert result is not None  # a shadow is complete
        return result.reads

    def lives(self, fill_id: str) -> bool:
        return self.fills[fill_id].state in (FillState.RESERVED, FillState.RUNNING, FillState.SHADOW)
