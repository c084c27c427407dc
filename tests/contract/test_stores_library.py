"""The library on memory and on Redis: what it answers, what it knows of an entry, and what holds what."""

import pytest

from apps.serving.branch.fill import FillState
from apps.serving.library.eviction import MAX_PROVENANCES, worth
from apps.serving.names import ReuseName
from apps.serving.outcomes import Hit, Miss, MissReason, Promoted
from apps.serving.ports import NamespaceCounts
from tests.contract.stores_bench import LATER, NOW, keep, made, name, result, running, shadow, size

ABSENT, STALE, UNCERTAIN = Miss(MissReason.ABSENT), Miss(MissReason.STALE), Miss(MissReason.UNCERTAIN)
A, B = "place:a", "collection:café"


# -- answers ------------------------------------------------------------------------------------------


def test_an_entry_older_than_a_demand_allows_does_not_serve_it_and_is_not_used(store):
    keep(store)
    assert store.library.probe(name(), NOW + 11, max_age_ms=10) == Miss(MissReason.TOO_OLD)
    assert store.library.facts(name()).uses == 0
    assert isinstance(store.library.probe(name(), NOW + 10, max_age_ms=10), Hit)


def test_the_age_of_an_entry_is_that_of_its_last_confirmation_not_of_its_use(store):
    keep(store)
    store.library.probe(name(), NOW + 10)
    assert store.library.probe(name(), NOW + 11, max_age_ms=5) == Miss(MissReason.TOO_OLD)
    keep(store, at_ms=NOW + 10)
    assert isinstance(store.library.probe(name(), NOW + 11, max_age_ms=5), Hit)


def test_answers_are_counted_by_namespace(store):
    keep(store)
    other = name(namespace="other|tenant/shared")
    for wanted in (name(), name(), name("absent"), other):
        store.library.probe(wanted, NOW)
    fill_id = shadow(store, key="s")
    store.shadows.promote(fill_id, name("s"), True, NOW)
    assert store.library.counts("tenant/shared") == NamespaceCounts(hits=2, promotions=1, misses=1)
    assert store.library.counts("other|tenant/shared") == NamespaceCounts(hits=0, promotions=0, misses=1)
    assert store.library.counts("nobody") == NamespaceCounts(0, 0, 0)


def test_a_refused_promotion_is_not_counted(store):
    fill_id = shadow(store)
    store.shadows.promote(fill_id, name("other"), True, NOW)
    assert store.library.counts("tenant/shared").promotions == 0


# -- what is known of an entry ------------------------------------------------------------------------


def test_facts_say_all_that_is_known_and_count_no_use(store):
    store.records.publish({A: 1}, NOW)
    keep(store, "up")
    kept = keep(store, "q", {A: 1}, ["up"], at_ms=NOW + 1)
    store.library.probe(name(), NOW + 5)
    store.library.facts(name())
    facts = store.library.facts(name())
    assert (facts.name, facts.stage, facts.result, facts.producer) == (name(), "w/1/s", kept, "canonical:q")
    assert (facts.provenances, facts.whole) == (((name("up"),),), True)
    assert (facts.uses, facts.kept_at_ms, facts.used_at_ms, facts.fresh) == (1, NOW + 1, NOW + 5, None)
    assert facts.bytes == size("q", [A], ["up"], kept)
    assert facts.worth == worth(0.0, 1, kept.engine_ms, facts.bytes)
    assert store.library.facts(name("absent")) is None


def test_facts_say_whether_an_entry_would_serve(store):
    store.records.publish({A: 1}, NOW)
    keep(store, "up")
    keep(store, "q", {A: 1})
    keep(store, "down", {}, ["up"])
    store.records.begin_write([A], "w", LATER)
    assert [store.library.facts(name(key)).fresh for key in ("up", "q", "down")] == [None, UNCERTAIN, UNCERTAIN]


def test_a_promoted_entry_has_the_stage_reads_and_provenance_of_its_shadow(store):
    store.records.publish({A: 1}, NOW)
    keep(store, "up")
    fill_id = running(store)
    kept = made("q", {A: 1}, ["up"])
    assert store.shadows.complete(fill_id, kept, NOW, LATER) is None
    assert isinstance(store.shadows.promote(fill_id, name(), True, NOW), Promoted)
    facts = store.library.facts(name())
    assert (facts.stage, facts.producer, facts.result) == ("concierge/1/stage0", fill_id, kept)
    assert facts.provenances == ((name("up"),),)
    assert store.library.readers(A) == (name(),)


def test_pages_meet_every_entry_once_in_the_order_of_their_text(store):
    wanted = sorted(
        (name(key, space) for key in range(5) for space in ("é", "t", "t|u")), key=lambda n: str(n).encode()
    )
    for one in wanted:
        store.library.record(one, result(), "canonical:1", "w/1/s", NOW)
    met: list[ReuseName] = []
    while page := store.library.page(met[-1] if met else None, 4):
        met += page
        store.library.probe(met[0], NOW + len(met))  # a use moves nothing
    assert met == wanted


def test_a_page_goes_on_after_an_entry_that_is_gone(store):
    for key in range(4):
        keep(store, key)
    names = store.library.page(None, 10)
    store.library.delete([names[1]])
    assert store.library.page(names[1], 10) == names[2:]


def test_readers_of_a_record_are_entries_that_it_is_indexed_for(store):
    store.records.publish({A: 1, B: 1}, NOW)
    keep(store, "a", {A: 1})
    keep(store, "ab", {A: 1, B: 1})
    shadow(store, "c", "s", {A: 1})
    keep(store, "partial", {}, ["not held"], {A: 1})
    assert set(store.library.readers(A)) == {name("a"), name("ab"), name("partial")}
    assert store.library.readers("unknown") == ()


# -- what holds what ----------------------------------------------------------------------------------


def test_what_an_upstream_name_had_read_is_indexed_only_when_that_name_is_not_held(store):
    store.records.publish({A: 1}, NOW)
    keep(store, "up", {A: 1})
    keep(store, "whole", {}, ["up"], {A: 1})
    keep(store, "partial", {}, ["up", "not held"], {A: 1})
    assert set(store.library.readers(A)) == {name("up"), name("partial")}
    assert store.library.facts(name("partial")).provenances == ((name("up"),),)
    assert [store.library.facts(name(key)).whole for key in ("whole", "partial")] == [True, False]


@pytest.mark.parametrize("holder", ["entry", "shadow", "ghost"])
def test_a_name_is_held_by_an_entry_a_shadow_or_a_ghost(store, holder):
    if holder == "shadow":
        shadow(store, key="up")
    else:
        keep(store, "up")
    if holder == "ghost":
        keep(store, "child", {}, ["up"])
        store.library.delete([name("up")])
    keep(store, "q", {}, ["up"])
    assert store.library.facts(name()).whole


def test_a_running_fill_holds_no_name(store):
    running(store, key="up")
    keep(store, "q", {}, ["up"])
    assert not store.library.facts(name()).whole


@pytest.mark.parametrize(("inherited", "refused"), [({A: 1}, STALE), ({A: 2}, None), ({"unknown": 1}, UNCERTAIN)])
def test_what_a_result_inherits_must_be_fresh_when_it_is_kept(store, inherited, refused):
    store.records.publish({A: 2}, NOW)
    keep(store, "up")
    assert store.library.record(name(), made("q", {}, ["up"], inherited), "p", "w/1/s", NOW) == refused
    fill_id = running(store, key="s")
    assert store.shadows.complete(fill_id, made("s", {}, ["up"], inherited), NOW, LATER) == refused
    assert store.shadows.fill(fill_id).state is (FillState.STALE if refused else FillState.SHADOW)


def test_provenances_of_one_name_join_up_to_their_bound_and_the_oldest_goes(store):
    for number in range(MAX_PROVENANCES + 2):
        keep(store, f"up{number}")
        keep(store, "q", {}, [f"up{number}"])
    keep(store, "q", {}, ["up5"])  # what is known already becomes the newest
    order = [2, 3, 4, 6, 7, 8, 9, 5]
    assert store.library.facts(name()).provenances == tuple((name(f"up{number}"),) for number in order)


def test_a_root_among_provenances_stands_alone(store):
    keep(store, "up")
    keep(store, "q", {}, ["up"])
    keep(store, "q")
    assert store.library.facts(name()).provenances == ((),)
    keep(store, "q", {}, ["up"])
    assert store.library.facts(name()).provenances == ((),)


def test_provenances_of_an_entry_that_was_not_whole_are_not_believed(store):
    keep(store, "up1")
    keep(store, "up2")
    keep(store, "q", {}, ["up1", "not held"])
    keep(store, "q", {}, ["up2"])
    facts = store.library.facts(name())
    assert (facts.provenances, facts.whole) == (((name("up2"),),), True)


def test_its_own_name_is_never_upstream_of_a_result(store):
    keep(store)
    keep(store, "q", {}, ["q"])
    assert store.library.facts(name()).provenances == ((),)
    assert store.library.facts(name()).whole
