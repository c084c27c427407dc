"""Hit, miss and promotion against a bare GET of the same payload, on the same Redis, in turns.

The checks hold them to a GET as one writes it, by redis-py's client. Scripts go over a connection that a thread keeps
(stores/line.py), which is quicker; so a second row sets each against a GET over that, and has no limit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from apps.evaluation.library_bench.answers import expect
from apps.evaluation.library_bench.loading import Entries, fill
from apps.evaluation.library_bench.material import NOW_MS, Material
from apps.evaluation.library_bench.offers import Offers
from apps.evaluation.library_bench.rows import Found, Log, compared, ratio_row
from apps.evaluation.library_bench.shelf import Shelf, shelf
from apps.evaluation.library_bench.sizes import Sizes
from apps.evaluation.library_bench.timing import Call, in_turns, median_ratio
from apps.serving.outcomes import Hit, Miss, Promoted
from apps.stores.codec import encode_result
from apps.stores.line import line

LATER_MS = NOW_MS + 10**9


@dataclass(frozen=True, slots=True)
class Held:
    """One call, the check of its ratio, and the key of the GET that it is held to."""

    what: str
    check: str
    limit: float
    call: Call
    key: Callable[[int], str]

    def measured(self, made: Shelf, numbers: Sequence[int], seed: int) -> Found:
        """No number is used twice: a promotion happens once."""
        half = len(numbers) // 2
        get, ask = made.client.get, line(made.client).ask
        plain = in_turns(self.call, lambda n: get(self.key(n)), numbers[:half], seed)
        own = in_turns(self.call, lambda n: ask("GET", self.key(n)), numbers[half:], seed)
        found = compared(self.check, self.what, median_ratio(plain, seed), self.limit, "GET by redis-py's client")
        return found + Found([ratio_row(self.what, median_ratio(own, seed), "GET over a thread's own connection")])


def bare(number: int) -> str:
    return f"bare:{number}"


def nowhere(number: int) -> str:
    return f"absent:{number}"


def put_bare(made: Shelf, material: Material, count: int) -> None:
    for number in range(count):
        made.client.set(bare(number), encode_result(material.result(number)))


def probes(sizes: Sizes, seed: int, log: Log) -> Found:
    material, other = Material(seed), Material(seed + 1)
    names = [material.name(number) for number in range(sizes.few)]
    absent = [other.name(number) for number in range(sizes.few)]
    numbers = Random(seed).choices(range(sizes.few), k=2 * sizes.calls)
    with shelf() as made:
        fill(made, Entries(material), sizes.few, 1, log)
        put_bare(made, material, sizes.few)
        probe = made.library.probe
        for name, none in zip(names, absent, strict=True):
            expect(Hit, probe(name, LATER_MS))
            expect(Miss, probe(none, LATER_MS))
        hit = Held("probe, hit", "hit_over_get_p50", 1.5, lambda n: probe(names[n], LATER_MS), bare)
        miss = Held("probe, miss", "miss_over_get_p50", 1.3, lambda n: probe(absent[n], LATER_MS), nowhere)
        log("hits and GETs in turns …")
        found = hit.measured(made, numbers, seed)
        log("misses and GETs in turns …")
        return found + miss.measured(made, numbers, seed)


def promotions(sizes: Sizes, seed: int, log: Log) -> Found:
    material, count = Material(seed), 2 * sizes.calls
    offers = Offers(material, "promoted", 1, count)
    names = [material.name(number) for number in range(count)]
    with shelf() as made:
        for number in range(count):
            offers.store(made, number)
        put_bare(made, material, count)
        promote = made.shadows.promote
        held = Held(
            "promote",
            "promote_over_get_p50",
            2.0,
            lambda n: expect(Promoted, promote(offers.fill_id(n, 0), names[n], True, LATER_MS)),
            bare,
        )
        log("promotions and GETs in turns …")
        return held.measured(made, Random(seed).sample(range(count), count), seed)


def calls(sizes: Sizes, seed: int, log: Log) -> Found:
    return probes(sizes, seed, log) + promotions(sizes, seed, log)
