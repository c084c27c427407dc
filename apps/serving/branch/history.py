"""What was selected before at a coordinate: decayed counts, and the weight that orders candidates by them. §3.3

A variable-order Markov model with back-off, and recency with frequency as in AccessRank (Fitchett and Cockburn,
CHI 2012). `c_k(n)` is the decayed count of `n` after the last `k` selections, `C_k` its sum over all `n`:

    P_k(n)  = (c_k(n) + b * P_{k-1}(n)) / (C_k + b),    P_{-1}(n) = 1
    CRF(n)  = sum over the selections i of n of 2 ** (-(now - t_i) / recent half-life)
    weight  = P_K(n) ** alpha * CRF(n) ** (1 / alpha),  K the longest context

A context never seen has C_k = 0, so that P_k is P_{k-1}: the model backs off. AccessRank itself knows order 1, without
decay and back-off, where its Markov weight is P with b = 1 over a base of 1; its third factor, the time of day, is
left out: the clock is not in what a candidate is rendered from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.serving.names import Coordinate, digest

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class HistoryConfig:
    """order             longest context, selections, >= 0
    lasting_half_life_ms what the Markov counts lose half of themselves in, ms, > 0
    recent_half_life_ms  the same for CRF, ms, > 0
    backoff              b above, > 0: how many selections the shorter context counts for; AccessRank adds 1
    alpha                > 0: above 1 weighs what follows over what is recent; AccessRank's own 1.65
    contexts             most contexts kept of one place, > order; the one longest unused goes
    choices              most choices kept of one context, >= 1; the one of least lasting count goes
    observations         most observation ids remembered of one place, >= 1: a repeat among them is not counted
    keep_ms              a history without a selection for this long is let go, ms, > 0
    """

    order: int = 3
    lasting_half_life_ms: int = 30 * DAY_MS
    recent_half_life_ms: int = DAY_MS
    backoff: float = 1.0
    alpha: float = 1.65
    contexts: int = 500
    choices: int = 64
    observations: int = 512
    keep_ms: int = 180 * DAY_MS


DEFAULTS = HistoryConfig()


@dataclass(frozen=True, slots=True)
class Place:
    """Whose history, and where. Nothing is shared between two partitions."""

    partition: str
    coordinate: Coordinate


@dataclass(frozen=True, slots=True)
class Tally:
    """Decayed counts of one choice, as they were at `at_ms`, its latest selection."""

    lasting: float
    recent: float
    at_ms: int

    def plus(self, other: "Tally", config: HistoryConfig) -> "Tally":
        """Both together. It makes no difference in which order selections are counted, but for rounding."""
        at_ms = max(self.at_ms, other.at_ms)
        mine, others = self.at(at_ms, config), other.at(at_ms, config)
        return Tally(mine.lasting + others.lasting, mine.recent + others.recent, at_ms)

    def at(self, now_ms: int, config: HistoryConfig) -> "Tally":
        """Decayed to `now_ms`; a clock that is behind makes nothing grow."""
        age_ms = max(0, now_ms - self.at_ms)
        return Tally(
            self.lasting * 2.0 ** (-age_ms / config.lasting_half_life_ms),
            self.recent * 2.0 ** (-age_ms / config.recent_half_life_ms),
            now_ms,
        )


class History(Protocol):
    """Counts shared by all processes. Each method is one atomic step, and a repeat of it is safe."""

    def observe(self, place: Place, contexts: Sequence[str], choice: str, observation_id: str, now_ms: int) -> bool:
        """Count one selection in each of these contexts. False when this observation was counted before."""
        ...

    def tallies(self, place: Place, contexts: Sequence[str]) -> tuple[Mapping[str, Tally], ...]:
        """What followed each context, choice -> tally, in the order asked; empty for one never seen."""
        ...


def contexts_of(recent: Sequence[str], order: int) -> tuple[str, ...]:
    """Ids of the contexts of the next selection, the empty one first, then ever longer ends of `recent`."""
    longest = min(order, len(recent))
    return tuple(digest(list(recent[len(recent) - length :]))[:32] for length in range(longest + 1))


def weights(tallies: Sequence[Mapping[str, Tally]], now_ms: int, config: HistoryConfig = DEFAULTS) -> dict[str, float]:
    """Weight of every choice that has any; `tallies` are those of `contexts_of`, the empty context first."""
    if not tallies:
        return {}
    now = [{choice: held.at(now_ms, config) for choice, held in one.items()} for one in tallies]
    likely = dict.fromkeys((choice for one in now for choice in one), 1.0)
    for one in now:
        total = sum(tally.lasting for tally in one.values()) + config.backoff
        counts = {choice: tally.lasting for choice, tally in one.items()}
        likely = {choice: (counts.get(choice, 0.0) + config.backoff * p) / total for choice, p in likely.items()}
    return {
        choice: likely[choice] ** config.alpha * tally.recent ** (1 / config.alpha) for choice, tally in now[0].items()
    }
