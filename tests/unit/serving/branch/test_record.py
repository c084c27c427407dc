"""The life of one branch."""

from itertools import product

import pytest

from apps.serving.branch.record import TRANSITIONS, BranchRecord, BranchState, check_move
from apps.serving.errors import IllegalBranchMove
from apps.serving.names import Coordinate
from apps.serving.workflow import Semantics


def test_a_new_branch_is_undecided():
    branch = BranchRecord("b", Coordinate("w", 1, "offer"), Semantics.INDEPENDENT, {}, 0, 1)
    assert branch.state is BranchState.OPEN
    assert branch.choice is None


@pytest.mark.parametrize(("leave", "enter"), list(product(BranchState, BranchState)))
def test_every_move_is_either_in_the_table_or_refused(leave, enter):
    if enter in TRANSITIONS[leave]:
        check_move("b", leave, enter)
    else:
        with pytest.raises(IllegalBranchMove):
            check_move("b", leave, enter)


def test_a_branch_is_decided_before_it_settles_and_never_opens_again():
    assert TRANSITIONS == {
        BranchState.OPEN: (BranchState.RESOLVED,),
        BranchState.RESOLVED: (BranchState.SETTLED,),
        BranchState.SETTLED: (),
    }


def test_a_refusal_says_what_in_which_state_and_what_was_allowed():
    with pytest.raises(IllegalBranchMove, match=r"branch b: open -> settled \(allowed: resolved\)"):
        check_move("b", BranchState.OPEN, BranchState.SETTLED)
    with pytest.raises(IllegalBranchMove, match="allowed: nothing, the state is final"):
        check_move("b", BranchState.SETTLED, BranchState.OPEN)
