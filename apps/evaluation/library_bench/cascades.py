"""How long a write takes to end all that it reaches, and that this grows as what it reaches does."""

import statistics
from dataclasses import dataclass
from time import perf_counter_ns

from apps.evaluation.library_bench.answers import Unreached
from apps.evaluation.library_bench.loading import Entries, fill
from apps.evaluation.library_bench.material import NOW_MS, Material
from apps.evaluation.library_bench.rows import Found, Log, Row, at_most, row
from apps.evaluation.library_bench.shelf import NEVER_MS, Shelf, shelf
from apps.evaluation.library_bench.sizes import Sizes
from apps.evaluation.library_bench.timing import line
from apps.serving.names import ReuseName
from apps.serving.outcomes import Result


@dataclass(frozen=True, slots=True)
class Readers:
    """All read `record` and nothing else."""

    material: Material
    record: str

    def name(self, number: int) -> ReuseName:
        return self.material.name(number)

    def result(self, number: int) -> Result:
        return Result(self.material.text(number), {self.record: 1}, 50.0, {})


@dataclass(frozen=True, slots=True)
class Families:
    """Every other one reads `record`; the next was made from it, and reads nothing itself."""

    material: Material
    record: str

    def name(self, number: int) -> ReuseName:
        return self.material.name(number)

    def result(self, number: int) -> Result:
        text, reads = self.material.text(number), {self.record: 1}
        if number % 2 == 0:
            return Result(text, reads, 50.0, {})
        return Result(text, {}, 50.0, {}, upstream=(self.name(number - 1),), inherited=reads)


@dataclass(frozen=True, slots=True)
class Cascade:
    reached: int
    took_us: float
    steps: int

    @property
    def us_each(self) -> float:
        return self.took_us / self.reached


def write(made: Shelf, record: str, reached: int) -> Cascade:
    """Write the record, and go on until nothing is left; Unreached unless exactly so many entries ended."""
    made.records.begin_write([record], "token", NOW_MS + NEVER_MS)
    started_ns, steps = perf_counter_ns(), 1
    step = made.records.commit_write({record: 2}, "token", NOW_MS)
    ended = len(step.entries)
    while step.open:
        step = made.records.cascade(NOW_MS)
        ended, steps = ended + len(step.entries), steps + 1
    took_us = (perf_counter_ns() - started_ns) / 1_000
    if ended != reached:
        raise Unreached(reached, ended)
    return Cascade(reached, took_us, steps)


def cascade_rows(cascades: list[Cascade]) -> list[Row]:
    rows = []
    for size in sorted({one.reached for one in cascades}):
        same = [one for one in cascades if one.reached == size]
        each_us = statistics.median(one.us_each for one in same)
        rows.append(row(f"write with {size:,} readers", len(same), each_us, "µs each", note=f"{same[0].steps} steps"))
    fit = line([one.reached for one in cascades], [one.took_us for one in cascades])
    note = f"R² {fit.r2:.4f}, {fit.start:.0f} µs to begin with"
    return [*rows, row("line through them", len(cascades), fit.slope, "µs each", note=note)]


def one(made: Shelf, shaped: Readers | Families, count: int, loaders: int, log: Log) -> Cascade:
    made.records.publish({shaped.record: 1}, NOW_MS)
    fill(made, Entries(shaped), count, loaders, log)
    return write(made, shaped.record, count)


def cascade(sizes: Sizes, seed: int, log: Log) -> Found:
    material, found = Material(seed), []
    with shelf() as made:
        for size in sizes.cascades:
            for turn in range(sizes.cascade_rounds):
                log(f"a write with {size:,} readers, {turn + 1} of {sizes.cascade_rounds} …")
                found.append(one(made, Readers(material, f"written:{size}:{turn}"), size, sizes.loaders, log))
        # One process alone: what a result was made from must be stored before it.
        family = one(made, Families(material, "written:family"), sizes.cascades[-1] // 10 * 2, 1, log)
    rows = cascade_rows(found)
    largest = statistics.median(one.us_each for one in found if one.reached == sizes.cascades[-1])
    rows.append(
        row("write with a reader to each child", 1, family.us_each, "µs each", note=f"{family.reached:,} ended")
    )
    return Found(rows, [at_most("cascade_us_per_entry", largest, "µs", 20.0)])
