"""Writers on one library, each step held to the reference: they commit, roll back, crash, and are reconciled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from apps.serving.config import ServingConfig
from apps.serving.ports import Invalidated
from tests.contract.library_reference import Holder, Kind, Reference
from tests.contract.stores_bench import NOW, branch

CONFIG = ServingConfig(library_entries=5, entry_ttl_ms=300, cascade_step=1)
RECORDS = ["place:a", "place:b", "collection:é"]

# What is drawn never depends on what a store answered: its order of work may differ from run to run.
picks = st.integers(0, 5)
writes = st.sets(st.sampled_from(RECORDS), min_size=1, max_size=2)


@dataclass
class Write:
    """committed  to the database, though not yet published"""

    token: str
    records: tuple[str, ...]
    committed: bool = False


class WritingMachine(RuleBasedStateMachine):
    """database  committed version of each record     still_open  a cascade is being run in steps
    loosened     something went while a cascade was open and its name had a holder that the cascade had yet to end:
                 then what was made from it may be lost with it, and only staleness is checked from here on
    """

    make_store: Callable[[ServingConfig], Any]

    def __init__(self) -> None:
        super().__init__()
        self.store = self.make_store(CONFIG)
        self.now_ms, self.made = NOW, 0
        self.database = dict.fromkeys(RECORDS, 1)
        self.store.records.publish(self.database, NOW)
        self.reference = Reference(dict(self.database), CONFIG.entry_ttl_ms)
        self.store.branches.open(branch(), NOW)
        self.writes: dict[str, Write] = {}
        self.still_open, self.loosened = False, False
        self.ending: list[Holder] = []  # by the open cascade, in the reference

    def new_id(self) -> str:
        self.made += 1
        return f"{self.made:04d}"

    @rule(by_ms=st.integers(1, 60))
    def time_passes(self, by_ms):
        self.now_ms += by_ms

    @rule(records=writes, lease_ms=st.integers(1, 60))
    def begin_write(self, records, lease_ms):
        if len(self.writes) == 2:
            return  # or all is uncertain all the time
        write = Write(self.new_id(), tuple(sorted(records)))
        self.writes[write.token] = write
        self.mark(write, lease_ms)

    @rule(records=writes)
    def write_at_once(self, records):
        write = Write(self.new_id(), tuple(sorted(records)), committed=True)
        self.mark(write, 20)
        self.database.update({record: self.database[record] + 1 for record in write.records})
        self.publish_write(write)

    def mark(self, write: Write, lease_ms: int) -> None:
        self.store.records.begin_write(write.records, write.token, self.now_ms + lease_ms)
        for record in write.records:
            self.reference.marks.setdefault(record, {})[write.token] = self.now_ms + lease_ms

    def a_write(self, pick: int) -> Write | None:
        tokens = list(self.writes)
        return self.writes[tokens[pick % len(tokens)]] if tokens else None

    @rule(pick=picks)
    def commit_to_the_database(self, pick):
        """Marked anew just before, as every writer must: its lease may have run out long ago."""
        write = self.a_write(pick)
        if write is not None and not write.committed:
            self.mark(write, 20)
            self.database.update({record: self.database[record] + 1 for record in write.records})
            write.committed = True

    @rule(pick=picks)
    def publish(self, pick):
        """Or roll back, when it was never committed: then the versions are those of before."""
        write = self.a_write(pick)
        if write is not None:
            del self.writes[write.token]
            self.publish_write(write)

    def publish_write(self, write: Write) -> None:
        versions = {record: self.database[record] for record in write.records}
        self.step(self.store.records.commit_write(versions, write.token, self.now_ms), versions, write.token)

    @rule(pick=picks)
    def crash(self, pick):
        write = self.a_write(pick)
        if write is not None:
            del self.writes[write.token]

    @rule()
    def reconcile(self):
        late = self.store.records.expired_writes(self.now_ms, 100)
        marks = self.reference.marks.items()
        assert set(late) == {record for record, open_writes in marks if min(open_writes.values()) <= self.now_ms}
        versions = {record: self.database[record] for record in late}
        self.step(self.store.records.publish(versions, self.now_ms), versions, None)

    @rule()
    def cascade(self):
        self.step(self.store.records.cascade(self.now_ms), {}, None)

    def step(self, done: Invalidated, versions: dict[str, int], token: str | None) -> None:
        self.ending += self.reference.publish(versions)
        self.reference.end_marks(versions, token, self.now_ms)
        doomed = {h.node_id or h.name for h in self.ending if h.kind is not Kind.GHOST}
        assert {*done.entries, *done.shadows, *done.running} <= doomed or self.loosened, "ended though valid"
        self.still_open = done.open
        if not done.open:
            self.ending = []
