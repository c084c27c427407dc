import pytest

from apps.evaluation.statistics import Latency, latency, ratio_interval, share


def test_percentiles_interpolate_as_counted_by_hand():
    found = latency([40.0, 10.0, 30.0, 20.0])
    # sorted 10 20 30 40, three gaps: p50 at 1.5 -> 25; p95 at 2.85 -> 38.5; p99 at 2.97 -> 39.7
    assert found == Latency(4, 25.0, 25.0, pytest.approx(38.5), pytest.approx(39.7))


def test_one_sample_is_its_own_mean_and_percentiles():
    assert latency([12.5]) == Latency(1, 12.5, 12.5, 12.5, 12.5)


def test_no_sample_has_no_latency():
    assert latency([]) is None


def test_a_constant_ratio_has_an_interval_without_width():
    interval = ratio_interval([1.0, 2.0, 4.0], [2.0, 4.0, 8.0], seed=1)
    assert (interval.low, interval.high) == (pytest.approx(0.5), pytest.approx(0.5))


def test_the_interval_holds_the_ratio_and_stays_inside_the_pairs_own_ratios():
    top, bottom = [10.0, 20.0, 35.0, 40.0], [50.0, 60.0, 70.0, 80.0]
    interval = ratio_interval(top, bottom, seed=1)
    assert 0.2 <= interval.low < sum(top) / sum(bottom) < interval.high <= 0.5
    assert interval == ratio_interval(top, bottom, seed=1)


def test_samples_that_are_not_pairs_are_refused():
    with pytest.raises(ValueError, match="not pairs"):
        ratio_interval([1.0], [1.0, 2.0], seed=1)


def test_one_pair_has_no_interval():
    assert ratio_interval([1.0], [2.0], seed=1) is None


def test_a_share_of_nothing_is_none():
    assert (share(3, 4), share(0, 0)) == (0.75, None)
