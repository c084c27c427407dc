"""Random histories: memory and Redis give the same answers, and Redis keeps no dangling index."""

import pytest
import redis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from apps.serving.branch.fill import FillEvent
from apps.serving.branch.record import BranchState
from apps.serving.config import ServingConfig
from apps.stores.memory import MemoryStore
from tests.contract.conftest import redis_store
from tests.contract.redis_index import assert_consistent
from tests.contract.stores_bench import NOW, branch, chain, name, result

CONFIG = ServingConfig(
    library_entries=2, entry_ttl_ms=60, settled_keep_ms=40, owner_lease_ms=15, stream_events=5, shadow_ttl_ms=30
)
RECORDS = ["place:a", "collection:é"]
BRANCHES = ["b0", "b1"]
CHAINS = [f"c{n}" for n in range(4)]
FILLS = [f"{c}.{position}" for c in CHAINS for position in range(2)]
ENDING = [FillEvent.LOSE, FillEvent.FAIL, FillEvent.EXPIRE, FillEvent.WRITE]
MOVES = [(BranchState.OPEN, BranchState.RESOLVED), (BranchState.RESOLVED, BranchState.SETTLED)]

fills = st.sampled_from(FILLS)
names = st.sampled_from(["x", "y", "z"]).map(name)
records = st.sampled_from(RECORDS)
versions = st.dictionaries(records, st.integers(1, 3), min_size=1)
reads = st.dictionaries(records, st.integers(1, 2))
tokens = st.sampled_from(["w1", "w2"])
owners = st.sampled_from(["o1", "o2"])
spans_ms = st.integers(0, 40)
ends_ms = st.integers(1, 40)


class Agreement(RuleBasedStateMachine):
    client: redis.Redis

    def __init__(self) -> None:
        super().__init__()
        self.client.flushall()
        self.memory, self.redis = MemoryStore(CONFIG), redis_store(self.client, CONFIG)
        self.now_ms = NOW

    def both(self, port: str, method: str, *args, in_order: bool = True):
        """The answer that both give, equal or the test fails."""
        answers = [getattr(getattr(store, port), method)(*args) for store in (self.memory, self.redis)]
        if not in_order:
            answers = [sorted(answer) for answer in answers]
        assert answers[0] == answers[1], f"{port}.{method}{args}"
        return answers[0]

    @rule(by_ms=spans_ms)
    def time_passes(self, by_ms):
        self.now_ms += by_ms

    @rule(branch_id=st.sampled_from(BRANCHES))
    def open(self, branch_id):
        self.both("branches", "open", branch(branch_id, self.now_ms), self.now_ms)

    @rule(branch_id=st.sampled_from(BRANCHES), move=st.sampled_from(MOVES), choice=st.sampled_from(["0", None]))
    def move(self, branch_id, move, choice):
        self.both("branches", "move", branch_id, *move, self.now_ms, choice)

    @rule(branch_id=st.sampled_from(BRANCHES), chain_id=st.sampled_from(CHAINS), in_ms=ends_ms)
    def admit(self, branch_id, chain_id, in_ms):
        record, made = chain(branch_id, chain_id, 2, self.now_ms + in_ms)
        self.both("shadows", "create_chain", record, made, self.now_ms)

    @rule(fill_id=fills, wanted=names, owner=owners)
    def start(self, fill_id, wanted, owner):
        self.both("shadows", "start", fill_id, wanted, owner, self.now_ms)

    @rule(fill_id=fills, read=reads, in_ms=ends_ms)
    def complete(self, fill_id, read, in_ms):
        made = result(fill_id, read)
        self.both("shadows", "complete", fill_id, made, self.now_ms, self.now_ms + in_ms)

    @rule(branch_id=st.sampled_from(BRANCHES), chain_id=st.sampled_from(CHAINS), wanted=names, read=reads)
    def fill_whole(self, branch_id, chain_id, wanted, read):
        """The whole way at once, or random steps would seldom get as far as a shadow."""
        self.open(branch_id)
        self.admit(branch_id, chain_id, 30)
        self.start(f"{chain_id}.0", wanted, "o1")
        self.complete(f"{chain_id}.0", read, 30)

    @rule(fill_id=fills, event=st.sampled_from(ENDING))
    def leave(self, fill_id, event):
        self.both("shadows", "leave", fill_id, event, self.now_ms)

    @rule(wanted=names, keep=st.booleans())
    def demand(self, wanted, keep):
        found = self.both("shadows", "find", wanted, self.now_ms)
        if found is not None:
            self.both("shadows", "promote", found.fill_id, wanted, keep, self.now_ms)

    @rule(fill_id=fills, wanted=names)
    def promote_any(self, fill_id, wanted):
        self.both("shadows", "promote", fill_id, wanted, True, self.now_ms)

    @rule(wanted=names, read=reads)
    def record(self, wanted, read):
        self.both("library", "record", wanted, result("canonical", read), "canonical:d", self.now_ms)

    @rule(wanted=names)
    def probe(self, wanted):
        self.both("library", "probe", wanted, self.now_ms)

    @rule(read=reads)
    def fresh(self, read):
        self.both("records", "fresh", read)

    @rule(written=st.lists(records, unique=True), token=tokens, in_ms=spans_ms)
    def begin_write(self, written, token, in_ms):
        self.both("records", "begin_write", written, token, self.now_ms + in_ms)

    @rule(published=versions, token=tokens)
    def commit_write(self, published, token):
        self.both("records", "commit_write", published, token, self.now_ms, in_order=False)

    @rule(published=versions)
    def publish(self, published):
        self.both("records", "publish", published, self.now_ms, in_order=False)

    @rule(limit=st.integers(1, 3))
    def expired_writes(self, limit):
        self.both("records", "expired_writes", self.now_ms, limit)

    @rule(owner=owners, in_ms=spans_ms)
    def beat(self, owner, in_ms):
        self.both("shadows", "beat", owner, self.now_ms + in_ms)

    @rule(limit=st.integers(1, 3))
    def sweep(self, limit):
        self.both("library", "sweep", self.now_ms, limit)
        self.both("shadows", "sweep", self.now_ms, limit)
        self.both("branches", "sweep", self.now_ms, limit)

    @invariant()
    def same_counts(self):
        self.both("library", "count")
        self.both("shadows", "counts")

    def teardown(self):
        for owner in ("o1", "o2"):
            self.both("shadows", "owned", owner, in_order=False)
        self.both("shadows", "orphans", self.now_ms, 100, in_order=False)
        self.both("branches", "unsettled", self.now_ms, 10)
        for branch_id in BRANCHES:
            self.both("branches", "branch", branch_id)
            self.both("branches", "chains", branch_id)
        for chain_id in CHAINS:
            self.both("shadows", "chain", chain_id)
            self.both("shadows", "chain_fills", chain_id)
        assert_consistent(self.client)
        self._end_everything()

    def _end_everything(self):
        """Once all has ended and been swept, nothing is left but what is known of records and dead owners."""
        for fill_id in FILLS:
            self.both("shadows", "leave", fill_id, FillEvent.LOSE, self.now_ms)
        for branch_id in BRANCHES:
            for leave, enter in MOVES:
                self.both("branches", "move", branch_id, leave, enter, self.now_ms)
        self.both("branches", "sweep", self.now_ms + CONFIG.settled_keep_ms, 10)
        self.both("library", "sweep", self.now_ms + CONFIG.entry_ttl_ms, 10)
        assert self.both("shadows", "orphans", self.now_ms + 1000, 100) == ()
        left = {key.decode().rpartition("}:")[2] for key in self.client.keys("*")}
        assert left <= {"versions", "writing", "leases", "unknown"}


@pytest.mark.timeout(60)
def test_memory_and_redis_give_the_same_answers_and_leave_no_dangling_index(store_client):
    class Agree(Agreement):
        client = store_client

    run_state_machine_as_test(
        Agree,
        settings=settings(
            max_examples=12,
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
