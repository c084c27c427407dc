"""Record versions, two-phase writes, and the cascade; on memory and on Redis."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.serving.branch.fill import FillState
from apps.serving.outcomes import Hit, Miss, MissReason
from apps.serving.ports import Invalidated
from tests.contract.stores_bench import LATER, NOW, name, result, running, shadow

ABSENT, STALE, UNCERTAIN = Miss(MissReason.ABSENT), Miss(MissReason.STALE), Miss(MissReason.UNCERTAIN)
A, B = "place:a", "collection:café"


def entry(store, key="q", reads=None, at_ms=NOW):
    return store.library.record(name(key), result(key, reads), f"canonical:{key}", "w/1/s", at_ms)


def ended(invalidated: Invalidated) -> list[str]:
    """Names and fill ids, in order; nothing may be left to do."""
    assert not invalidated.open
    return sorted([*map(str, invalidated.entries), *invalidated.shadows, *invalidated.running])


# -- versions -----------------------------------------------------------------------------------------


def test_nothing_read_is_always_fresh(store):
    assert store.records.fresh({}) is None


def test_only_the_published_version_is_fresh(store):
    store.records.publish({A: 3, B: 1}, NOW)
    assert store.records.fresh({A: 3, B: 1}) is None
    assert store.records.fresh({A: 2}) == STALE
    assert store.records.fresh({A: 4}) == STALE


def test_an_unknown_version_is_uncertain_and_is_reported_until_it_is_published(store):
    assert store.records.fresh({A: 1}) == UNCERTAIN
    assert store.records.expired_writes(NOW, 10) == (A,)
    assert store.records.expired_writes(NOW, 10) == (A,)
    store.records.publish({A: 1}, NOW)
    assert store.records.expired_writes(NOW, 10) == ()
    assert store.records.fresh({A: 1}) is None


def test_what_is_stale_says_so_even_beside_an_uncertain_record(store):
    store.records.publish({A: 2}, NOW)
    assert store.records.fresh({A: 1, B: 1}) == STALE
    assert store.records.fresh({B: 1, A: 1}) == STALE
    assert store.records.expired_writes(NOW, 10) == (B,)


def test_an_unknown_record_that_cannot_be_answered_does_not_hide_the_others(store):
    for record in ("r1", "r2", "r3"):
        store.records.fresh({record: 1})
    reported = [store.records.expired_writes(NOW + at_ms, 1)[0] for at_ms in range(1, 4)]
    assert sorted(reported) == ["r1", "r2", "r3"]


def test_a_version_is_never_lowered(store):
    store.records.publish({A: 5}, NOW)
    entry(store, reads={A: 5})
    assert store.records.publish({A: 4}, NOW) == Invalidated()
    store.records.begin_write([A], "w", LATER)
    assert store.records.commit_write({A: 3}, "w", NOW) == Invalidated()
    assert store.records.fresh({A: 5}) is None


# -- two-phase writes ---------------------------------------------------------------------------------


def test_a_record_being_written_is_uncertain_until_its_write_commits(store):
    store.records.publish({A: 1}, NOW)
    store.records.begin_write([A], "w", LATER)
    assert store.records.fresh({A: 1}) == UNCERTAIN
    store.records.commit_write({A: 2}, "w", NOW)
    assert store.records.fresh({A: 2}) is None
    assert store.records.fresh({A: 1}) == STALE


def test_overlapping_writes_keep_a_record_uncertain_until_the_last_has_committed(store):
    store.records.begin_write([A, B], "w1", LATER)
    store.records.begin_write([A], "w2", LATER)
    store.records.commit_write({A: 3, B: 1}, "w1", NOW)
    assert store.records.fresh({B: 1}) is None
    assert store.records.fresh({A: 3}) == UNCERTAIN
    store.records.commit_write({A: 2}, "w2", NOW)
    assert store.records.fresh({A: 3}) is None


def test_a_repeated_begin_counts_once(store):
    store.records.begin_write([A], "w", LATER)
    store.records.begin_write([A], "w", LATER)
    store.records.commit_write({A: 1}, "w", NOW)
    assert store.records.fresh({A: 1}) is None


def test_a_write_whose_lease_ran_out_is_reported_and_reconciled(store):
    store.records.publish({A: 1}, NOW)
    store.records.begin_write([A], "dead", NOW + 10)
    assert store.records.expired_writes(NOW + 9, 10) == ()
    assert store.records.expired_writes(NOW + 10, 10) == (A,)
    assert store.records.fresh({A: 1}) == UNCERTAIN
    store.records.publish({A: 2}, NOW + 10)
    assert store.records.fresh({A: 2}) is None
    assert store.records.expired_writes(NOW + 10, 10) == ()


def test_reconciling_a_dead_write_leaves_an_open_one_of_the_same_record_uncertain(store):
    store.records.begin_write([A], "dead", NOW + 10)
    store.records.begin_write([A], "open", LATER)
    store.records.publish({A: 2}, NOW + 10)
    assert store.records.fresh({A: 2}) == UNCERTAIN
    assert store.records.expired_writes(NOW + 10, 10) == ()
    assert store.records.expired_writes(LATER, 10) == (A,)


def test_a_slow_writer_that_marks_again_before_its_commit_is_uncertain_again(store):
    store.records.begin_write([A], "slow", NOW + 10)
    store.records.publish({A: 1}, NOW + 10)
    store.records.begin_write([A], "slow", LATER)
    assert store.records.fresh({A: 1}) == UNCERTAIN
    store.records.commit_write({A: 2}, "slow", NOW + 20)
    assert store.records.fresh({A: 2}) is None


def test_a_record_is_reported_when_the_first_of_its_open_writes_ran_out(store):
    store.records.begin_write([A], "short", NOW + 10)
    store.records.begin_write([A], "long", NOW + 20)
    assert store.records.expired_writes(NOW + 10, 10) == (A,)
    store.records.commit_write({A: 1}, "short", NOW + 10)
    assert store.records.expired_writes(NOW + 19, 10) == ()
    assert store.records.expired_writes(NOW + 20, 10) == (A,)


def test_the_oldest_lease_is_reported_first_and_no_more_than_the_limit(store):
    for place in (2, 3, 1):
        store.records.begin_write([f"r{place}"], "w", NOW + place)
    assert store.records.expired_writes(NOW + 9, 2) == ("r1", "r2")


# -- the cascade --------------------------------------------------------------------------------------


def test_a_write_invalidates_exactly_what_read_another_version(store):
    store.records.publish({A: 1, B: 1}, NOW)
    for key, reads in (("a", {A: 1}), ("b", {B: 1}), ("ab", {A: 1, B: 1}), ("none", {})):
        assert entry(store, key, reads) is None
    fill_a, fill_b = shadow(store, "ca", "fa", {A: 1}), shadow(store, "cb", "fb", {B: 1})
    store.records.begin_write([A], "w", LATER)

    invalidated = store.records.commit_write({A: 2}, "w", NOW)

    assert set(invalidated.entries) == {name("a"), name("ab")}
    assert (invalidated.shadows, invalidated.running, invalidated.open) == ((fill_a,), (), False)
    assert store.shadows.fill(fill_a).state is FillState.STALE
    assert store.shadows.fill(fill_b).state is FillState.SHADOW
    assert store.shadows.find(name("fa"), NOW) is None
    kept = [key for key in ("a", "b", "ab", "none") if isinstance(store.library.probe(name(key), NOW), Hit)]
    assert kept == ["b", "none"]


def test_the_reconcilers_publication_cascades_as_a_commit_does(store):
    store.records.publish({A: 1}, NOW)
    entry(store, reads={A: 1})
    assert store.records.publish({A: 2}, NOW) == Invalidated(entries=(name(),))
    assert store.records.publish({A: 2}, NOW) == Invalidated()
    assert store.library.probe(name(), NOW) == ABSENT


def test_a_write_of_several_records_names_each_reader_once(store):
    store.records.publish({A: 1, B: 1}, NOW)
    entry(store, reads={A: 1, B: 1})
    fill_id = shadow(store, reads={A: 1, B: 1})
    store.records.begin_write([A, B], "w", LATER)
    assert ended(store.records.commit_write({A: 2, B: 2}, "w", NOW)) == sorted([str(name()), fill_id])


def test_a_running_fill_is_caught_by_a_write_when_it_completes(store):
    store.records.publish({A: 1}, NOW)
    fill_id = running(store)
    store.records.begin_write([A], "w", LATER)
    assert store.records.commit_write({A: 2}, "w", NOW) == Invalidated()
    assert store.shadows.complete(fill_id, result(reads={A: 1}), NOW, LATER) == STALE
    assert store.shadows.fill(fill_id).state is FillState.STALE


@pytest.mark.parametrize("race", range(5))
def test_a_promotion_and_a_write_never_leave_a_readable_stale_result(store, race):
    store.records.publish({A: 1}, NOW)
    fill_id = shadow(store, reads={A: 1})
    with ThreadPoolExecutor(4) as pool:
        begun = pool.submit(store.records.begin_write, [A], "w", LATER)
        promoting = [pool.submit(store.shadows.promote, fill_id, name(), True, NOW) for _ in range(3)]
        begun.result()
        store.records.commit_write({A: 2}, "w", NOW)
        for future in promoting:
            future.result()
    assert not isinstance(store.library.probe(name(), NOW), Hit)
    assert store.shadows.fill(fill_id).state in (FillState.PROMOTED, FillState.STALE)


def test_of_racing_writers_the_highest_version_stands_and_each_reader_falls_once(store):
    store.records.publish({A: 1}, NOW)
    for key in range(20):
        entry(store, key, {A: 1})
    tokens = {f"w{version}": version for version in range(2, 10)}
    for token in tokens:
        store.records.begin_write([A], token, LATER)
    with ThreadPoolExecutor(8) as pool:
        steps = list(pool.map(lambda t: store.records.commit_write({A: tokens[t]}, t, NOW), tokens))
    assert sorted(i for step in steps for i in ended(step)) == sorted(str(name(key)) for key in range(20))
    assert store.records.fresh({A: 9}) is None
