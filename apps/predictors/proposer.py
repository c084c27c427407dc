"""Asks predictors within a time box. Whatever they do, the caller goes on at the deadline. §3.3

Every call has a daemon thread of its own: what blocks there holds up neither the event loop, nor another predictor,
nor the end of the process. A predictor that never comes back can keep `limits.running` threads, and is then no longer
asked until one of them ends.
"""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from apps.predictors.interface import Box, Predictor
from apps.predictors.plans import Answer, Plan, is_decided, merged
from apps.serving.branch.candidates import LIMITS, Context, ProposalLimits
from apps.serving.names import Coordinate

log = logging.getLogger(__name__)


class Ended(StrEnum):
    DONE = "done"
    FAILED = "failed"  # it raised; what it had said before counts
    BUSY = "busy"  # not asked: too many of its calls have not come back
    CUT = "cut"  # still at it at the deadline, or once its answer could change nothing


@dataclass(frozen=True, slots=True)
class Part:
    """What one predictor did. dropped: guesses of its last ranking that could not be used"""

    predictor: str
    ended: Ended
    choices: tuple[str, ...]
    dropped: int


@dataclass(frozen=True, slots=True)
class Proposed:
    """choices  best first; none is an answer too
    setup_ms    the time taken, T_setup of Eq. 4, charged whatever came of it
    """

    choices: tuple[str, ...]
    setup_ms: float
    parts: tuple[Part, ...]


class _Call:
    """One predictor, asked once."""

    def __init__(self, predictor: str, box: Box, changed: Callable[[], object]) -> None:
        self.predictor, self.box, self._changed = predictor, box, changed
        self._loop = asyncio.get_running_loop()
        self.ended: Ended | None = None

    def end(self, ended: Ended) -> None:
        """From any thread, once."""
        self.ended = ended
        try:
            self._loop.call_soon_threadsafe(self._changed)
        except RuntimeError:
            log.debug("predictor %s came back after the end of its caller's loop", self.predictor)

    def answer(self) -> Answer:
        ended = self.ended is not None  # before the choices: what was said before the end is then in them
        return Answer(self.box.held().choices, ended)

    def part(self) -> Part:
        ended, ranking = self.ended or Ended.CUT, self.box.close()
        return Part(self.predictor, ended, ranking.choices, ranking.dropped)


CallLater = Callable[[float, Callable[[], object]], asyncio.TimerHandle]


class Proposer:
    """One per process. Any event loop may ask.

    clock       seconds, from any moment on
    call_later  as of an event loop; None takes the running one's
    """

    def __init__(
        self,
        predictors: Mapping[str, Predictor],
        limits: ProposalLimits = LIMITS,
        clock: Callable[[], float] = time.perf_counter,
        call_later: CallLater | None = None,
    ) -> None:
        self._predictors, self._limits = predictors, limits
        self._clock, self._call_later = clock, call_later
        self._lock = threading.Lock()
        self._running = Counter[str]()

    async def propose(self, plan: Plan, coordinate: Coordinate, context: Context) -> Proposed:
        """What the plan's predictors say by the deadline. Raises KeyError for a predictor that is not here."""
        started = self._clock()
        expired, changed = asyncio.Event(), asyncio.Event()

        def expire() -> None:
            expired.set()
            changed.set()

        later = self._call_later or asyncio.get_running_loop().call_later
        timer = later(self._limits.deadline_ms / 1000, expire)
        calls: list[_Call] = []
        try:
            for name in plan.predictors:
                calls.append(self._ask(name, coordinate, context, changed.set))
            while not (expired.is_set() or is_decided(plan, [call.answer() for call in calls])):
                await changed.wait()
                changed.clear()
        finally:
            timer.cancel()
            parts = tuple(call.part() for call in calls)
        choices = merged(plan, [part.choices for part in parts])[: self._limits.candidates]
        return Proposed(choices, (self._clock() - started) * 1000, parts)

    def running(self, predictor: str) -> int:
        """Its calls in progress, those left behind at a deadline included."""
        with self._lock:
            return self._running[predictor]

    def _ask(self, name: str, coordinate: Coordinate, context: Context, changed: Callable[[], object]) -> _Call:
        predictor = self._predictors[name]
        call = _Call(name, Box(context, self._limits), changed)
        with self._lock:
            if self._running[name] >= self._limits.running:
                call.ended = Ended.BUSY
                return call
            self._running[name] += 1
        thread = threading.Thread(
            target=self._run, args=(call, predictor, coordinate, context), name=f"predictor {name}", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:  # the process has as many threads as it may have
            log.warning("no thread for predictor %s", name)
            self._came_back(call, Ended.BUSY)
        return call

    def _run(self, call: _Call, predictor: Predictor, coordinate: Coordinate, context: Context) -> None:
        ended = Ended.FAILED
        try:
            predictor.predict(coordinate, context, call.box)
            ended = Ended.DONE
        except BaseException:  # also SystemExit: it means this thread's work, whatever a predictor thinks
            log.warning("predictor %s failed at %s", call.predictor, coordinate, exc_info=True)
        finally:
            self._came_back(call, ended)

    def _came_back(self, call: _Call, ended: Ended) -> None:
        with self._lock:
            self._running[call.predictor] -= 1
        call.end(ended)
