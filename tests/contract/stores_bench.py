"""Short ways to bring branches, chains and fills to where a store test needs them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from apps.serving.branch.record import BranchRecord
from apps.serving.library.eviction import entry_bytes
from apps.serving.names import Coordinate, ReuseName, reuse_name
from apps.serving.outcomes import Result
from apps.serving.ports import ChainRecord, FillRecord
from apps.serving.workflow import Semantics
from apps.stores.codec import encode_result

NOW = 1_800_000_000_000
OWNER = "worker:1"
LATER = NOW + 60_000
NOTHING: Mapping[str, int] = {}
_ids = count(1)


def name(key: Any = "q", namespace: str = "tenant/shared") -> ReuseName:
    return reuse_name(namespace, "f" * 64, {"key": key})


def result(output: Any = "text", reads: Mapping[str, int] | None = None) -> Result:
    return Result({"text": output}, {} if reads is None else dict(reads), 12.5, {"tokens": 3})


def branch(branch_id: str = "b", opened_at_ms: int = NOW) -> BranchRecord:
    coordinate = Coordinate("concierge", 1, "offer")
    scope = {"conversation": "c", "mode": "full"}
    return BranchRecord(branch_id, coordinate, Semantics.INDEPENDENT, scope, opened_at_ms, opened_at_ms + 60_000)


def chain(branch_id: str = "b", chain_id: str = "c", stages: int = 1, expires_at_ms: int = LATER):
    """The chain and its fills, ids `<chain>.0`, `<chain>.1`, …"""
    ids = tuple(f"{chain_id}.{position}" for position in range(stages))
    record = ChainRecord(
        chain_id, branch_id, "0", 0, {"pick": "été"}, {"tenant": "t"}, ids, f"r.{chain_id}", 1, 100, expires_at_ms
    )
    fills = [FillRecord(i, chain_id, branch_id, p, f"stage{p}", f"{next(_ids):032x}") for p, i in enumerate(ids)]
    return record, fills


def reserved(store: Any, chain_id: str = "c", **changes: Any) -> str:
    """The first fill of a new chain under branch `b`, opened here if it is not there yet."""
    store.branches.open(branch(), NOW)
    record, fills = chain(chain_id=chain_id, **changes)
    assert store.shadows.create_chain(record, fills, NOW) is None
    return fills[0].fill_id


def running(store: Any, chain_id: str = "c", key: Any = "q", owner: str = OWNER) -> str:
    fill_id = reserved(store, chain_id)
    assert store.shadows.start(fill_id, name(key), owner, NOW) is None
    return fill_id


def shadow(
    store: Any, chain_id: str = "c", key: Any = "q", reads: Mapping[str, int] | None = None, until_ms: int = LATER
) -> str:
    fill_id = running(store, chain_id, key)
    assert store.shadows.complete(fill_id, result(key, reads), NOW, until_ms) is None
    return fill_id


def made(
    key: Any = "q",
    reads: Mapping[str, int] = NOTHING,
    upstream: Sequence[Any] = (),
    inherited: Mapping[str, int] = NOTHING,
) -> Result:
    """A result of `key`, made from those of the keys `upstream`."""
    return replace(result(key, reads), upstream=tuple(name(u) for u in upstream), inherited=dict(inherited))


def keep(
    store: Any,
    key: Any = "q",
    reads: Mapping[str, int] = NOTHING,
    upstream: Sequence[Any] = (),
    inherited: Mapping[str, int] = NOTHING,
    at_ms: int = NOW,
) -> Result:
    """Confirmed under `key`'s name."""
    kept = made(key, reads, upstream, inherited)
    assert store.library.record(name(key), kept, f"canonical:{key}", "w/1/s", at_ms) is None
    return kept


def size(key: Any = "q", reads: Iterable[str] = (), upstream: Iterable[Any] = (), kept: Result | None = None) -> int:
    """Bytes of an entry by the formula, or of a ghost, which keeps nothing."""
    chars = 0 if kept is None else len(encode_result(kept))
    names = [len(str(name(u)).encode()) for u in upstream]
    return entry_bytes(len(str(name(key)).encode()), chars, [len(record.encode()) for record in reads], names)
