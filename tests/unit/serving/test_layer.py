"""The life of one branch, in the core alone: open, admit, fill, resolve, settle."""

import pytest

from apps.serving.branch.candidates import proposal
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchRecord, BranchState
from apps.serving.effects import AbortFill, Announce, StartChain
from apps.serving.errors import NotSpeculable
from apps.serving.names import Coordinate
from apps.serving.outcomes import Miss, MissReason, Promoted, Result
from apps.serving.workflow import Semantics
from tests.unit.serving.layer_bench import NOW, WORKFLOW, Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_an_opened_branch_reserves_and_starts_its_candidates_in_rank_order(bench):
    _, effects = bench.open("0", "1", "2")

    starts = [effect for effect in effects if isinstance(effect, StartChain)]
    assert [bench.store.shadows.chain(s.chain_id).choice for s in starts] == ["0", "1", "2"]
    assert bench.held() == (3, 300)


def test_what_does_not_fit_is_refused_with_its_reason_and_holds_nothing():
    bench = Bench(fill_slots=2)

    _, effects = bench.open("0", "1", "2")

    opened = next(e for e in effects if isinstance(e, Announce) and e.kind == "branch.opened")
    assert [c["admitted"] for c in opened.data["candidates"]] == [True, True, False]
    assert "no fill slot free" in opened.data["candidates"][2]["reason"]
    assert bench.held() == (2, 200)


def test_the_kv_budget_is_a_limit_of_its_own():
    bench = Bench(fill_kv_tokens=150)

    _, effects = bench.open("0", "1")

    assert len([e for e in effects if isinstance(e, StartChain)]) == 1


def test_opening_the_same_branch_twice_admits_once(bench):
    branch = BranchRecord("b" * 32, Coordinate("toy", 1, "say"), Semantics.INDEPENDENT, {}, NOW, NOW + 1)
    one = [proposal(WORKFLOW, "0", 0, "a", {}, ("look",))]

    assert bench.layer.on_branch_opened(branch, one, None, NOW)
    assert bench.layer.on_branch_opened(branch, one, None, NOW) == []
    assert bench.held()[0] == 1


def test_a_stage_that_is_not_declared_speculable_can_not_be_proposed():
    with pytest.raises(NotSpeculable, match="book"):
        proposal(WORKFLOW, "0", 0, "Book it", {}, ("look", "book"))


def test_an_independent_selection_keeps_shadows_and_drops_unfinished_work_of_the_others(bench):
    branch_id, _ = bench.open("0", "1", "2")
    done, _ = bench.shadow(branch_id, "0")
    running, _ = bench.start(branch_id, "1")
    picked_running, _ = bench.start(branch_id, "2")

    picked, effects = bench.layer.on_resolved(branch_id, "2", NOW)

    assert picked == bench.chain(branch_id, "2").chain_id
    assert bench.state(done) is FillState.SHADOW
    assert bench.state(running) is FillState.DISCARDED
    assert bench.state(picked_running) is FillState.RUNNING
    assert [e.fill_id for e in effects if isinstance(e, AbortFill)] == [running]


def test_an_exclusive_selection_leaves_nothing_of_the_losers(bench):
    branch_id, _ = bench.open("0", "1", semantics=Semantics.EXCLUSIVE)
    loser, loser_name = bench.shadow(branch_id, "0")
    _, winner_name = bench.shadow(branch_id, "1")

    bench.layer.on_resolved(branch_id, "1", NOW)

    assert bench.state(loser) is FillState.DISCARDED
    assert isinstance(bench.demand(loser_name), Miss)
    assert isinstance(bench.demand(winner_name), Promoted)


def test_a_picked_chain_that_no_worker_has_taken_is_given_up_and_not_waited_for(bench):
    branch_id, _ = bench.open("0")

    picked, _ = bench.layer.on_resolved(branch_id, "0", NOW)

    assert picked is None
    assert bench.held() == (0, 0)


def test_what_a_picked_chain_has_not_begun_is_given_up_and_what_it_has_stays_promotable(bench):
    branch, _ = bench.open("0")
    fill_id, name = bench.shadow(branch, "0")

    picked, _ = bench.layer.on_resolved(branch, "0", NOW)

    assert picked is None  # its next stage waits in a queue: the demand is quicker
    assert bench.state(bench.chain(branch, "0").fill_ids[1]) is FillState.DISCARDED
    assert bench.state(fill_id) is FillState.SHADOW
    assert isinstance(bench.demand(name), Promoted)
    assert bench.held() == (0, 0)


def test_settling_again_leaves_the_picked_chain_alone_between_two_of_its_stages(bench):
    branch, _ = bench.open("0", "1")
    fill_id, _ = bench.start(branch, "0")
    bench.layer.on_resolved(branch, "0", NOW)
    result = Result({"text": "0"}, {"place:a": 1}, 40.0, {})
    assert bench.store.shadows.complete(fill_id, result, NOW, NOW + 60_000) is None

    assert bench.layer.settle_again(branch, NOW) == []
    assert bench.state(bench.chain(branch, "0").fill_ids[1]) is FillState.RESERVED


def test_an_unknown_choice_promotes_nothing_and_a_second_selection_changes_nothing(bench):
    branch_id, _ = bench.open("0")
    fill_id, _ = bench.start(branch_id, "0")

    picked, _ = bench.layer.on_resolved(branch_id, "no such action", NOW)

    assert picked is None
    assert bench.state(fill_id) is FillState.DISCARDED
    assert bench.layer.on_resolved(branch_id, "0", NOW) == (None, [])


def test_fills_can_not_be_admitted_under_a_decided_branch(bench):
    branch_id, _ = bench.open("0")
    bench.layer.on_resolved(branch_id, None, NOW)
    chain = bench.chain(branch_id, "0")

    assert bench.store.shadows.create_chain(chain, [], NOW) == Miss(MissReason.STATE)


def test_a_branch_settles_when_its_last_shadow_has_ended(bench):
    branch_id, _ = bench.open("0", "1")
    for choice in ("0", "1"):
        for position in (0, 1):
            bench.shadow(branch_id, choice, position)
    bench.layer.on_resolved(branch_id, "0", NOW)
    for position in (0, 1):
        assert isinstance(bench.demand(bench.name("0", position)), Promoted)
    assert bench.layer.settle(branch_id, NOW) == []

    bench.store.shadows.sweep(NOW + 60_001, 100)

    assert [e.kind for e in bench.layer.settle(branch_id, NOW)] == ["branch.settled"]
    assert bench.store.branches.branch(branch_id).state is BranchState.SETTLED


def test_ending_a_chain_releases_its_reservation_whatever_its_state(bench):
    branch_id, _ = bench.open("0")
    fill_id, _ = bench.start(branch_id, "0")

    bench.layer.end_chain(bench.chain(branch_id, "0"), FillEvent.FAIL, "its worker is gone", NOW)

    assert bench.state(fill_id) is FillState.FAILED
    assert bench.held() == (0, 0)
    assert bench.layer.end_chain(bench.chain(branch_id, "0"), FillEvent.FAIL, "again", NOW) == []
