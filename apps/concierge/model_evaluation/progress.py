"""Progress of a long step: how many of all, and about how long the rest takes."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

EVERY_S = 5.0


@dataclass(slots=True)
class Progress:
    """Tells `say` at most every EVERY_S seconds, and at the end."""

    step: str
    total: int
    say: Callable[[str], object]
    done: int = 0
    started_s: float = field(default_factory=time.monotonic)
    told_s: float = field(default_factory=time.monotonic)

    def one_more(self) -> None:
        self.reached(self.done + 1)

    def reached(self, done: int) -> None:
        self.done, now = done, time.monotonic()
        if now - self.told_s < EVERY_S and done < self.total:
            return
        self.told_s = now
        left_s = (now - self.started_s) / max(1, done) * (self.total - done)
        self.say(f"{self.step}: {done} of {self.total}, eta {left_s:.0f} s")
