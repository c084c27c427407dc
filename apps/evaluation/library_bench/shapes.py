"""Memory of entries of one shape at a time, against the formula: what its constants are fitted on."""

from dataclasses import dataclass

from apps.evaluation.library_bench.loading import Entries, fill
from apps.evaluation.library_bench.material import Material, record
from apps.evaluation.library_bench.rows import Found, Log, row
from apps.evaluation.library_bench.shelf import shelf
from apps.evaluation.library_bench.sizes import Sizes
from apps.serving.names import ReuseName
from apps.serving.outcomes import Result


@dataclass(frozen=True, slots=True)
class Shape:
    """reads     records of each, spread over 500
    children     of each parent; 0: none was made from another
    """

    material: Material
    chars: int
    reads: int
    children: int

    def name(self, number: int) -> ReuseName:
        return self.material.name(number)

    def result(self, number: int) -> Result:
        reads = {record((number + 17 * place) % 500): 1 for place in range(self.reads)}
        family = self.children + 1
        upstream = (self.name(number - number % family),) if number % family else ()
        return Result("x" * self.chars, reads, 50.0, {}, upstream)


SHAPES = {
    "no output": (0, 0, 0),
    "1,000 characters": (1_000, 0, 0),
    "8,000 characters": (8_000, 0, 0),
    "1 record read": (1_000, 1, 0),
    "3 records read": (1_000, 3, 0),
    "1 child to a parent": (1_000, 0, 1),
    "9 children to a parent": (1_000, 0, 9),
}


def shapes(sizes: Sizes, seed: int, log: Log) -> Found:
    rows = []
    for what, (chars, reads, children) in SHAPES.items():
        with shelf() as made:
            before_bytes = made.memory_bytes()
            fill(made, Entries(Shape(Material(seed), chars, reads, children)), sizes.fitted, 1, log)
            grown = (made.memory_bytes() - before_bytes) / sizes.fitted
            counted = made.library.totals().bytes / sizes.fitted
        note = "base: by the formula"
        rows.append(row(f"entry with {what}", sizes.fitted, grown, "bytes", counted, grown / counted, note=note))
    return Found(rows)
