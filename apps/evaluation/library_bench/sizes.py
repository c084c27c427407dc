"""How much is measured: the whole run, and a small one that only shows that everything works."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """calls         pairs of calls whose medians are compared
    few, entries     entries of the small and of the great library
    overfill         of the great one's byte budget so much is stored, so that eviction runs; > 1
    cascades         direct readers of one record, for each write that is timed
    cascade_rounds   writes of each size
    shadows          shadows elsewhere, few and many
    branches         branches that are resolved beside each of them
    fitted           entries of one shape, whose memory is compared with the formula
    requests         whole requests that the other caches answer as well
    loaders          processes that fill a store
    """

    calls: int = 5_000
    few: int = 1_000
    entries: int = 1_000_000
    overfill: float = 1.1
    cascades: tuple[int, ...] = (1_000, 3_000, 10_000, 30_000, 100_000)
    cascade_rounds: int = 3
    shadows: tuple[int, int] = (10, 100_000)
    branches: int = 500
    fitted: int = 20_000
    requests: int = 3_000
    loaders: int = 2


WHOLE = Sizes()
QUICK = Sizes(
    calls=60,
    few=50,
    entries=400,
    cascades=(20, 40, 80),
    cascade_rounds=1,
    shadows=(4, 40),
    branches=5,
    fitted=100,
    requests=20,
    loaders=1,
)
