"""The parts of the measurement, by name."""

from collections.abc import Callable, Sequence

from apps.evaluation.library_bench.calls import calls
from apps.evaluation.library_bench.cascades import cascade
from apps.evaluation.library_bench.keying import key
from apps.evaluation.library_bench.million import million
from apps.evaluation.library_bench.neighbours import neighbours
from apps.evaluation.library_bench.resolution import resolve
from apps.evaluation.library_bench.rows import Found, Log
from apps.evaluation.library_bench.shapes import shapes
from apps.evaluation.library_bench.sizes import Sizes
from apps.runtime.measurement import columns

Part = Callable[[Sizes, int, Log], Found]

PARTS: dict[str, Part] = {
    "key": key,
    "calls": calls,
    "neighbours": neighbours,
    "cascade": cascade,
    "resolve": resolve,
    "shapes": shapes,
    "million": million,
}


def bench(names: Sequence[str], sizes: Sizes, seed: int, log: Log) -> Found:
    found = Found()
    for place, name in enumerate(names, 1):
        log(f"{place}/{len(names)} {name}")
        part = PARTS[name](sizes, seed, lambda text, name=name: log(f"{name}: {text}"))
        # At once: a run takes long, and may be ended before the last part.
        log(columns(part.rows))
        found += part
    return found
