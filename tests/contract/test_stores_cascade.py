"""A write's cascade on memory and on Redis: exactly what it reaches, in bounded steps that anyone may go on with."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import redis

from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.config import ServingConfig
from apps.serving.names import ReuseName
from apps.serving.outcomes import Hit, Miss, MissReason
from apps.serving.ports import Invalidated
from tests.contract.conftest import redis_store
from tests.contract.redis_index import assert_consistent
from tests.contract.stores_bench import LATER, NOW, keep, made, name, reserved, running, shadow

ABSENT, STALE, UNCERTAIN = Miss(MissReason.ABSENT), Miss(MissReason.STALE), Miss(MissReason.UNCERTAIN)
A, B = "place:a", "collection:café"


@pytest.fixture
def published(make_store):
    """Makes a store that knows A and B, and looks at `step` nodes at a time."""

    def make(step: int = 100, **changes: int) -> Any:
        store = make_store(ServingConfig(cascade_step=step, **changes))
        store.records.publish({A: 1, B: 1}, NOW)
        return store

    return make


def write(store: Any, versions: Mapping[str, int]) -> list[Invalidated]:
    """All steps of it."""
    steps = [store.records.publish(versions, NOW)]
    while steps[-1].open:
        steps.append(store.records.cascade(NOW))
    return steps


def ended(steps: Sequence[Invalidated]) -> list[ReuseName | str]:
    each = [i for step in steps for i in (*step.entries, *step.shadows, *step.running)]
    return sorted(each, key=str)


def names(*keys: Any) -> list[ReuseName | str]:
    return sorted(map(name, keys), key=str)


def started(store: Any, chain_id: str, key: Any, upstream: Sequence[Any]) -> str:
    fill_id = reserved(store, chain_id)
    assert store.shadows.start(fill_id, name(key), "w", NOW, [name(u) for u in upstream]) is None
    return fill_id


@pytest.mark.parametrize("step", [1, 2, 100])
def test_a_write_ends_readers_and_all_that_was_made_from_them_and_nothing_else(published, step):
    store = published(step)
    keep(store, "reader", {A: 1})
    keep(store, "child", {}, ["reader"])
    keep(store, "grandchild", {B: 1}, ["child"])
    keep(store, "other", {B: 1})
    keep(store, "other child", {}, ["other"])
    assert ended(write(store, {A: 2})) == names("reader", "child", "grandchild")
    assert {*store.library.page(None, 10)} == {name("other"), name("other child")}
    assert store.records.cascade(NOW) == Invalidated()
    assert all(isinstance(store.library.probe(name(key), NOW), Hit) for key in ("other", "other child"))


@pytest.mark.parametrize("step", [1, 100])
def test_each_kind_is_told_apart_and_each_is_ended(published, step):
    store = published(step)
    keep(store, "up", {A: 1})
    waiting, going = shadow(store, "c1", "s", {A: 1}), started(store, "c2", "r", ["up"])
    spared = started(store, "c3", "r", [])
    steps = write(store, {A: 2})
    assert [[i for step in steps for i in getattr(step, kind)] for kind in ("entries", "shadows", "running")] == [
        [name("up")],
        [waiting],
        [going],
    ]
    states = [store.shadows.fill(fill_id).state for fill_id in (waiting, going, spared)]
    assert states == [FillState.STALE, FillState.STALE, FillState.RUNNING]
    assert store.shadows.find(name("r"), NOW).fill_id == spared
    assert set(store.shadows.owned("w")) == {spared}


@pytest.mark.parametrize("step", [1, 100])
def test_a_child_lives_on_another_provenance_and_ends_with_its_last(published, step):
    store = published(step)
    keep(store, "a", {A: 1})
    keep(store, "b", {B: 1})
    keep(store, "q", {}, ["a"])
    keep(store, "q", {}, ["b"])
    before = store.library.facts(name()).bytes
    assert ended(write(store, {A: 2})) == names("a")
    facts = store.library.facts(name())
    assert (facts.provenances, facts.fresh) == (((name("b"),),), None)
    assert facts.bytes < before
    assert ended(write(store, {B: 2})) == names("b", "q")


def test_a_name_with_another_holder_is_not_lost(published):
    store = published()
    keep(store, "up", {A: 1})
    shadow(store, "c", "up", {B: 1})
    keep(store, "q", {}, ["up"])
    assert ended(write(store, {A: 2})) == names("up")
    assert isinstance(store.library.probe(name(), NOW), Hit)
    assert ended(write(store, {B: 2})) == sorted([name(), "c.0"], key=str)


@pytest.mark.parametrize("step", [1, 100])
def test_a_write_reaches_through_ghosts_which_are_gone_then(published, step):
    store = published(step)
    keep(store, "up", {A: 1})
    keep(store, "middle", {}, ["up"])
    keep(store, "q", {}, ["middle"])
    store.library.delete([name("up"), name("middle")])
    assert store.library.totals().ghosts == 2
    assert ended(write(store, {A: 2})) == names("q")
    assert (store.library.totals().ghosts, store.library.totals().bytes) == (0, 0)


def test_a_write_reaches_what_was_made_from_something_not_held(published):
    store = published()
    keep(store, "partial", {}, ["not held"], {A: 1})
    assert ended(write(store, {A: 2})) == names("partial")


def test_a_result_of_the_new_version_recorded_under_way_stays(published):
    store = published(1)
    for key in range(3):
        keep(store, key, {A: 1})
    gone = store.records.publish({A: 2}, NOW).entries
    keep(store, "fresh", {A: 2})
    for one in gone:
        assert store.library.record(one, made("again", {A: 2}), "p", "w/1/s", NOW) is None
    assert ended(write(store, {})) == sorted(set(names(0, 1, 2)) - {*gone}, key=str)
    assert {*store.library.page(None, 10)} == {name("fresh"), *gone}


def test_a_record_written_again_under_way_ends_the_readers_of_both_versions(published):
    store = published(1)
    for key in range(3):
        keep(store, key, {A: 1})
    first = store.records.publish({A: 2}, NOW)
    keep(store, "between", {A: 2})
    assert ended([first, *write(store, {A: 3})]) == names(0, 1, 2, "between")


# -- while one is open --------------------------------------------------------------------------------


def opened(store: Any) -> Invalidated:
    """A cascade of four readers, of which one was looked at."""
    for key in range(4):
        keep(store, key, {A: 1})
    step = store.records.publish({A: 2}, NOW)
    assert step.open
    assert len(step.entries) == 1
    return step


def test_direct_readers_are_stale_and_what_has_producers_is_uncertain_until_it_is_closed(published):
    store = published(1)
    keep(store, "up")
    keep(store, "child", {B: 1}, ["up"])
    waiting = running(store, "c", "s")
    assert store.shadows.complete(waiting, made("s", {}, ["up"]), NOW, LATER) is None
    (gone,) = opened(store).entries
    assert [store.library.probe(n, NOW) for n in map(name, range(4)) if n != gone] == [STALE] * 3
    assert isinstance(store.library.probe(name("up"), NOW), Hit)
    assert store.library.probe(name("child"), NOW) == UNCERTAIN
    assert store.shadows.promote(waiting, name("s"), True, NOW) == UNCERTAIN
    write(store, {})
    assert isinstance(store.library.probe(name("child"), NOW), Hit)
    assert store.shadows.fill(waiting).state is FillState.SHADOW


def test_what_names_something_upstream_or_a_name_that_is_held_is_not_kept_under_way(published):
    store = published(1)
    keep(store, "up")
    opened(store)
    assert store.library.record(name(), made("q", {}, ["up"]), "p", "w/1/s", NOW) == UNCERTAIN
    assert store.library.record(name("up"), made("up"), "p", "w/1/s", NOW) == UNCERTAIN
    keep(store, "alone")
    fill_id = running(store)
    assert store.shadows.complete(fill_id, made("q", {}, ["up"]), NOW, LATER) == UNCERTAIN
    assert store.shadows.fill(fill_id).state is FillState.STALE


@pytest.mark.parametrize("went", ["entry", "shadow"])
def test_what_goes_before_the_cascade_came_to_it_still_takes_its_children_along(published, went):
    store = published(1)
    for key in range(4):
        if went == "entry":
            keep(store, key, {A: 1})
        else:
            shadow(store, f"c{key}", key, {A: 1})
        keep(store, f"child {key}", {}, [key])
    first = store.records.publish({A: 2}, NOW)
    store.library.delete([name(key) for key in range(4)])
    for key in range(4):
        store.shadows.leave(f"c{key}.0", FillEvent.LOSE, NOW)
    found = [i for i in ended([first, *write(store, {})]) if i in names(*(f"child {key}" for key in range(4)))]
    assert found == names(*(f"child {key}" for key in range(4)))
    assert store.library.totals().bytes == store.library.totals().ghosts == 0


def test_a_child_that_becomes_a_ghost_before_the_cascade_came_to_it_is_looked_at_in_its_place(published):
    store = published(1)
    keep(store, "up", {A: 1})
    for key in range(3):
        keep(store, key, {}, ["up"])
        keep(store, f"child {key}", {}, [key])
    assert store.records.publish({A: 2}, NOW) == Invalidated(entries=(name("up"),), open=True)
    store.library.delete([name(key) for key in range(3)])
    assert store.library.totals().ghosts == 3
    assert ended(write(store, {})) == names(*(f"child {key}" for key in range(3)))
    assert store.library.totals().ghosts == 0


def test_a_fill_started_from_what_the_cascade_has_yet_to_end_ends_with_it(published):
    store = published(1)
    keep(store, 0, {A: 1})
    keep(store, 1, {A: 1})
    (gone,) = store.records.publish({A: 2}, NOW).entries
    left = 1 if gone == name(0) else 0
    fill_id = started(store, "c", "q", [left])
    assert ended(write(store, {})) == sorted([name(left), fill_id], key=str)


def test_an_eviction_under_way_keeps_every_index_whole(store_client: redis.Redis):
    store = redis_store(store_client, ServingConfig(cascade_step=1, library_entries=6))
    store.records.publish({A: 1}, NOW)
    for key in range(3):
        keep(store, key, {A: 1})
        keep(store, f"child {key}", {}, [key])
    store.records.publish({A: 2}, NOW)
    for key in range(6):
        keep(store, f"new {key}")
        assert_consistent(store_client)
    while store.records.cascade(NOW).open:
        assert_consistent(store_client)
    assert_consistent(store_client)
    assert not store_client.exists("dynbranch:{library.main}:cascading")


def test_a_great_many_readers_end_in_steps_with_what_happens_between_them(published):
    store, many = published(100), range(1200)
    for key in many:
        keep(store, key, {A: 1})
    keep(store, "child", {}, [7])
    steps = [store.records.publish({A: 2}, NOW)]
    keep(store, "fresh", {A: 2})
    again = steps[0].entries[0]
    assert store.library.record(again, made("again", {A: 2}), "p", "w/1/s", NOW) is None
    deleted = [n for n in (name(key) for key in range(0, 1200, 100)) if n not in steps[0].entries]
    store.library.delete(deleted)
    steps.append(store.records.cascade(NOW))
    steps += write(store, {A: 3})
    each_once = {*names(*many, "child", "fresh")} - {*deleted}
    assert ended(steps) == sorted([*each_once, again], key=str)  # which was there twice
    assert store.library.totals().bytes == store.library.totals().entries == 0


def test_two_that_go_on_with_one_cascade_tell_of_each_end_once(published):
    store = published(1)
    first = opened(store)
    one, other = store.records.cascade(NOW), store.records.cascade(NOW)
    assert ended([first, one, other, *write(store, {})]) == names(*range(4))


def test_a_large_read_set_is_checked_and_ended_whole(published):
    store = published()
    reads = {f"row:{number}": 1 for number in range(3000)}
    store.records.publish(reads, NOW)
    keep(store, "q", reads)
    assert isinstance(store.library.probe(name(), NOW), Hit)
    assert ended(write(store, {"row:2999": 2})) == names("q")
    assert store.library.readers("row:0") == ()
    assert store.library.totals().bytes == 0
