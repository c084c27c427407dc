"""Reads everything that a library keeps in Redis and says what does not agree. For tests only: it lists all keys."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import redis

from apps.serving.library.eviction import entry_bytes


class Dump:
    """All keys of one library by name (the prefixes of `stores/keys.py`), decoded."""

    def __init__(self, client: redis.Redis, library: str = "main") -> None:
        head = f"dynbranch:{{library.{library}}}:"
        self.by_prefix: dict[str, dict[str, Any]] = defaultdict(dict)
        for key in client.keys(f"{head.replace('{', chr(92) + '{')}*"):
            prefix, _, object_id = key.decode()[len(head) :].partition(":")
            self.by_prefix[prefix][object_id] = self._value(client, key)

    @staticmethod
    def _value(client: redis.Redis, key: bytes) -> Any:
        match client.type(key):
            case b"hash":
                return {k.decode(): v.decode() for k, v in client.hgetall(key).items()}
            case b"set":
                return {member.decode() for member in client.smembers(key)}
            case b"zset":
                return {member.decode(): score for member, score in client.zrange(key, 0, -1, withscores=True)}
            case b"list":
                return [member.decode() for member in client.lrange(key, 0, -1)]
        raise AssertionError(f"{key!r} has a type that no library uses")

    def one(self, name: str) -> Any:
        return self.by_prefix[name].get("", {})

    def fills_in(self, state: str) -> set[str]:
        return {i for i, fill in self.by_prefix["fill"].items() if fill["state"] == state}

    def kind(self, member: str) -> str:
        """Of a node: entry, ghost, or a fill's state."""
        kind, _, object_id = member.partition("|")
        return {"e": "entry", "g": "ghost"}.get(kind) or self.by_prefix["fill"][object_id]["state"]


def assert_consistent(client: redis.Redis) -> None:
    """Every index holds exactly what it should: nothing dangling, nothing missing."""
    dump = Dump(client)
    nodes = {node.member: node for node in _nodes(dump)}
    _assert_indexes(dump, nodes)
    _assert_kept(dump, nodes)
    _assert_states(dump)
    _assert_names(dump)
    _assert_families(dump)
    assert set(dump.one("leases")) == set(dump.one("writing"))
    assert not set(dump.one("unknown")) & set(dump.one("versions"))


@dataclass(frozen=True)
class Node:
    """bytes  as stored; None for a fill, which the budget does not cover"""

    member: str
    name: str
    reads: dict[str, str]
    provenances: list[list[str]]
    result_chars: int
    bytes: int | None

    @property
    def upstream(self) -> set[str]:
        return {name for provenance in self.provenances for name in provenance}

    @property
    def formula(self) -> int:
        reads = [len(record.encode()) for record in self.reads]
        edges = [len(name.encode()) for provenance in self.provenances for name in provenance]
        return entry_bytes(len(self.name.encode()), self.result_chars, reads, edges)


def _node(member: str, name: str, fields: dict[str, str], result_chars: int = 0) -> Node:
    flat, held_bytes = json.loads(fields.get("reads", "[]")), fields.get("bytes")
    provenances = json.loads(fields.get("provenances", "[]"))
    assert "reads" not in fields or flat, f"{member} has a field of no reads"
    assert "provenances" not in fields or all(provenances), f"{member} has a root among its provenances"
    reads = dict(zip(flat[::2], flat[1::2], strict=True))
    return Node(member, name, reads, provenances, result_chars, int(held_bytes) if held_bytes else None)


def _nodes(dump: Dump) -> Iterator[Node]:
    for name, entry in dump.by_prefix["entry"].items():
        yield _node(f"e|{name}", name, entry, len(entry["result"]))
    for name, ghost in dump.by_prefix["ghost"].items():
        yield _node(f"g|{name}", name, ghost)
    for fill_id in dump.fills_in("running") | dump.fills_in("shadow"):
        fill = dump.by_prefix["fill"][fill_id]
        yield _node(f"f|{fill_id}", fill["name"], fill)


def _assert_indexes(dump: Dump, nodes: dict[str, Node]) -> None:
    """Members lead to nodes that read or name what they are kept under, and back; unless a cascade is open."""
    wanted: dict[str, dict[str, set[str]]] = {"readers": defaultdict(set), "children": defaultdict(set)}
    for node in nodes.values():
        for record in node.reads:
            wanted["readers"][record].add(node.member)
        for name in node.upstream:
            wanted["children"][name].add(node.member)
    assert set(dump.by_prefix["work"]) == set(dump.one("cascading") or [])
    if dump.one("cascading"):
        for index, by_id in wanted.items():
            for object_id, members in dump.by_prefix[index].items():
                assert members <= by_id[object_id], f"{index} of {object_id} lead to what is not there"
        return
    for index, by_id in wanted.items():
        assert dump.by_prefix[index] == by_id, index
    holders = {node.name for node in nodes.values() if dump.kind(node.member) != "running"}
    assert set(wanted["children"]) <= holders, "something was made from what is not held"
    for node in nodes.values():
        for record, version in node.reads.items():
            assert dump.one("versions")[record] == version, f"{node.member} outlived a write of {record}"


def _assert_kept(dump: Dump, nodes: dict[str, Node]) -> None:
    entries, ghosts, totals = dump.by_prefix["entry"], dump.by_prefix["ghost"], dump.one("totals")
    assert set(entries) == set(dump.one("used")) == set(dump.one("worth")) == set(dump.one("names"))
    assert set(dump.one("names").values()) <= {0.0}
    for name in ghosts:
        assert dump.by_prefix["children"].get(name) or f"n|{name}" in dump.by_prefix["work"], (
            f"ghost {name} has no child"
        )
    for node in nodes.values():
        assert node.bytes is None or node.bytes == node.formula, node.member
    assert int(totals.get("bytes", 0)) == sum(node.bytes or 0 for node in nodes.values())
    assert int(totals.get("ghosts", 0)) == len(ghosts)
    assert set(totals) <= {"bytes", "ghosts", "clock", "writes", "cursor"}
    assert "cursor" not in totals or dump.one("cascading")


def _assert_states(dump: Dump) -> None:
    assert set(dump.one("reserved")) == dump.fills_in("reserved")
    assert set(dump.one("running")) == dump.fills_in("running")
    assert set(dump.one("expiry")) == dump.fills_in("shadow")
    owned: dict[str, set[str]] = defaultdict(set)
    for fill_id in dump.fills_in("running"):
        owned[dump.by_prefix["fill"][fill_id]["owner"]].add(fill_id)
    assert dump.by_prefix["owned"] == owned


def _assert_names(dump: Dump) -> None:
    wanted: dict[str, dict[str, float]] = defaultdict(dict)
    for fill_id in dump.fills_in("running"):
        wanted[dump.by_prefix["fill"][fill_id]["name"]][fill_id] = 1
    for fill_id in dump.fills_in("shadow"):
        wanted[dump.by_prefix["fill"][fill_id]["name"]][fill_id] = -dump.one("expiry")[fill_id]
    assert dump.by_prefix["named"] == wanted


def _assert_families(dump: Dump) -> None:
    branches = dump.by_prefix["branch"]
    chains = {c for ids in dump.by_prefix["chains"].values() for c in ids}
    assert chains == set(dump.by_prefix["chain"])
    assert set(dump.by_prefix["chains"]) <= set(branches)
    fills = {f for chain in dump.by_prefix["chain"].values() for f in json.loads(chain["fills"])}
    assert fills == set(dump.by_prefix["fill"])
    settled = {i for i, branch in branches.items() if branch["state"] == "settled"}
    assert set(dump.one("retired")) == settled
    assert set(dump.one("unsettled")) == set(branches) - settled
