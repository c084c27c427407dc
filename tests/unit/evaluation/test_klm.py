import numpy as np
import pytest

from apps.evaluation.klm import MENTAL, PICK, pick_gap_s, typing_gap_s


def draws(count: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.array([pick_gap_s(rng) for _ in range(count)])


def test_pick_gaps_have_a_median_of_about_2_7_seconds_and_the_operators_mean():
    gaps_s = draws(20_000)
    assert np.median(gaps_s) == pytest.approx(2.7, abs=0.12)
    assert gaps_s.mean() == pytest.approx(sum(operator.mean_s for operator in PICK), abs=0.05)


def test_a_gap_is_never_negative_and_its_tail_is_on_the_long_side():
    gaps_s = draws(20_000)
    assert gaps_s.min() > 0.5
    assert gaps_s.mean() > np.median(gaps_s)


def test_an_operator_keeps_its_stated_mean_and_spread():
    rng = np.random.default_rng(2)
    times_s = np.array([MENTAL.draw_s(rng) for _ in range(100_000)])
    assert times_s.mean() == pytest.approx(1.35, rel=0.02)
    assert times_s.std() == pytest.approx(1.1, rel=0.05)


def test_a_longer_text_takes_the_same_typist_longer():
    short_s = typing_gap_s("hi", np.random.default_rng(3))
    long_s = typing_gap_s("hi" * 20, np.random.default_rng(3))
    assert long_s > short_s
