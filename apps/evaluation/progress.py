"""Progress of a play, a line for each turn."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from apps.evaluation.played import TurnRecord


@dataclass(slots=True)
class Progress:
    """Tells `say` of every turn: how many of all, and about how long the arm still takes."""

    arm: str
    turns: int
    say: Callable[[str], object]
    done: int = 0
    started_s: float = field(default_factory=time.monotonic)

    def __call__(self, turn: TurnRecord) -> None:
        self.done += 1
        left_s = (time.monotonic() - self.started_s) / self.done * (self.turns - self.done)
        took = turn.error if turn.complete_ms is None else f"{turn.complete_ms:.0f} ms, {turn.outcome}"
        self.say(f"{self.arm}: turn {self.done} of {self.turns}, {turn.kind} {took}; eta {left_s:.0f} s")
