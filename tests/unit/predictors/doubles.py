"""Predictors that behave as told, and a deadline that comes when a test says so."""

import asyncio
import threading
import time
from collections.abc import Callable

from apps.predictors.interface import Box
from apps.serving.branch.candidates import Context, Guess, Option
from apps.serving.names import Coordinate

PATIENCE_S = 60.0
HERE = Coordinate("concierge", 1, "offer")
OFFERED = tuple(Option(str(place), kind, kind.title()) for place, kind in enumerate(("book", "map", "menu")))
MENU = Context("t/shared", 0, OFFERED)


class Deadline:
    """`call_later` of a `Proposer`; never passes by itself."""

    def __init__(self) -> None:
        self._calls: list[Callable[[], object]] = []
        self.delays_s: list[float] = []
        self.cancelled = 0

    def __call__(self, delay_s: float, call: Callable[[], object]) -> "Deadline":
        self._calls.append(call)
        self.delays_s.append(delay_s)
        return self

    def cancel(self) -> None:
        self.cancelled += 1

    def passes(self) -> None:
        for call in self._calls:
            call()


class Says:
    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.calls = 0

    def predict(self, coordinate: Coordinate, context: Context, box: Box) -> None:
        self.calls += 1
        box.say(Guess(choice, -place) for place, choice in enumerate(self.choices))


class Stuck(Says):
    """Says its choices, if any, and then blocks its thread until it is let go; then it says `late`."""

    late = "2"

    def __init__(self, *choices: str) -> None:
        super().__init__(*choices)
        self.is_stuck, self.let_go, self.back = threading.Event(), threading.Event(), threading.Event()
        self.was_heard: bool | None = None

    def predict(self, coordinate: Coordinate, context: Context, box: Box) -> None:
        if self.choices:
            super().predict(coordinate, context, box)
        else:
            self.calls += 1
        self.is_stuck.set()
        assert self.let_go.wait(PATIENCE_S)
        self.was_heard = box.say([Guess(self.late, 1.0)])
        self.back.set()


async def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        await asyncio.sleep(0.001)
