"""The candidate interface: `coordinate, context -> ranked candidates`. Only their order is used. §3.3"""

import asyncio
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

from apps.serving.branch.candidates import Context, Guess, ProposalLimits, Ranking, ranked
from apps.serving.names import Coordinate


class Box:
    """Takes the rankings of one call of a predictor, until it is closed. Safe from any thread."""

    def __init__(self, context: Context, limits: ProposalLimits) -> None:
        self._context, self._limits = context, limits
        self._lock = threading.Lock()
        self._ranking = Ranking()
        self._closed = False
        self._at_close: list[tuple[asyncio.AbstractEventLoop, Callable[[], object]]] = []

    def say(self, guesses: Iterable[Guess]) -> bool:
        """A whole ranking, in place of the one before. False: nobody listens any more, so stop."""
        # Outside the lock: the guesses may come from a generator that hangs.
        ranking = ranked(guesses, self._context, self._limits)
        with self._lock:
            if not self._closed:
                self._ranking = ranking
            return not self._closed

    def at_close(self, loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
        """Have `loop` make this call once the box is closed; at once if it is. How awaited work is cancelled."""
        with self._lock:
            if not self._closed:
                self._at_close.append((loop, call))
                return
        _soon(loop, call)

    def held(self) -> Ranking:
        with self._lock:
            return self._ranking

    def close(self) -> Ranking:
        """What was said last, for good. A repeat gives the same."""
        with self._lock:
            self._closed = True
            waiting, self._at_close = self._at_close, []
        for loop, call in waiting:
            _soon(loop, call)
        return self._ranking


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    with suppress(RuntimeError):  # that loop has ended, and its work with it
        loop.call_soon_threadsafe(call)


class Predictor(Protocol):
    def predict(self, coordinate: Coordinate, context: Context, box: Box) -> None:
        """Say rankings, each better than the one before, then return. Saying none is an answer too.

        Called in a thread of its own, which may block: at the deadline the caller goes on with what was said.
        Other threads may be in the same call.
        """
        ...
