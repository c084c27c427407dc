"""Filling a store through its own scripts, from several processes, since one alone would take an hour."""

import multiprocessing
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty
from typing import Protocol

from apps.evaluation.library_bench.material import NOW_MS, PRODUCER, STAGE
from apps.evaluation.library_bench.shelf import Shelf, connected
from apps.serving.config import ServingConfig
from apps.serving.names import ReuseName
from apps.serving.outcomes import Miss, Result

REPORT_EVERY = 2_000
SILENCE_S = 1.0


class LoadFailed(Exception):
    def __init__(self, codes: Sequence[int | None]) -> None:
        super().__init__(f"a process that fills the store ended early (exit codes {list(codes)}); its error is above")


class Filling(Protocol):
    """Something that can be stored by number; pickled, so that another process can do it."""

    def store(self, shelf: Shelf, number: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Job:
    """The numbers of `first`, `first + step`, … below `end`."""

    url: str
    config: ServingConfig
    filling: Filling
    first: int
    end: int
    step: int


def work(job: Job, told: "multiprocessing.Queue[int]") -> None:
    with connected(job.url, job.config) as shelf:
        done = 0
        for number in range(job.first, job.end, job.step):
            job.filling.store(shelf, number)
            done += 1
            if done % REPORT_EVERY == 0:
                told.put(REPORT_EVERY)
        told.put(done % REPORT_EVERY)


def fill(shelf: Shelf, filling: Filling, count: int, loaders: int, log: Callable[[str], object]) -> None:
    """Store the numbers 0 to count - 1. One loader is this process itself; LoadFailed when another could not."""
    if loaders == 1:
        for number in range(count):
            filling.store(shelf, number)
        return
    context = multiprocessing.get_context("spawn")
    told: multiprocessing.Queue[int] = context.Queue()
    jobs = [Job(shelf.url, shelf.config, filling, first, count, loaders) for first in range(loaders)]
    processes = [context.Process(target=work, args=(job, told), daemon=True) for job in jobs]
    for process in processes:
        process.start()
    try:
        _wait(processes, told, count, log)
    except BaseException:
        for process in processes:
            process.terminate()
        raise
    finally:
        for process in processes:
            process.join()


def _wait(
    processes: Sequence["multiprocessing.process.BaseProcess"],
    told: "multiprocessing.Queue[int]",
    count: int,
    log: Callable[[str], object],
) -> None:
    started_s, done, said = time.monotonic(), 0, 0
    while done < count:
        try:
            done += told.get(timeout=SILENCE_S)
        except Empty:
            # An exit code of 0 is one that has told all; what it told may still be on its way.
            codes = [process.exitcode for process in processes]
            if any(codes):
                raise LoadFailed(codes) from None
            continue
        if done - said >= count / 10:
            said = done
            left_s = (time.monotonic() - started_s) / done * (count - done)
            log(f"stored {done:,} of {count:,}; about {left_s:.0f} s left")


class Shaped(Protocol):
    def name(self, number: int) -> ReuseName: ...

    def result(self, number: int) -> Result: ...


class NotStored(Exception):
    def __init__(self, what: str, answer: Miss) -> None:
        super().__init__(f"{what} could not be stored: {answer.reason}")


def stored(what: str, answer: Miss | None) -> None:
    """Raises NotStored: a store that holds less than was asked for would be measured as if it were quick."""
    if answer is not None:
        raise NotStored(what, answer)


@dataclass(frozen=True, slots=True)
class Entries:
    """Confirmed entries by number."""

    shaped: Shaped

    def store(self, shelf: Shelf, number: int) -> None:
        # Time goes on with the number, so that the order of use is that of the numbers.
        name, result = self.shaped.name(number), self.shaped.result(number)
        stored(f"entry {number}", shelf.library.record(name, result, PRODUCER, STAGE, NOW_MS + number))
