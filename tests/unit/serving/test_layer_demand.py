"""What answers a demand, in the core alone, and what a write does to it."""

import pytest

from apps.serving.branch.fill import FillState
from apps.serving.config import Mode
from apps.serving.demand import Terms
from apps.serving.effects import AbortFill, Announce
from apps.serving.names import reuse_name
from apps.serving.outcomes import Hit, Miss, MissReason, Pending, Promoted, Result
from apps.serving.ports import Invalidated
from apps.serving.workflow import Lookup, LookupMode
from tests.unit.serving.layer_bench import NOW, Bench

REFRESH, BYPASS = Lookup(LookupMode.REFRESH), Lookup(LookupMode.BYPASS)
NO_STORE, ONLY_IF_CACHED = Lookup(LookupMode.NO_STORE), Lookup(LookupMode.ONLY_IF_CACHED)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_shadow_is_invisible_to_the_library_and_promoted_by_its_own_demand(bench):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.shadow(branch_id, "0")
    assert bench.store.library.probe(name, NOW) == Miss(MissReason.ABSENT)

    answer = bench.demand(name)

    assert isinstance(answer, Promoted)
    assert answer.fill_id == fill_id
    assert bench.state(fill_id) is FillState.PROMOTED


def test_a_promoted_result_serves_once_with_c1_off_and_again_with_c1_on():
    for mode, second in ((Mode.C2, Miss), (Mode.FULL, Hit)):
        bench = Bench()
        branch_id, _ = bench.open("0")
        _, name = bench.shadow(branch_id, "0")

        assert isinstance(bench.demand(name, mode), Promoted)
        assert isinstance(bench.demand(name, mode), second)


@pytest.mark.parametrize("mode", [Mode.FLOOR, Mode.C1])
def test_without_speculation_no_shadow_is_promoted(bench, mode):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.shadow(branch_id, "0")

    assert isinstance(bench.demand(name, mode), Miss)
    assert bench.state(fill_id) is FillState.SHADOW


def test_a_written_record_makes_the_shadow_stale_and_the_demand_a_miss(bench):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.shadow(branch_id, "0")

    bench.store.records.begin_write(["place:a"], "w", NOW + 5_000)
    assert bench.demand(name) == Miss(MissReason.UNCERTAIN)
    ended = bench.store.records.commit_write({"place:a": 2}, "w", NOW)

    assert ended == Invalidated(shadows=(fill_id,))
    assert bench.state(fill_id) is FillState.STALE
    assert isinstance(bench.demand(name), Miss)


def test_a_running_fill_of_the_demanded_name_is_pending(bench):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.start(branch_id, "0")

    assert bench.demand(name) == Pending(fill_id, branch_id)


def test_the_expected_chain_is_awaited_between_two_of_its_stages(bench):
    branch_id, _ = bench.open("0")
    bench.shadow(branch_id, "0", position=0)
    chain = bench.chain(branch_id, "0")

    answer = bench.demand(bench.name("0", 1), expected=chain.chain_id, stage="say")

    assert answer == Pending(chain.fill_ids[1], branch_id)


def test_a_write_aborts_what_runs_on_top_of_a_stale_shadow_and_says_so(bench):
    branch_id, _ = bench.open("0")
    shadow, upstream = bench.shadow(branch_id, "0", 0)
    running, _ = bench.start(branch_id, "0", 1, upstream=[upstream])

    effects = bench.layer.on_invalidated(bench.write("place:a", 2))

    request_id = bench.store.shadows.fill(running).request_id
    assert [e for e in effects if isinstance(e, AbortFill)] == [AbortFill(running, request_id)]
    moves = {e.data["fill"]: e.data["state"] for e in effects if isinstance(e, Announce)}
    assert moves == {shadow: "stale", running: "stale"}
    assert bench.state(running) is FillState.STALE


def test_a_write_leaves_alone_what_its_chain_runs_on_nothing_that_was_written(bench):
    branch_id, _ = bench.open("0")
    bench.shadow(branch_id, "0", 0)
    running, _ = bench.start(branch_id, "0", 1)

    effects = bench.layer.on_invalidated(bench.write("place:a", 2))

    assert not [e for e in effects if isinstance(e, AbortFill)]
    assert bench.state(running) is FillState.RUNNING


def test_what_a_cascade_ended_is_told_alike_when_it_is_told_again(bench):
    branch_id, _ = bench.open("0")
    bench.shadow(branch_id, "0", 0)
    ended = bench.write("place:a", 2)

    assert bench.layer.on_invalidated(ended) == bench.layer.on_invalidated(ended) != []


def test_a_canonical_result_is_kept_only_with_c1_on(bench):
    result = Result({"text": "x"}, {"place:a": 1}, 5.0, {})
    name = bench.name("x")

    without = bench.layer.on_executed(bench.asked(name, Mode.C2), result, "canonical:1", NOW)
    assert without == Miss(MissReason.BYPASS)
    assert bench.layer.on_executed(bench.asked(name), result, "canonical:1", NOW) is None
    assert isinstance(bench.demand(name), Hit)
    assert bench.store.library.facts(name).stage == "toy/1/look"


def test_no_result_crosses_a_namespace(bench):
    result = Result({"text": "x"}, {}, 5.0, {})
    mine = reuse_name("tenant-a/shared", "f" * 64, {"q": 1})
    theirs = reuse_name("tenant-b/shared", "f" * 64, {"q": 1})

    bench.layer.on_executed(bench.asked(mine), result, "canonical:1", NOW)

    assert bench.demand(theirs) == Miss(MissReason.ABSENT)


# -- lookup modes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lookup", [REFRESH, BYPASS])
def test_what_is_not_to_be_served_looks_neither_at_entries_nor_at_shadows(bench, lookup):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.shadow(branch_id, "0")
    bench.keep(bench.name("x"))

    assert bench.demand(bench.name("x"), lookup=lookup) == Miss(MissReason.BYPASS)
    assert bench.demand(name, lookup=lookup) == Miss(MissReason.BYPASS)
    assert bench.state(fill_id) is FillState.SHADOW
    assert bench.store.library.counts("t/shared").hits == 0


def test_a_refresh_takes_the_place_of_what_was_kept(bench):
    bench.keep(bench.name("x"), "old")

    bench.keep(bench.name("x"), "new", REFRESH)

    assert bench.demand(bench.name("x")).result.output == {"text": "new"}


@pytest.mark.parametrize("lookup", [NO_STORE, BYPASS])
def test_what_is_not_to_be_kept_leaves_no_entry(bench, lookup):
    assert bench.keep(bench.name("x"), lookup=lookup) == Miss(MissReason.BYPASS)
    assert bench.demand(bench.name("x")) == Miss(MissReason.ABSENT)


def test_no_store_is_served_from_a_shadow_which_is_then_gone(bench):
    branch_id, _ = bench.open("0")
    _, name = bench.shadow(branch_id, "0")

    assert isinstance(bench.demand(name, lookup=NO_STORE), Promoted)
    assert bench.demand(name) == Miss(MissReason.ABSENT)


def test_no_store_is_served_from_an_entry_which_stays(bench):
    bench.keep(bench.name("x"))

    assert isinstance(bench.demand(bench.name("x"), lookup=NO_STORE), Hit)
    assert isinstance(bench.demand(bench.name("x")), Hit)


def test_only_if_cached_takes_entries_and_shadows_and_waits_for_nothing(bench):
    branch_id, _ = bench.open("0", "1")
    _, ready = bench.shadow(branch_id, "0")
    _, running = bench.start(branch_id, "1")
    bench.keep(bench.name("x"))

    assert isinstance(bench.demand(bench.name("x"), lookup=ONLY_IF_CACHED), Hit)
    assert isinstance(bench.demand(ready, lookup=ONLY_IF_CACHED), Promoted)
    assert bench.demand(running, lookup=ONLY_IF_CACHED) == Miss(MissReason.UNCONFIRMED)
    assert bench.demand(bench.name("y"), lookup=ONLY_IF_CACHED) == Miss(MissReason.ABSENT)


@pytest.mark.parametrize(("max_age_ms", "expected"), [(999, Miss(MissReason.TOO_OLD)), (1_000, None)])
def test_an_entry_older_than_the_demand_allows_does_not_serve(bench, max_age_ms, expected):
    bench.keep(bench.name("x"))

    answer = bench.demand(bench.name("x"), lookup=Lookup(max_age_ms=max_age_ms), at_ms=NOW + 1_000)

    assert answer == expected if expected else isinstance(answer, Hit)


@pytest.mark.parametrize("mode", [Mode.FLOOR, Mode.C1, Mode.C2, Mode.FULL])
@pytest.mark.parametrize("lookup", LookupMode)
def test_no_lookup_allows_more_than_the_mode_does(mode, lookup):
    terms = Terms(mode, Lookup(lookup))

    assert terms.probes <= mode.reuses
    assert terms.keeps <= mode.reuses
    assert terms.promotes <= mode.speculates
    assert terms.waits <= terms.promotes
