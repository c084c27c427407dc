"""What was selected at each coordinate, in memory. Nothing is let go for its age."""

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.serving.branch.history import DEFAULTS, HistoryConfig, Place, Tally


@dataclass(slots=True)
class _Kept:
    """after  context -> choice -> tally      used  context -> its latest selection, ms"""

    after: dict[str, dict[str, Tally]] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    observed: dict[str, int] = field(default_factory=dict)


class MemoryHistory:
    """`serving.branch.history.History`."""

    def __init__(self, config: HistoryConfig = DEFAULTS) -> None:
        self._config, self._lock = config, threading.Lock()
        self._places: dict[Place, _Kept] = {}

    def observe(self, place: Place, contexts: Sequence[str], choice: str, observation_id: str, now_ms: int) -> bool:
        with self._lock:
            kept = self._places.setdefault(place, _Kept())
            if observation_id in kept.observed:
                return False
            kept.observed[observation_id] = now_ms
            for context in contexts:
                self._count(kept.after.setdefault(context, {}), choice, now_ms)
                kept.used[context] = max(now_ms, kept.used.get(context, now_ms))
            for old in _oldest(kept.observed, self._config.observations):
                del kept.observed[old]
            for old in _oldest(kept.used, self._config.contexts):
                del kept.used[old], kept.after[old]
            return True

    def tallies(self, place: Place, contexts: Sequence[str]) -> tuple[Mapping[str, Tally], ...]:
        with self._lock:
            after = self._places.get(place, _Kept()).after
            return tuple(dict(after.get(context, {})) for context in contexts)

    def _count(self, held: dict[str, Tally], choice: str, now_ms: int) -> None:
        one = Tally(1.0, 1.0, now_ms)
        held[choice] = held[choice].plus(one, self._config) if choice in held else one
        others = held.keys() - {choice}
        if others and len(held) > self._config.choices:
            del held[min(others, key=lambda other: self._height(held[other]))]

    def _height(self, tally: Tally) -> float:
        """The binary logarithm of its lasting count, seen from one moment for all."""
        return math.log2(tally.lasting) + tally.at_ms / self._config.lasting_half_life_ms


def _oldest(used: Mapping[str, int], most: int) -> list[str]:
    """Those that are too many; of equally old ones the first in the order of bytes, as in a sorted set."""
    return sorted(used, key=lambda name: (used[name], name.encode()))[: max(0, len(used) - most)]
