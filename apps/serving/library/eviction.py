"""The bound of the library: what an entry holds, and what it is worth. method.md §3, Bound"""

from collections.abc import Iterable

MAX_PROVENANCES = 8  # alternatives kept per entry; beyond that an older one is forgotten, which only extends cascades
MAX_EVICTED = 100  # by one entry that is kept; if that is not room enough, the next one goes on

# Bytes of Redis memory beside the texts themselves, fitted on a library of 1,000,000 entries (bench_library).
ENTRY_BYTES = 820  # the hash with its fields, its place in three orders
MEMBER_BYTES = 120  # one member of an index set: a reader of a record, a child of a name
NAME_COPIES = 4  # the entry's key, the orders of use, of worth and of text


def entry_bytes(name_chars: int, result_chars: int, read_chars: Iterable[int], upstream_chars: Iterable[int]) -> int:
    """What one entry or ghost holds, its members in the indexes included.

    name_chars, result_chars  encoded lengths, bytes; result_chars is 0 for a ghost
    read_chars      encoded length of every indexed record
    upstream_chars  encoded length of every upstream name, over all provenances
    """
    members = sum(2 * chars + name_chars + MEMBER_BYTES for chars in (*read_chars, *upstream_chars))
    return ENTRY_BYTES + NAME_COPIES * name_chars + result_chars + members


def worth(clock: float, uses: int, engine_ms: float, size_bytes: int) -> float:
    """GreedyDual-Size-Frequency: clock + frequency * engine_ms / bytes. The least goes first.

    A result that cost no engine time is worth a thousandth of a millisecond of it: a database query was still saved.
    """
    return clock + (uses + 1) * max(engine_ms, 0.001) / size_bytes
