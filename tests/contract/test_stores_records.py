"""Record versions, two-phase writes, the cascade, and the library that it empties; on memory and on Redis."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.serving.branch.fill import FillState
from apps.serving.config import ServingConfig
from apps.serving.outcomes import Hit, Miss, MissReason
from tests.contract.stores_bench import LATER, NOW, name, result, running, shadow

ABSENT, STALE, UNCERTAIN = Miss(MissReason.ABSENT), Miss(MissReason.STALE), Miss(MissReason.UNCERTAIN)
A, B = "place:a", "collection:café"


def entry(store, key="q", reads=None, at_ms=NOW):
    return store.library.record(name(key), result(key, reads), f"canonical:{key}", at_ms)


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
    assert store.records.publish({A: 4}, NOW) == ()
    store.records.begin_write([A], "w", LATER)
    assert store.records.commit_write({A: 3}, "w", NOW) == ()
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

    ended = store.records.commit_write({A: 2}, "w", NOW)

    assert sorted(ended) == sorted([str(name("a")), str(name("ab")), fill_a])
    assert store.shadows.fill(fill_a).state is FillState.STALE
    assert store.shadows.fill(fill_b).state is FillState.SHADOW
    assert store.shadows.find(name("fa"), NOW) is None
    kept = [key for key in ("a", "b", "ab", "none") if isinstance(store.library.probe(name(key), NOW), Hit)]
    assert kept == ["b", "none"]


def test_the_reconcilers_publication_cascades_as_a_commit_does(store):
    store.records.publish({A: 1}, NOW)
    entry(store, reads={A: 1})
    assert store.records.publish({A: 2}, NOW) == (str(name()),)
    assert store.records.publish({A: 2}, NOW) == ()
    assert store.library.probe(name(), NOW) == ABSENT


def test_a_write_of_several_records_names_each_reader_once(store):
    store.records.publish({A: 1, B: 1}, NOW)
    entry(store, reads={A: 1, B: 1})
    fill_id = shadow(store, reads={A: 1, B: 1})
    store.records.begin_write([A, B], "w", LATER)
    assert sorted(store.records.commit_write({A: 2, B: 2}, "w", NOW)) == sorted([str(name()), fill_id])


def test_a_running_fill_is_caught_by_a_write_when_it_completes(store):
    store.records.publish({A: 1}, NOW)
    fill_id = running(store)
    store.records.begin_write([A], "w", LATER)
    assert store.records.commit_write({A: 2}, "w", NOW) == ()
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
        ended = pool.map(lambda t: store.records.commit_write({A: tokens[t]}, t, NOW), tokens)
    assert sorted(i for ids in ended for i in ids) == sorted(str(name(key)) for key in range(20))
    assert store.records.fresh({A: 9}) is None


# -- the library --------------------------------------------------------------------------------------


def test_a_recorded_result_is_read_back_equal_with_its_producer(store):
    store.records.publish({A: 1}, NOW)
    output = {"text": "Grüße 🎉 \u0000 \ud83c", "list": [1, 2.5, None, True, {"deep": []}]}
    assert store.library.record(name(), result(output, {A: 1}), "canonical:d1", NOW) is None
    assert store.library.probe(name(), NOW) == Hit(result(output, {A: 1}), "canonical:d1")
    assert store.library.count() == 1


def test_entries_of_other_namespaces_are_not_seen(store):
    entry(store)
    assert store.library.probe(name(namespace="other|tenant/shared"), NOW) == ABSENT


@pytest.mark.parametrize(("version", "refused"), [(2, STALE), (1, None)])
def test_only_a_fresh_result_is_recorded(store, version, refused):
    store.records.publish({A: 1}, NOW)
    assert entry(store, reads={A: version}) == refused
    assert isinstance(store.library.probe(name(), NOW), Hit) is (refused is None)


def test_a_result_with_an_unknown_record_is_not_recorded_and_the_record_is_asked_for(store):
    assert entry(store, reads={A: 1}) == UNCERTAIN
    assert store.records.expired_writes(NOW, 10) == (A,)


def test_an_entry_is_a_miss_while_its_record_is_written_and_a_hit_after_a_rollback(store):
    store.records.publish({A: 1}, NOW)
    entry(store, reads={A: 1})
    store.records.begin_write([A], "w", NOW + 10)
    assert store.library.probe(name(), NOW) == UNCERTAIN
    store.records.publish({A: 1}, NOW + 10)
    assert isinstance(store.library.probe(name(), NOW + 10), Hit)


def test_a_new_result_of_a_name_takes_the_place_of_the_old_one_and_of_its_reads(store):
    store.records.publish({A: 1, B: 1}, NOW)
    entry(store, reads={A: 1})
    store.library.record(name(), result("new", {B: 1}), "canonical:2", NOW)
    assert store.records.publish({A: 2}, NOW) == ()
    assert store.library.probe(name(), NOW) == Hit(result("new", {B: 1}), "canonical:2")


def test_the_least_recently_used_entry_makes_room(make_store):
    store = make_store(ServingConfig(library_entries=2))
    entry(store, "old", at_ms=NOW)
    entry(store, "young", at_ms=NOW + 1)
    store.library.probe(name("old"), NOW + 2)
    entry(store, "new", at_ms=NOW + 3)
    assert store.library.count() == 2
    assert store.library.probe(name("young"), NOW + 4) == ABSENT
    assert isinstance(store.library.probe(name("old"), NOW + 4), Hit)


def test_a_promotion_makes_room_too(make_store):
    store = make_store(ServingConfig(library_entries=1))
    entry(store, "old")
    fill_id = shadow(store)
    store.shadows.promote(fill_id, name(), True, NOW + 1)
    assert store.library.count() == 1
    assert isinstance(store.library.probe(name(), NOW + 1), Hit)


def test_an_entry_lives_as_long_as_it_is_used(make_store):
    store = make_store(ServingConfig(entry_ttl_ms=100))
    entry(store)
    assert isinstance(store.library.probe(name(), NOW + 99), Hit)
    assert isinstance(store.library.probe(name(), NOW + 198), Hit)
    assert store.library.probe(name(), NOW + 298) == ABSENT
    assert store.library.count() == 0


def test_the_sweep_removes_unused_entries_oldest_first_up_to_its_limit(make_store):
    store = make_store(ServingConfig(entry_ttl_ms=100))
    for place in (2, 0, 1):
        entry(store, place, at_ms=NOW + place)
    assert store.library.sweep(NOW + 99, 10) == 0
    assert store.library.sweep(NOW + 101, 1) == 1
    assert store.library.probe(name(0), NOW) == ABSENT
    assert store.library.sweep(NOW + 102, 10) == 2
    assert store.library.count() == 0
