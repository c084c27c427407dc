"""Two ways of doing something, timed in turns, so that whatever else the machine does hits both alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter_ns

import numpy as np

RESAMPLES = 500
LEVEL_FRAC = 0.95

Call = Callable[[int], object]
"""Does the thing for sample number i."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Samples in µs, of equal length; sample i of both was taken one right after the other."""

    ours_us: Sequence[float]
    base_us: Sequence[float]


@dataclass(frozen=True, slots=True)
class MedianRatio:
    """ratio of the medians, ours over base, with its 95 % bootstrap interval over the pairs."""

    n: int
    ours_us: float
    base_us: float
    ratio: float
    low: float
    high: float


def timed_us(call: Call, number: int) -> float:
    started_ns = perf_counter_ns()
    call(number)
    return (perf_counter_ns() - started_ns) / 1_000


def nothing(number: int) -> None:
    """No preparation."""


def in_turns(ours: Call, base: Call, numbers: Sequence[int], seed: int, prepare: Call = nothing) -> Pairs:
    """Both calls for every number, which of them first by a coin. `prepare` comes before each pair, untimed."""
    coin = Random(seed)
    ours_us, base_us = [], []
    for number in numbers:
        prepare(number)
        if coin.random() < 0.5:
            ours_us.append(timed_us(ours, number))
            base_us.append(timed_us(base, number))
        else:
            base_us.append(timed_us(base, number))
            ours_us.append(timed_us(ours, number))
    return Pairs(ours_us, base_us)


def median_ratio(pairs: Pairs, seed: int) -> MedianRatio:
    ours, base = np.asarray(pairs.ours_us), np.asarray(pairs.base_us)
    rng = np.random.default_rng(seed)
    ratios = [
        float(np.median(ours[drawn]) / np.median(base[drawn]))
        for drawn in (rng.integers(len(ours), size=len(ours)) for _ in range(RESAMPLES))
    ]
    low, high = np.quantile(ratios, [(1 - LEVEL_FRAC) / 2, (1 + LEVEL_FRAC) / 2])
    ours_us, base_us = float(np.median(ours)), float(np.median(base))
    return MedianRatio(len(ours), ours_us, base_us, ours_us / base_us, float(low), float(high))


@dataclass(frozen=True, slots=True)
class Line:
    """y = start + slope * x by least squares; r2 is the share of the variance that it explains, in [0, 1]."""

    start: float
    slope: float
    r2: float


def line(xs: Sequence[float], ys: Sequence[float]) -> Line:
    x, y = np.asarray(xs, dtype=float), np.asarray(ys, dtype=float)
    slope, start = np.polyfit(x, y, 1)
    left = float(((y - (start + slope * x)) ** 2).sum())
    whole = float(((y - y.mean()) ** 2).sum())
    return Line(float(start), float(slope), 1 - left / whole if whole else 1.0)
