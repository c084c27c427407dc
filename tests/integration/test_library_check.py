"""Every invariant of the library, broken by hand, is found, said in words and mended, and then nothing is left."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest
import redis

from apps.serving.branch.fill import FillEvent
from apps.serving.branch.record import BranchRecord, BranchState
from apps.serving.config import ServingConfig
from apps.serving.names import Coordinate, Json, ReuseName, digest
from apps.serving.outcomes import Hit, Result
from apps.serving.ports import ChainRecord, FillRecord
from apps.serving.workflow import Semantics
from apps.stores import keys, library_check
from apps.stores.library_check import Finding, LibraryCheck
from tests.contract.conftest import RedisStore, redis_store

NOW_MS, LATER_MS = 1_000, 999_000
PLACE, OTHER = "place:a", "place:b"


def name(key: str) -> ReuseName:
    return ReuseName("t", "f" * 64, digest(key), 10)


def result(reads: Mapping[str, int], *upstream: ReuseName, inherited: Mapping[str, int] | None = None) -> Result:
    return Result({"text": "words"}, reads, 5.0, {}, upstream, inherited or {})


ROOT, MADE, GONE, CHILD, WAITING = map(name, ("root", "made", "gone", "child", "waiting"))


@dataclass(eq=False)
class Library:
    """An entry, one made from it, a ghost with its child, a fill in every state, an open write; and Redis itself."""

    client: redis.Redis
    store: RedisStore

    def fill_up(self) -> "Library":
        store = self.store
        store.records.publish({PLACE: 1, OTHER: 1}, NOW_MS)
        self.keep(ROOT, result({PLACE: 1}))
        self.keep(MADE, result({}, ROOT, inherited={PLACE: 1}))
        self.keep(GONE, result({OTHER: 1}))
        self.keep(CHILD, result({}, GONE, inherited={OTHER: 1}))
        store.library.delete([GONE])
        self.branch("b", "reserved", "running", "shadow", "lost")
        for fill_id in ("running", "shadow", "lost"):
            assert store.shadows.start(fill_id, WAITING, "worker", NOW_MS, [ROOT]) is None
        shadow = result({OTHER: 1}, ROOT, inherited={PLACE: 1})
        assert store.shadows.complete("shadow", shadow, NOW_MS, LATER_MS) is None
        assert store.shadows.leave("lost", FillEvent.LOSE, NOW_MS)
        self.branch("old")
        for leave, enter in ((BranchState.OPEN, BranchState.RESOLVED), (BranchState.RESOLVED, BranchState.SETTLED)):
            assert store.branches.move("old", leave, enter, NOW_MS) is None
        store.records.begin_write(["place:c"], "token", LATER_MS)
        return self

    def keep(self, kept: ReuseName, made: Result) -> None:
        assert self.store.library.record(kept, made, "canonical:1", "toy/1/look", NOW_MS) is None

    def branch(self, branch_id: str, *fill_ids: str) -> None:
        at = Coordinate("toy", 1, "say")
        record = BranchRecord(branch_id, at, Semantics.INDEPENDENT, {}, NOW_MS, LATER_MS)
        assert self.store.branches.open(record, NOW_MS) is None
        chain = ChainRecord(f"c-{branch_id}", branch_id, "0", 0, {}, {}, fill_ids, "r", 1, 1, LATER_MS)
        fills = [FillRecord(f, chain.chain_id, branch_id, i, "look", f) for i, f in enumerate(fill_ids)]
        assert self.store.shadows.create_chain(chain, fills, NOW_MS) is None

    def key(self, called: str, object_id: object = "") -> str:
        return f"dynbranch:{{library.main}}:{called}{object_id}"

    def check(self, repair: bool = False) -> tuple[Finding, ...]:
        return LibraryCheck(self.client).run(repair=repair, now_ms=NOW_MS).findings


@pytest.fixture
def library(redis_client: redis.Redis) -> Library:
    return Library(redis_client, redis_store(redis_client, ServingConfig(cascade_step=1))).fill_up()


Break = Callable[[Library], object]

E_ROOT, E_MADE = f"e|{ROOT}", f"e|{MADE}"
DAMAGE: Mapping[str, tuple[Break, str]] = {
    "an entry without a producer": (lambda x: x.client.hdel(x.key("entry:", ROOT), "producer"), "has no producer"),
    "reads that cannot be read": (lambda x: x.client.hset(x.key("entry:", ROOT), "reads", "{"), "cannot be read"),
    "an entry that no use orders": (lambda x: x.client.zrem(x.key("used"), str(ROOT)), "not in the order of use"),
    "an entry that no worth orders": (lambda x: x.client.zrem(x.key("worth"), str(ROOT)), "not in the order of worth"),
    "an entry that no name orders": (lambda x: x.client.zrem(x.key("names"), str(ROOT)), "not in the order of names"),
    "wrong bytes": (lambda x: x.client.hincrby(x.key("entry:", ROOT), "bytes", 7), "bytes and says"),
    "a reader that is not indexed": (
        lambda x: x.client.srem(x.key("readers:", PLACE), E_ROOT), f"{ROOT} is not among the readers of {PLACE}"),
    "an entry that outlived a write": (
        lambda x: x.client.hset(x.key("versions"), PLACE, 2), f"entry {ROOT} outlived a write of {PLACE}"),
    "a child that is not indexed": (
        lambda x: x.client.srem(x.key("children:", ROOT), E_MADE), f"{MADE} is not among the children of {ROOT}"),
    "a name that nothing holds": (lambda x: x.client.delete(x.key("ghost:", GONE)), f"{GONE}, which nothing holds"),
    "a ghost without a child": (lambda x: x.client.delete(x.key("children:", GONE)), f"ghost {GONE} has no child"),
    "a ghost that cannot be read": (lambda x: x.client.hdel(x.key("ghost:", GONE), "bytes"), "cannot be read"),
    "wrong bytes of a ghost": (lambda x: x.client.hincrby(x.key("ghost:", GONE), "bytes", 7), f"ghost {GONE} holds"),
    "a ghost that is not indexed": (
        lambda x: x.client.srem(x.key("readers:", OTHER), f"g|{GONE}"), f"ghost {GONE} is not among the readers"),
    "wrong total of bytes": (lambda x: x.client.hincrby(x.key("totals"), "bytes", 1), "totals say"),
    "wrong total of ghosts": (lambda x: x.client.hincrby(x.key("totals"), "ghosts", 1), "2 ghosts, and there are 1"),
    "a reader that is not there": (lambda x: x.client.sadd(x.key("readers:", PLACE), "e|x"), "readers:place:a has e|x"),
    "a child that is not there": (lambda x: x.client.sadd(x.key("children:", ROOT), "f|x"), "has f|x"),
    "a use of nothing": (lambda x: x.client.zadd(x.key("used"), {"x": 1}), "used has x"),
    "a worth of nothing": (lambda x: x.client.zadd(x.key("worth"), {"x": 1}), "worth has x"),
    "a name of nothing": (lambda x: x.client.zadd(x.key("names"), {"x": 0}), "names has x"),
    "a reserved fill that is not listed": (
        lambda x: x.client.zrem(x.key("reserved"), "reserved"), "fill reserved is reserved and not in reserved"),
    "a running fill that is not listed": (
        lambda x: x.client.zrem(x.key("running"), "running"), "fill running is running and not in running"),
    "a running fill that nobody owns": (lambda x: x.client.srem(x.key("owned:", "worker"), "running"), "not in owned"),
    "an owner without a heartbeat": (lambda x: x.client.zrem(x.key("owners"), "worker"), "owner worker runs fills"),
    "a running fill that no name finds": (
        lambda x: x.client.zrem(x.key("named:", WAITING), "running"), "fill running is running and not in named"),
    "a running fill named as a shadow": (
        lambda x: x.client.zadd(x.key("named:", WAITING), {"running": -5}), "fill running is named as a shadow"),
    "a shadow that never expires": (lambda x: x.client.zrem(x.key("expiry"), "shadow"), "is shadow and not in expiry"),
    "a shadow with two expiries": (
        lambda x: x.client.zadd(x.key("expiry"), {"shadow": 5}), "fill shadow is named with another expiry"),
    "a shadow without a result": (lambda x: x.client.hdel(x.key("fill:", "shadow"), "result"), "without a result"),
    "a shadow that is not indexed": (
        lambda x: x.client.srem(x.key("readers:", OTHER), "f|shadow"), "fill shadow is not among the readers"),
    "an ended fill that is still listed": (
        lambda x: x.client.zadd(x.key("running"), {"lost": 1}), "fill lost is discarded and still in running"),
    "a reservation of nothing": (lambda x: x.client.zadd(x.key("reserved"), {"x": 1}), "reserved has x"),
    "a running nothing": (lambda x: x.client.zadd(x.key("running"), {"x": 1}), "running has x"),
    "an expiry of nothing": (lambda x: x.client.zadd(x.key("expiry"), {"x": 1}), "expiry has x"),
    "a named nothing": (lambda x: x.client.zadd(x.key("named:", "n"), {"x": 1}), "named:n has x"),
    "an owned nothing": (lambda x: x.client.sadd(x.key("owned:", "worker"), "x"), "owned:worker has x"),
    "a fill without a chain": (lambda x: x.client.delete(x.key("chain:", "c-b")), "is in no chain"),
    "a chain that its branch does not list": (
        lambda x: x.client.lrem(x.key("chains:", "b"), 0, "c-b"), "chain c-b is not in its branch"),
    "a chain that is not there": (lambda x: x.client.rpush(x.key("chains:", "b"), "x"), "branch b lists chain x"),
    "a fill that is not there": (lambda x: x.client.delete(x.key("fill:", "lost")), "chain c-b lists fill lost"),
    "a chain that cannot be read": (lambda x: x.client.hset(x.key("chain:", "c-b"), "fills", "{"), "has no branch"),
    "a branch that is not there": (lambda x: x.client.delete(x.key("branch:", "b")), "chain c-b has no branch"),
    "an open branch that is not listed": (
        lambda x: x.client.zrem(x.key("unsettled"), "b"), "branch b is not in unsettled"),
    "a settled branch that is not listed": (
        lambda x: x.client.zrem(x.key("retired"), "old"), "branch old is not in retired"),
    "a settled branch listed as open": (
        lambda x: x.client.zadd(x.key("unsettled"), {"old": 1}), "branch old is still in unsettled"),
    "an unsettled nothing": (lambda x: x.client.zadd(x.key("unsettled"), {"x": 1}), "unsettled has x"),
    "a retired nothing": (lambda x: x.client.zadd(x.key("retired"), {"x": 1}), "retired has x"),
    "a write without a lease": (lambda x: x.client.delete(x.key("leases")), "writes of place:c have another lease"),
    "a write that cannot be read": (lambda x: x.client.hset(x.key("writing"), "place:c", "{"), "writes of place:c"),
    "a lease of nothing": (lambda x: x.client.zadd(x.key("leases"), {"x": 1}), "leases has x"),
    "a known record asked for": (lambda x: x.client.zadd(x.key("unknown"), {PLACE: 1}), f"unknown has {PLACE}"),
    "work in no cascade": (lambda x: x.client.sadd(x.key("work:", "n|x"), "e|x"), "work n|x is in no cascade"),
    "a cascade without work": (lambda x: x.client.rpush(x.key("cascading"), "n|x"), "the cascade has n|x"),
    "a stray key": (lambda x: x.client.set(x.key("leftover:", "x"), 1), "leftover:x is a string"),
    "a stray key without an id": (lambda x: x.client.sadd(x.key("readers"), "x"), ":readers is a set"),
    "a key of another type": (lambda x: x.client.set(x.key("readers:", "r"), 1), "readers:r is a string"),
}  # fmt: skip


def test_a_library_with_something_of_everything_is_clean(library: Library):
    assert library.check() == ()


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_broken_is_found_said_and_mended(library: Library, damage: str):
    broken, words = DAMAGE[damage]
    broken(library)

    found = library.check()
    assert any(words in one.what for one in found), found
    assert not any(one.repaired for one in found)
    assert {one.what for one in library.check()} == {one.what for one in found}

    mended = library.check(repair=True)
    assert mended
    assert all(one.repaired for one in mended)
    while library.store.records.cascade(NOW_MS).open:
        pass
    assert library.check() == ()


def test_what_was_made_from_an_entry_that_may_have_missed_a_write_goes_with_it(library: Library):
    library.client.srem(library.key("readers:", PLACE), E_ROOT)

    library.check(repair=True)
    while library.store.records.cascade(NOW_MS).open:
        pass

    assert library.store.library.facts(ROOT) is None
    assert library.store.library.facts(MADE) is None
    assert library.store.library.facts(CHILD) is not None
    assert library.store.shadows.counts().shadows == 0


def test_bookkeeping_is_mended_without_a_loss(library: Library):
    for index in ("used", "worth", "names", "totals"):
        library.client.delete(library.key(index))
    library.store.records.publish({"place:c": 1}, LATER_MS)

    library.check(repair=True)

    assert isinstance(library.store.library.probe(ROOT, NOW_MS + 1), Hit)
    assert library.store.library.totals().entries == 3
    assert library.store.library.totals().ghosts == 1


def test_other_libraries_and_other_keys_are_not_looked_at(library: Library):
    library.client.set("dynbranch:{library.mainly}:leftover:x", 1)
    library.client.set("other", 1)

    assert library.check(repair=True) == ()
    assert library.client.exists("other", "dynbranch:{library.mainly}:leftover:x") == 2


def test_nodes_that_an_open_cascade_has_yet_to_look_at_are_no_fault(library: Library):
    step = library.store.records.publish({OTHER: 2, PLACE: 2}, NOW_MS)
    assert step.open

    while step.open:
        assert library.check() == ()
        step = library.store.records.cascade(NOW_MS)
    assert library.check() == ()


def test_the_report_says_what_it_looked_at_and_what_is_left(library: Library):
    library.client.zadd(library.key("used"), {"x": 1})

    report = LibraryCheck(library.client).run(repair=False, now_ms=NOW_MS)

    shown: Json = report.as_json()
    assert report.left == ("used has x, which does not belong there",)
    assert shown["checked"]["entry"] == 3
    assert (shown["clean"], shown["left"]) == (False, 1)


def test_a_large_library_is_added_up_in_one_step_only_while_it_is_quiet(library: Library, monkeypatch):
    monkeypatch.setattr(library_check, "AT_ONCE", 0)
    library.client.hincrby(library.key("totals"), "bytes", 1)

    report = LibraryCheck(library.client).run(repair=False, now_ms=NOW_MS)
    assert report.totals
    assert any("totals say" in what for what in report.left)

    add_up = library_check._Walk._add_up

    def busy(walk):
        library.client.hincrby(library.key("totals"), "bytes", 1)
        return add_up(walk)

    monkeypatch.setattr(library_check._Walk, "_add_up", busy)
    report = LibraryCheck(library.client).run(repair=False, now_ms=NOW_MS)
    assert not report.totals
    assert report.findings == ()


def test_every_key_of_a_library_says_its_type_lest_the_check_takes_it_for_a_stray_one():
    assert [name for name in keys.LIBRARY if not library_check._type_of(name)] == []
