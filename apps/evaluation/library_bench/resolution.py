"""One branch resolved and its pick promoted, with few and with many shadows elsewhere, in turns."""

from collections.abc import Callable
from contextlib import ExitStack
from itertools import count

from apps.evaluation.library_bench.answers import expect
from apps.evaluation.library_bench.loading import fill
from apps.evaluation.library_bench.material import NOW_MS, Material
from apps.evaluation.library_bench.offers import Offers
from apps.evaluation.library_bench.rows import Found, Log, compared
from apps.evaluation.library_bench.shelf import Shelf, shelf
from apps.evaluation.library_bench.sizes import Sizes
from apps.evaluation.library_bench.timing import in_turns, median_ratio
from apps.serving.gate.policy import PlainGate
from apps.serving.layer import Layer, Stores
from apps.serving.outcomes import Promoted
from apps.stores.reservations import RedisReservations

WIDTH = 4  # actions of an offer


def layer_on(made: Shelf) -> Layer:
    ids = count()
    stores = Stores(made.library, made.shadows, made.branches, made.records, RedisReservations(made.client))
    return Layer(stores, PlainGate(), made.config, lambda: f"{next(ids):032x}")


def resolver(made: Shelf, offers: Offers, material: Material) -> Callable[[int], None]:
    layer = layer_on(made)

    def resolve(number: int) -> None:
        layer.on_resolved(offers.branch_id(number), "0", NOW_MS)
        name = material.name(number * WIDTH)
        expect(Promoted, made.shadows.promote(offers.fill_id(number, 0), name, True, NOW_MS))

    return resolve


def resolve(sizes: Sizes, seed: int, log: Log) -> Found:
    here, elsewhere = Material(seed), Material(seed + 1)
    few, many = sizes.shadows
    offers = Offers(here, "here", WIDTH, sizes.branches * WIDTH)
    with ExitStack() as stack:
        shelves = [stack.enter_context(shelf()) for _ in sizes.shadows]
        for made, shadows in zip(shelves, (few, many), strict=True):
            others = Offers(elsewhere, "elsewhere", WIDTH, shadows)
            fill(made, others, others.branches, sizes.loaders, log)
        resolve_few, resolve_many = (resolver(made, offers, here) for made in shelves)
        log(f"{sizes.branches} branches resolved beside {few:,} and {many:,} shadows, in turns …")

        def prepare(number: int) -> None:
            for made in shelves:
                offers.store(made, number)

        pairs = in_turns(resolve_many, resolve_few, range(sizes.branches), seed, prepare)
    what = f"a branch of {WIDTH} resolved and promoted, {many:,} shadows elsewhere"
    return compared("resolve_100k_over_10", what, median_ratio(pairs, seed), 1.2, f"{few:,} shadows elsewhere")
