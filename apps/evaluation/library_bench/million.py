"""A great library: what it holds of memory against its budget, and whether a probe in it takes longer."""

from contextlib import ExitStack
from dataclasses import dataclass
from random import Random

from apps.evaluation.library_bench.answers import expect
from apps.evaluation.library_bench.calls import LATER_MS
from apps.evaluation.library_bench.loading import Entries, fill
from apps.evaluation.library_bench.material import Material
from apps.evaluation.library_bench.rows import Found, Log, compared, row
from apps.evaluation.library_bench.shelf import Shelf, config, shelf
from apps.evaluation.library_bench.sizes import Sizes
from apps.evaluation.library_bench.timing import in_turns, median_ratio
from apps.runtime.measurement import Check
from apps.serving.library.eviction import entry_bytes
from apps.serving.names import ReuseName
from apps.serving.outcomes import Hit, Result
from apps.stores.codec import encode_result

SAMPLE = 2_000
WITHIN_FRAC = 0.15


def mean_entry_bytes(material: Material) -> float:
    """What an entry of this material holds on average, by the formula that the budget goes by."""
    sizes = []
    for number in range(SAMPLE):
        result = material.result(number)
        chars = len(str(material.name(number)))
        upstream = [len(str(name)) for name in result.upstream]
        sizes.append(entry_bytes(chars, len(encode_result(result)), map(len, result.reads), upstream))
    return sum(sizes) / len(sizes)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Entries of another material under numbers of their own."""

    material: Material
    numbers: tuple[int, ...]

    def name(self, number: int) -> ReuseName:
        return self.material.name(self.numbers[number])

    def result(self, number: int) -> Result:
        return self.material.result(self.numbers[number])


def kept(made: Shelf, material: Material, count: int, wanted: int, seed: int) -> list[int]:
    """Numbers of entries without producer edges that eviction has left, from all over the library."""
    found: list[int] = []
    for number in Random(seed).sample(range(count), count):
        if material.upstream(number) is None and isinstance(made.library.probe(material.name(number), LATER_MS), Hit):
            found.append(number)
            if len(found) == wanted:
                break
    return found


def memory(made: Shelf, before_bytes: int, budget: int) -> Found:
    totals, grown = made.library.totals(), made.memory_bytes() - before_bytes
    over = grown / budget
    resident = int(made.client.info("memory")["used_memory_rss"])
    note = f"{totals.entries:,} entries, {totals.ghosts:,} ghosts; resident {resident:,} bytes"
    rows = [
        row("memory of the library, against its budget", totals.entries, grown, "bytes", budget, over, note=note),
        row("memory of the library, against its own count", totals.entries, grown, "bytes", totals.bytes,
            grown / totals.bytes, note="count by the formula of serving/library/eviction.py"),
    ]  # fmt: skip
    low, high = 1 - WITHIN_FRAC, 1 + WITHIN_FRAC
    return Found(rows, [Check("memory_over_budget", over, "ratio", f"{low:g} to {high:g}", low <= over <= high)])


def probes(great: Shelf, material: Material, count: int, sizes: Sizes, seed: int, log: Log) -> Found:
    numbers = kept(great, material, count, max(sizes.calls, sizes.few), seed)
    few = tuple(numbers[: sizes.few])
    names = [material.name(number) for number in numbers]
    with shelf() as small:
        fill(small, Entries(Chosen(material, few)), len(few), 1, log)
        for name in names[: len(few)]:
            expect(Hit, small.library.probe(name, LATER_MS))
        log(f"probes among {count:,} and among {len(few):,} in turns …")
        pairs = in_turns(
            lambda n: great.library.probe(names[n], LATER_MS),
            lambda n: small.library.probe(names[n % len(few)], LATER_MS),
            range(len(names)),
            seed,
        )
    held = great.library.totals().entries
    what, note = f"probe among {held:,}", f"probe among {len(few):,}"
    return compared("probe_1m_over_1k", what, median_ratio(pairs, seed), 1.2, note)


def million(sizes: Sizes, seed: int, log: Log) -> Found:
    material = Material(seed)
    count = int(sizes.entries * sizes.overfill)
    budget = int(sizes.entries * mean_entry_bytes(material))
    with ExitStack() as stack:
        great = stack.enter_context(shelf(config(library_bytes=budget)))
        before_bytes = great.memory_bytes()
        log(f"{count:,} entries for a budget of {budget:,} bytes …")
        fill(great, Entries(material), count, sizes.loaders, log)
        found = memory(great, before_bytes, budget)
        return found + probes(great, material, count, sizes, seed, log)
