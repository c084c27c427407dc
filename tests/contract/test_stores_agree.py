"""Random histories: memory and Redis give the same answers, and Redis keeps no dangling index."""

from collections import Counter

import pytest
import redis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from apps.serving.branch.fill import FillEvent
from apps.serving.branch.record import BranchState
from apps.serving.config import ServingConfig
from apps.serving.outcomes import Result
from apps.serving.ports import Invalidated
from apps.stores.memory import MemoryStore
from tests.contract.conftest import redis_store
from tests.contract.redis_index import assert_consistent
from tests.contract.stores_bench import NOW, branch, chain, name

# Small, so that histories of a few steps evict, leave ghosts, displace shadows and cascade in several steps.
CONFIG = ServingConfig(
    library_entries=3,
    library_bytes=9000,
    shadow_entries=1,
    cascade_step=1,
    entry_ttl_ms=60,
    settled_keep_ms=40,
    owner_lease_ms=15,
    stream_events=5,
    shadow_ttl_ms=30,
)
RECORDS = ["place:a", "collection:é", "never-published-at-first"]
BRANCHES = ["b0", "b1"]
CHAINS = [f"c{n}" for n in range(4)]
FILLS = [f"{c}.{position}" for c in CHAINS for position in range(2)]
ENDING = [FillEvent.LOSE, FillEvent.FAIL, FillEvent.EXPIRE, FillEvent.WRITE]
MOVES = [(BranchState.OPEN, BranchState.RESOLVED), (BranchState.RESOLVED, BranchState.SETTLED)]

fills = st.sampled_from(FILLS)
NAMES = [name(key, namespace) for key, namespace in (("x", "t"), ("y", "t|u"), ("z", "t"), ("é", "t"))]
places = st.integers(0, len(NAMES) - 1)
names = places.map(NAMES.__getitem__)
records = st.sampled_from([*RECORDS[:2] * 3, RECORDS[2]])
# Record -> its version above the one that is published, so that most of what is made can be kept.
versions = st.dictionaries(records, st.sampled_from([1, 1, 0, 2, -1]), min_size=1)
reads = st.dictionaries(records, st.sampled_from([0] * 8 + [-1, 1]), max_size=2)
tokens = st.sampled_from(["w1", "w2"])
owners = st.sampled_from(["o1", "o2"])
sizes = st.sampled_from([0] * 8 + [900, 3000, 10_000])
engine_ms = st.sampled_from([0.0, 12.5, 12.5, 80.0])
upstreams = st.sets(places, max_size=2)
spans_ms = st.integers(0, 40)
ends_ms = st.integers(1, 40)


def made(place: int, reads, upstream=(), inherited=None, size: int = 0, cost_ms: float = 12.5) -> Result:
    """A result of the name at `place`; upstream are places below it, since nothing is made from itself."""
    names = tuple(NAMES[u] for u in upstream if u < place)
    return Result({"text": "t" * size}, reads, cost_ms, {"tokens": 3}, names, inherited or {} if names else {})


def ids(step: Invalidated) -> Counter:
    return Counter([*map(str, step.entries), *step.shadows, *step.running])


class Agreement(RuleBasedStateMachine):
    client: redis.Redis

    def __init__(self) -> None:
        super().__init__()
        self.client.flushall()
        self.memory = MemoryStore(CONFIG)
        self.stores = (self.memory, redis_store(self.client, CONFIG))
        self.now_ms = NOW
        self.publish(dict.fromkeys(RECORDS[:2], 0))

    def both(self, port: str, method: str, *args, in_order: bool = True):
        """The answer that both give, equal or the test fails."""
        answers = [getattr(getattr(store, port), method)(*args) for store in self.stores]
        if not in_order:
            answers = [sorted(answer, key=str) for answer in answers]
        assert answers[0] == answers[1], f"{port}.{method}{args}"
        return answers[0]

    def at(self, above):
        """{record: version} for what was drawn."""
        published = self.memory.records.versions(list(above))
        return {record: published.get(record, 1) + by for record, by in above.items()}

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

    @rule(fill_id=fills, place=places, upstream=upstreams, owner=owners)
    def start(self, fill_id, place, upstream, owner):
        names = [NAMES[u] for u in sorted(upstream) if u < place]
        self.both("shadows", "start", fill_id, NAMES[place], owner, self.now_ms, names)

    @rule(fill_id=fills, read=reads, upstream=upstreams, inherited=reads, size=sizes, cost_ms=engine_ms, in_ms=ends_ms)
    def complete(self, fill_id, read, upstream, inherited, size, cost_ms, in_ms):
        fill = self.memory.shadows.fill(fill_id)
        place = NAMES.index(fill.name) if fill and fill.name else 0
        result = made(place, self.at(read), upstream, self.at(inherited), size, cost_ms)
        self.both("shadows", "complete", fill_id, result, self.now_ms, self.now_ms + in_ms)

    @rule(chain_id=st.sampled_from(CHAINS), place=places, read=reads, upstream=upstreams, size=sizes)
    def fill_whole(self, chain_id, place, read, upstream, size):
        """The whole way at once, or random steps would seldom get as far as a shadow."""
        self.open("b0")
        self.admit("b0", chain_id, 30)
        self.start(f"{chain_id}.0", place, upstream, "o1")
        self.complete(f"{chain_id}.0", read, upstream, {}, size, 12.5, 30)

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

    @rule(place=places, read=reads, upstream=upstreams, inherited=reads, size=sizes, cost_ms=engine_ms)
    def record(self, place, read, upstream, inherited, size, cost_ms):
        result = made(place, self.at(read), upstream, self.at(inherited), size, cost_ms)
        self.both("library", "record", NAMES[place], result, "canonical:d", "w/1/s", self.now_ms)

    @rule(steps=st.lists(st.tuples(places, reads, upstreams), min_size=2, max_size=4))
    def record_family(self, steps):
        """Each made from the one before at least: so provenance gets deep in a few steps."""
        before = set()
        for place, read, upstream in sorted(steps, key=lambda step: step[0]):
            self.record(place, read, upstream | before, {}, 0, 12.5)
            before = {place}

    @rule(wanted=names, max_age_ms=st.none() | spans_ms)
    def probe(self, wanted, max_age_ms):
        self.both("library", "probe", wanted, self.now_ms, max_age_ms)

    @rule(wanted=st.lists(names, max_size=2))
    def delete(self, wanted):
        self.both("library", "delete", wanted)

    @rule(record=records)
    def readers(self, record):
        self.both("library", "readers", record, in_order=False)

    @rule(after=st.none() | names, limit=st.integers(1, 3))
    def page(self, after, limit):
        self.both("library", "page", after, limit)

    @rule(read=reads)
    def fresh(self, read):
        self.both("records", "fresh", self.at(read))

    @rule(written=st.lists(records, unique=True), token=tokens, in_ms=spans_ms)
    def begin_write(self, written, token, in_ms):
        self.both("records", "begin_write", written, token, self.now_ms + in_ms)

    @rule(published=versions, token=tokens)
    def commit_write(self, published, token):
        self.write("commit_write", self.at(published), token, self.now_ms)

    @rule(published=versions)
    def publish(self, published):
        self.write("publish", self.at(published), self.now_ms)

    def write(self, method, *args):
        """Step by step to the end. Which member comes first is each store's own; what ends in all is not."""
        steps = [getattr(store.records, method)(*args) for store in self.stores]
        ended = [ids(step) for step in steps]
        while any(step.open for step in steps):
            self.serves_no_more_than_it_will([step.open for step in steps])
            steps = [store.records.cascade(self.now_ms) for store in self.stores]
            ended = [before + ids(step) for before, step in zip(ended, steps, strict=True)]
        assert ended[0] == ended[1], f"{method}{args}"

    def serves_no_more_than_it_will(self, still_open):
        """While both are at it they serve the same; one that has ended serves those with producer edges again."""
        served = [{n for n in NAMES if (f := store.library.facts(n)) and f.fresh is None} for store in self.stores]
        if all(still_open):
            assert served[0] == served[1]
        else:
            assert served[still_open.index(True)] <= served[still_open.index(False)]

    @rule(limit=st.integers(1, 3))
    def expired_writes(self, limit):
        self.both("records", "expired_writes", self.now_ms, limit)

    @rule(owner=owners, in_ms=spans_ms)
    def beat(self, owner, in_ms):
        self.both("shadows", "beat", owner, self.now_ms + in_ms)

    @rule(limit=st.integers(1, 3))
    def sweep(self, limit):
        self.both("library", "sweep", self.now_ms, limit)
        self.both("shadows", "sweep", self.now_ms, limit, in_order=False)
        self.both("branches", "sweep", self.now_ms, limit)

    @invariant()
    def same_counts(self):
        self.both("library", "totals")
        self.both("shadows", "counts")
        for wanted in NAMES:
            self.both("library", "facts", wanted)

    def teardown(self):
        for namespace in ("t", "t|u", "nobody"):
            self.both("library", "counts", namespace)
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
        self.both("shadows", "sweep", self.now_ms, 10, in_order=False)  # reports what had to give way
        self.both("branches", "sweep", self.now_ms + CONFIG.settled_keep_ms, 10)
        self.both("library", "sweep", self.now_ms + CONFIG.entry_ttl_ms, 10)
        assert self.both("shadows", "orphans", self.now_ms + 1000, 100) == ()
        left = {key.decode().rpartition("}:")[2] for key in self.client.keys("*")}
        assert left <= {"versions", "writing", "leases", "unknown", "totals", "counts:t", "counts:t|u"}


@pytest.mark.timeout(600)
def test_memory_and_redis_give_the_same_answers_and_leave_no_dangling_index(store_client):
    class Agree(Agreement):
        client = store_client

    run_state_machine_as_test(
        Agree,
        settings=settings(
            max_examples=40,
            stateful_step_count=50,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
