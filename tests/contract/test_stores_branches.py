"""Branch records, on memory and on Redis."""

from dataclasses import replace

import pytest

from apps.serving.branch.record import BranchState
from apps.serving.config import ServingConfig
from apps.serving.errors import IllegalBranchMove
from apps.serving.outcomes import Miss, MissReason
from tests.contract.stores_bench import NOW, branch, shadow

STATE, ABSENT = Miss(MissReason.STATE), Miss(MissReason.ABSENT)


def test_a_branch_comes_back_as_it_was_opened_and_opens_once(store):
    assert store.branches.branch("b") is None
    assert store.branches.open(branch(), NOW) is None
    assert store.branches.open(replace(branch(), scope={"other": 1}), NOW) == STATE
    assert store.branches.branch("b") == branch()


def test_a_branch_moves_only_from_the_state_it_is_in_and_keeps_its_choice(store):
    store.branches.open(branch(), NOW)
    move = store.branches.move
    assert move("b", BranchState.RESOLVED, BranchState.SETTLED, NOW) == STATE
    assert move("nobody", BranchState.OPEN, BranchState.RESOLVED, NOW) == ABSENT
    assert move("b", BranchState.OPEN, BranchState.RESOLVED, NOW, choice="2") is None
    assert move("b", BranchState.OPEN, BranchState.RESOLVED, NOW, choice="3") == STATE
    assert move("b", BranchState.RESOLVED, BranchState.SETTLED, NOW) is None
    assert store.branches.branch("b") == replace(branch(), state=BranchState.SETTLED, choice="2")


def test_a_branch_resolved_with_none_of_its_candidates_has_no_choice(store):
    store.branches.open(branch(), NOW)
    store.branches.move("b", BranchState.OPEN, BranchState.RESOLVED, NOW)
    assert store.branches.branch("b").choice is None


def test_a_move_that_is_in_no_table_is_a_bug(store):
    with pytest.raises(IllegalBranchMove, match="open -> settled"):
        store.branches.move("b", BranchState.OPEN, BranchState.SETTLED, NOW)


def test_unsettled_branches_are_listed_oldest_first_until_they_settle(store):
    for branch_id, age_ms in (("young", 0), ("old", 2000), ("middle", 1000), ("future", -1)):
        store.branches.open(branch(branch_id, NOW - age_ms), NOW)
    assert store.branches.unsettled(NOW, 10) == ("old", "middle", "young")
    assert store.branches.unsettled(NOW, 2) == ("old", "middle")
    store.branches.move("old", BranchState.OPEN, BranchState.RESOLVED, NOW)
    store.branches.move("old", BranchState.RESOLVED, BranchState.SETTLED, NOW)
    assert store.branches.unsettled(NOW, 10) == ("middle", "young")


def test_a_settled_branch_is_forgotten_with_all_that_it_owns_after_its_keeping(make_store):
    store = make_store(ServingConfig(settled_keep_ms=100))
    fill_id = shadow(store, until_ms=NOW + 150)
    store.branches.move("b", BranchState.OPEN, BranchState.RESOLVED, NOW)
    store.branches.move("b", BranchState.RESOLVED, BranchState.SETTLED, NOW)
    assert store.branches.sweep(NOW + 99, 10) == 0
    assert store.branches.sweep(NOW + 100, 10) == 0  # its shadow may still be promoted: looked at again later
    assert store.shadows.sweep(NOW + 150, 10) == (fill_id,)
    assert store.branches.sweep(NOW + 199, 10) == 0
    assert store.branches.sweep(NOW + 200, 10) == 1
    assert store.branches.branch("b") is None
    assert store.branches.chains("b") == ()
    assert store.shadows.chain("c") is None
    assert store.shadows.fill(fill_id) is None
