"""Hit, miss and promotion against a bare GET of the same payload, on the same Redis, in turns."""

from random import Random

from apps.evaluation.library_bench.answers import expect
from apps.evaluation.library_bench.loading import Entries, fill
from apps.evaluation.library_bench.material import NOW_MS, Material
from apps.evaluation.library_bench.offers import Offers
from apps.evaluation.library_bench.rows import Found, Log, compared, ratio_row
from apps.evaluation.library_bench.shelf import Shelf, shelf
from apps.evaluation.library_bench.sizes import Sizes
from apps.evaluation.library_bench.timing import in_turns, median_ratio
from apps.serving.outcomes import Hit, Miss, Promoted
from apps.stores.codec import encode_result
from apps.stores.line import line

LATER_MS = NOW_MS + 10**9
SAME = "GET of the same payload"


def bare(number: int) -> str:
    return f"bare:{number}"


def put_bare(made: Shelf, material: Material, count: int) -> None:
    for number in range(count):
        made.client.set(bare(number), encode_result(material.result(number)))


def hits_and_misses(sizes: Sizes, seed: int, log: Log) -> Found:
    material, other = Material(seed), Material(seed + 1)
    names = [material.name(number) for number in range(sizes.few)]
    absent = [other.name(number) for number in range(sizes.few)]
    numbers = Random(seed).choices(range(sizes.few), k=sizes.calls)
    with shelf() as made:
        fill(made, Entries(material), sizes.few, 1, log)
        put_bare(made, material, sizes.few)
        library, client = made.library, made.client
        for name, none in zip(names, absent, strict=True):
            expect(Hit, library.probe(name, LATER_MS))
            expect(Miss, library.probe(none, LATER_MS))
        log("hits and GETs in turns …")
        hit = in_turns(lambda n: library.probe(names[n], LATER_MS), lambda n: client.get(bare(n)), numbers, seed)
        log("misses and GETs in turns …")
        miss = in_turns(lambda n: library.probe(absent[n], LATER_MS), lambda n: client.get(f"no:{n}"), numbers, seed)
        log("GETs on both kinds of connection in turns …")
        ask = line(client).ask
        lean = in_turns(lambda n: ask("GET", bare(n)), lambda n: client.get(bare(n)), numbers, seed)
    found = compared("hit_over_get_p50", "probe, hit", median_ratio(hit, seed), 1.5, SAME)
    found += compared("miss_over_get_p50", "probe, miss", median_ratio(miss, seed), 1.3, "GET of an absent key")
    # The base of all is a GET as one writes it; the scripts go over a quicker way, which this row sets apart.
    return found + Found([ratio_row("GET over a thread's own connection", median_ratio(lean, seed), SAME)])


def promotions(sizes: Sizes, seed: int, log: Log) -> Found:
    material = Material(seed)
    offers = Offers(material, "promoted", 1, sizes.calls)
    names = [material.name(number) for number in range(sizes.calls)]
    with shelf() as made:
        for number in range(sizes.calls):
            offers.store(made, number)
        put_bare(made, material, sizes.calls)
        shadows, client = made.shadows, made.client
        log("promotions and GETs in turns …")
        pairs = in_turns(
            lambda n: expect(Promoted, shadows.promote(offers.fill_id(n, 0), names[n], True, LATER_MS)),
            lambda n: client.get(bare(n)),
            Random(seed).sample(range(sizes.calls), sizes.calls),
            seed,
        )
    return compared("promote_over_get_p50", "promote", median_ratio(pairs, seed), 2.0, SAME)


def calls(sizes: Sizes, seed: int, log: Log) -> Found:
    return hits_and_misses(sizes, seed, log) + promotions(sizes, seed, log)
