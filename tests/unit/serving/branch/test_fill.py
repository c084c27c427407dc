"""The life of one fill."""

from itertools import product

import pytest

from apps.serving.branch.fill import FINAL, TRANSITIONS, Fill, FillEvent, FillState, sources
from apps.serving.errors import IllegalTransition

S, E = FillState, FillEvent


def test_a_shadow_whose_record_is_written_can_no_longer_be_promoted():
    shadow = Fill("f1", S.SHADOW)

    stale = shadow.on(E.WRITE)

    assert stale.state is S.STALE
    with pytest.raises(IllegalTransition, match="allowed: nothing"):
        stale.on(E.AUTHORIZE)


@pytest.mark.parametrize(("state", "event"), list(product(FillState, FillEvent)))
def test_every_event_is_either_in_the_table_or_refused(state, event):
    fill = Fill("f1", state)
    if event in TRANSITIONS[state]:
        assert fill.on(event).state is TRANSITIONS[state][event]
    else:
        with pytest.raises(IllegalTransition):
            fill.on(event)
    assert fill.state is state


def test_a_fill_that_serves_was_reserved_run_and_completed_first():
    fill = Fill("f1")
    for event in (E.START, E.COMPLETE, E.AUTHORIZE):
        fill = fill.on(event)
    assert fill.state is S.PROMOTED


def test_only_a_shadow_can_be_authorized():
    assert sources(E.AUTHORIZE) == (S.SHADOW,)


def test_every_fill_can_still_end():
    for state in FillState:
        assert state in FINAL or set(TRANSITIONS[state].values()) & FINAL


def test_final_states_are_those_that_nothing_leaves():
    assert {S.PROMOTED, S.DISCARDED, S.FAILED, S.EXPIRED, S.STALE} == FINAL


def test_the_states_an_event_may_leave_are_those_of_the_table():
    for event in FillEvent:
        assert set(sources(event)) == {state for state in FillState if event in TRANSITIONS[state]}


def test_a_refusal_says_what_in_which_state_and_what_was_allowed():
    with pytest.raises(IllegalTransition, match=r"fill f1: start while shadow \(allowed: authorize, lose"):
        Fill("f1", S.SHADOW).on(E.START)
