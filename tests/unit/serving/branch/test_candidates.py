"""Only the order of what a predictor names is used, and only of what may be named."""

from itertools import count, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.serving.branch.candidates import Context, Guess, Option, ProposalLimits, in_order, proposal, ranked
from apps.serving.workflow import DecisionPoint, Semantics, Stage, StageKind, Window, Workflow

MENU = Context("t", 0, tuple(Option(choice, f"kind {choice}", choice) for choice in ("a", "b", "c")))
OPEN = Context("t", 0)


def test_a_ranking_goes_by_score_and_equal_scores_stay_as_given():
    guesses = [Guess("b", 1.0), Guess("c", 2), Guess("a", 1.0)]
    assert ranked(guesses, MENU).choices == ("c", "b", "a")


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf"), "1", None, True, 1j])
def test_a_score_that_is_no_finite_number_is_dropped(score):
    ranking = ranked([Guess("a", score), Guess("b", -1e308)], MENU)
    assert (ranking.choices, ranking.dropped) == (("b",), 1)


def test_a_score_too_large_for_a_float_is_a_score():
    assert ranked([Guess("a", 1.0), Guess("b", 10**400)], MENU).choices == ("b", "a")


@pytest.mark.parametrize("guess", [None, "a", ("a", 1.0), Guess("d", 1.0), Guess("", 1.0), Guess(["a"], 1.0)])
def test_what_is_no_guess_or_not_on_offer_is_dropped(guess):
    ranking = ranked([guess, Guess("a", 0.0)], MENU)
    assert (ranking.choices, ranking.dropped) == (("a",), 1)


def test_a_candidate_named_twice_counts_once_by_its_first_score():
    ranking = ranked([Guess("a", 1.0), Guess("b", 2.0), Guess("a", 3.0)], MENU)
    assert (ranking.choices, ranking.dropped) == (("b", "a"), 1)


def test_an_open_vocabulary_takes_any_text_but_an_empty_or_very_long_one():
    ranking = ranked([Guess("x" * 201, 2.0), Guess(" ", 2.0), Guess("x" * 200, 1.0)], OPEN)
    assert (ranking.choices, ranking.dropped) == (("x" * 200,), 2)


def test_ten_thousand_candidates_are_cut_to_the_best_of_those_looked_at():
    limits = ProposalLimits(candidates=3, guesses=1_000)
    ranking = ranked((Guess(str(n), float(n)) for n in range(10_000)), OPEN, limits)
    assert (ranking.choices, ranking.dropped) == (("999", "998", "997"), 997)


def test_guesses_without_end_come_to_an_end():
    assert ranked(repeat(Guess("a", 1.0)), MENU).choices == ("a",)
    assert len(ranked((Guess(str(n), 0.0) for n in count()), OPEN).choices) == ProposalLimits().candidates


guess = st.builds(Guess, st.sampled_from("abcdef"), st.floats() | st.integers())


@given(st.lists(guess | st.none(), max_size=40), st.integers(1, 4))
def test_whatever_is_said_a_ranking_holds_offered_candidates_each_once_in_bounds(guesses, most):
    ranking = ranked(guesses, MENU, ProposalLimits(candidates=most))

    assert len(set(ranking.choices)) == len(ranking.choices) <= most
    assert set(ranking.choices) <= {"a", "b", "c"}
    assert len(ranking.choices) + ranking.dropped == len(guesses)


def test_proposals_take_their_rank_from_an_order_and_those_it_does_not_name_are_not_proposed():
    workflow = Workflow(
        "w",
        1,
        (Stage("say", StageKind.MODEL, True, 1),),
        (DecisionPoint("say", Semantics.INDEPENDENT, Window.USER),),
    )
    made = [proposal(workflow, choice, rank, choice, {}, ["say"]) for rank, choice in enumerate("abc")]

    ordered = in_order(made, ("c", "nobody's", "a", "c"))

    assert [(one.choice, one.rank) for one in ordered] == [("c", 0), ("a", 1)]
