"""Means, percentiles and a bootstrap interval. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
LEVEL_FRAC = 0.95


@dataclass(frozen=True, slots=True)
class Latency:
    """n turns, and their latency in ms."""

    n: int
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def latency(samples_ms: Sequence[float]) -> Latency | None:
    """None without a sample. Percentiles interpolate linearly between the two nearest samples."""
    if not samples_ms:
        return None
    p50, p95, p99 = np.percentile(np.asarray(samples_ms), [50, 95, 99])
    return Latency(len(samples_ms), float(np.mean(samples_ms)), float(p50), float(p95), float(p99))


def ratio_interval(numerator: Sequence[float], denominator: Sequence[float], seed: int) -> Interval | None:
    """95 % bootstrap interval of mean(numerator) / mean(denominator), for paired samples of equal length.

    Pairs are drawn together, so what both arms share (a long answer, a short one) does not widen it. None
    without at least two pairs.
    """
    if len(numerator) != len(denominator):
        raise ValueError(f"{len(numerator)} and {len(denominator)} samples are not pairs")
    if len(numerator) < 2:
        return None
    top, bottom = np.asarray(numerator), np.asarray(denominator)
    drawn = np.random.default_rng(seed).integers(len(top), size=(RESAMPLES, len(top)))
    ratios = top[drawn].mean(axis=1) / bottom[drawn].mean(axis=1)
    low, high = np.quantile(ratios, [(1 - LEVEL_FRAC) / 2, (1 + LEVEL_FRAC) / 2])
    return Interval(float(low), float(high))


def share(part: int, whole: int) -> float | None:
    """part / whole in [0, 1]; None of nothing."""
    return part / whole if whole else None
