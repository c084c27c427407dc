"""Confirmed entries, on memory and on Redis: what is kept, read back, joined and made room for."""

from dataclasses import replace

import pytest

from apps.serving.config import ServingConfig
from apps.serving.outcomes import Hit, Miss, MissReason
from apps.serving.ports import Invalidated
from tests.contract.stores_bench import LATER, NOW, name, result, running, shadow

ABSENT, STALE, UNCERTAIN = Miss(MissReason.ABSENT), Miss(MissReason.STALE), Miss(MissReason.UNCERTAIN)
A, B = "place:a", "collection:café"


def entry(store, key="q", reads=None, at_ms=NOW):
    return store.library.record(name(key), result(key, reads), f"canonical:{key}", "w/1/s", at_ms)


def test_a_recorded_result_is_read_back_equal_with_its_producer(store):
    store.records.publish({A: 1}, NOW)
    output = {"text": "Grüße 🎉 \u0000 \ud83c", "list": [1, 2.5, None, True, {"deep": []}]}
    assert store.library.record(name(), result(output, {A: 1}), "canonical:d1", "w/1/s", NOW) is None
    assert store.library.probe(name(), NOW + 1) == Hit(result(output, {A: 1}), "canonical:d1", NOW)
    assert store.library.totals().entries == 1


def test_entries_of_other_namespaces_are_not_seen(store):
    entry(store)
    assert store.library.probe(name(namespace="other|tenant/shared"), NOW) == ABSENT


@pytest.mark.parametrize(("version", "refused"), [(2, STALE), (1, None)])
def test_only_a_fresh_result_is_recorded(store, version, refused):
    store.records.publish({A: 1}, NOW)
    assert entry(store, reads={A: version}) == refused
    assert isinstance(store.library.probe(name(), NOW), Hit) is (refused is None)


@pytest.mark.parametrize(("own", "inherited"), [(1, 2), (2, 1)])
def test_a_result_that_read_a_record_in_two_versions_is_stale_whichever_is_published(store, own, inherited):
    store.records.publish({A: 1}, NOW)
    made = replace(result("q", {A: own}), upstream=(name("above"),), inherited={A: inherited})
    assert store.library.record(name(), made, "canonical:d", "w/1/s", NOW) == STALE
    fill_id = running(store)
    assert store.shadows.complete(fill_id, made, NOW, LATER) == STALE


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
    store.library.record(name(), result("new", {B: 1}), "canonical:2", "w/1/s", NOW + 1)
    assert store.records.publish({A: 2}, NOW + 1) == Invalidated()
    assert store.library.probe(name(), NOW + 1) == Hit(result("new", {B: 1}), "canonical:2", NOW + 1)


def test_the_entry_of_least_worth_makes_room(make_store):
    store = make_store(ServingConfig(library_entries=2))
    entry(store, "old", at_ms=NOW)
    entry(store, "young", at_ms=NOW + 1)
    store.library.probe(name("old"), NOW + 2)
    entry(store, "new", at_ms=NOW + 3)
    assert store.library.totals().entries == 2
    assert store.library.probe(name("young"), NOW + 4) == ABSENT
    assert isinstance(store.library.probe(name("old"), NOW + 4), Hit)


def test_a_promotion_makes_room_too(make_store):
    store = make_store(ServingConfig(library_entries=1))
    entry(store, "old")
    fill_id = shadow(store)
    store.shadows.promote(fill_id, name(), True, NOW + 1)
    assert store.library.totals().entries == 1
    assert isinstance(store.library.probe(name(), NOW + 1), Hit)


def test_an_entry_lives_as_long_as_it_is_used(make_store):
    store = make_store(ServingConfig(entry_ttl_ms=100))
    entry(store)
    assert isinstance(store.library.probe(name(), NOW + 99), Hit)
    assert isinstance(store.library.probe(name(), NOW + 198), Hit)
    assert store.library.probe(name(), NOW + 298) == ABSENT
    assert store.library.totals().entries == 0


def test_the_sweep_removes_unused_entries_oldest_first_up_to_its_limit(make_store):
    store = make_store(ServingConfig(entry_ttl_ms=100))
    for place in (2, 0, 1):
        entry(store, place, at_ms=NOW + place)
    assert store.library.sweep(NOW + 99, 10) == 0
    assert store.library.sweep(NOW + 101, 1) == 1
    assert store.library.probe(name(0), NOW) == ABSENT
    assert store.library.sweep(NOW + 102, 10) == 2
    assert store.library.totals().entries == 0
