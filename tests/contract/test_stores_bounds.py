"""Bounds of the library on memory and on Redis: ghosts, bytes, worth, and shadows that give way."""

from dataclasses import replace

import pytest

from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.config import ServingConfig
from apps.serving.library.eviction import MAX_EVICTED, worth
from apps.serving.outcomes import Hit, Miss, MissReason, Promoted
from apps.serving.ports import LibraryTotals
from tests.contract.stores_bench import LATER, NOW, keep, made, name, reserved, result, running, shadow, size

ABSENT = Miss(MissReason.ABSENT)
A, B = "place:a", "collection:café"


# -- ghosts -------------------------------------------------------------------------------------------


def test_an_entry_that_something_was_made_from_leaves_a_ghost_until_the_last_of_that_is_gone(store):
    keep(store, "top")
    keep(store, "up", {}, ["top"])
    keep(store, "a", {}, ["up"])
    keep(store, "b", {}, ["up"])
    assert store.library.delete([name("top"), name("up"), name("absent")]) == 2
    assert store.library.totals().ghosts == 2
    assert store.library.totals().bytes == sum(
        [
            size("top"),
            size("up", (), ["top"]),
            *(store.library.facts(name(key)).bytes for key in "ab"),
        ]
    )
    store.library.delete([name("a")])
    assert store.library.totals().ghosts == 2
    store.library.delete([name("b")])
    assert store.library.totals() == LibraryTotals(entries=0, bytes=0, ghosts=0, clock=0.0)


def test_a_ghost_is_no_answer_and_stays_beside_a_new_entry_of_its_name(store):
    keep(store, "up")
    keep(store, "a", {}, ["up"])
    store.library.delete([name("up")])
    assert store.library.probe(name("up"), NOW) == ABSENT
    keep(store, "up")
    assert store.library.totals().ghosts == 1
    store.library.delete([name("a")])
    assert (store.library.totals().ghosts, store.library.totals().entries) == (0, 1)


@pytest.mark.parametrize("way", ["lost", "expired", "promoted without keeping"])
def test_a_shadow_that_something_was_made_from_leaves_a_ghost(store, way):
    fill_id = shadow(store, key="up")
    keep(store, "q", {}, ["up"])
    if way == "lost":
        store.shadows.leave(fill_id, FillEvent.LOSE, NOW)
    elif way == "expired":
        store.shadows.sweep(LATER, 10)
    else:
        store.shadows.promote(fill_id, name("up"), False, NOW)
    assert store.library.totals().ghosts == 1
    assert isinstance(store.library.probe(name(), NOW), Hit)


def test_a_shadow_that_becomes_an_entry_leaves_no_ghost(store):
    fill_id = shadow(store, key="up")
    keep(store, "q", {}, ["up"])
    store.shadows.promote(fill_id, name("up"), True, NOW)
    assert store.library.totals().ghosts == 0


def test_a_running_fill_keeps_the_ghost_of_what_it_was_given(store):
    keep(store, "up")
    fill_id = reserved(store)
    assert store.shadows.start(fill_id, name(), "w", NOW, [name("up")]) is None
    store.library.delete([name("up")])
    assert store.library.totals().ghosts == 1
    store.shadows.leave(fill_id, FillEvent.FAIL, NOW)
    assert store.library.totals().ghosts == 0


# -- bounds -------------------------------------------------------------------------------------------


def test_what_the_entries_hold_is_counted_by_the_formula(store):
    store.records.publish({A: 1, B: 1}, NOW)
    first = keep(store, "é", {A: 1, B: 1})
    assert store.library.totals().bytes == size("é", [A, B], (), first)
    second = keep(store, "é", {B: 1})
    assert store.library.totals().bytes == size("é", [B], (), second)
    store.library.delete([name("é")])
    assert store.library.totals().bytes == 0


def test_the_byte_budget_makes_room_and_the_clock_is_the_worth_of_what_went_last(make_store):
    cost = size("q", (), (), made("q"))
    store = make_store(ServingConfig(library_bytes=2 * cost + 50))
    for key, engine_ms in (("a", 5.0), ("b", 50.0), ("c", 500.0)):
        store.library.record(name(key), replace(made(key), engine_ms=engine_ms), "p", "w/1/s", NOW)
    assert set(store.library.page(None, 10)) == {name("b"), name("c")}
    assert store.library.totals().clock == worth(0.0, 0, 5.0, size("a", (), (), replace(made("a"), engine_ms=5.0)))


def test_an_entry_larger_than_the_budget_is_not_kept_and_its_earlier_one_goes(make_store):
    store = make_store(ServingConfig(library_bytes=3000))
    keep(store)
    assert store.library.record(name(), result("x" * 4000), "p", "w/1/s", NOW) is None
    assert store.library.totals() == LibraryTotals(0, 0, 0, 0.0)
    fill_id = running(store)
    assert store.shadows.complete(fill_id, result("x" * 4000), NOW, LATER) is None
    assert isinstance(store.shadows.promote(fill_id, name(), True, NOW), Promoted)
    assert store.library.totals().entries == 0


def test_one_entry_makes_no_more_room_than_its_bound_and_the_next_goes_on(make_store):
    count = MAX_EVICTED + 20
    cost = size(100, (), (), made(100))
    store = make_store(ServingConfig(library_bytes=count * (cost + 4)))
    for key in range(100, 100 + count):
        keep(store, key)
    assert store.library.totals().entries == count
    vast = replace(result("x" * (count - 5) * cost), engine_ms=1e9)
    store.library.record(name("vast"), vast, "p", "w/1/s", NOW)
    assert store.library.totals().entries == count + 1 - MAX_EVICTED
    keep(store, "next")
    assert store.library.totals().bytes <= count * (cost + 4)


def test_a_use_makes_an_entry_worth_more_and_a_new_result_keeps_its_uses(store):
    keep(store)
    before = store.library.facts(name()).worth
    store.library.probe(name(), NOW)
    assert store.library.facts(name()).worth == pytest.approx(2 * before)
    keep(store, at_ms=NOW + 1)
    assert store.library.facts(name()).uses == 1


def test_no_more_shadows_wait_than_may_and_the_first_to_expire_gives_way(make_store):
    store = make_store(ServingConfig(shadow_entries=2))
    fills = [shadow(store, f"c{place}", place, until_ms=NOW + until) for place, until in enumerate((30, 10, 20))]
    assert [store.shadows.fill(f).state for f in fills] == [FillState.SHADOW, FillState.EXPIRED, FillState.SHADOW]
    assert store.shadows.sweep(NOW, 10) == (fills[1],)
    assert store.shadows.sweep(NOW, 10) == ()
