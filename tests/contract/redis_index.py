"""Reads everything that a library keeps in Redis and says what does not agree. For tests only: it lists all keys."""

import json
from collections import defaultdict
from typing import Any

import redis


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


def assert_consistent(client: redis.Redis) -> None:
    """Every index holds exactly what it should: nothing dangling, nothing missing."""
    dump = Dump(client)
    _assert_readers(dump)
    _assert_states(dump)
    _assert_names(dump)
    _assert_families(dump)
    assert set(dump.one("used")) == set(dump.by_prefix["entry"])
    assert set(dump.one("leases")) == set(dump.one("writing"))
    assert not set(dump.one("unknown")) & set(dump.one("versions"))


def _assert_readers(dump: Dump) -> None:
    wanted: dict[str, set[str]] = defaultdict(set)
    fills = dump.by_prefix["fill"]
    readers = {f"e|{name}": entry for name, entry in dump.by_prefix["entry"].items()}
    readers |= {f"f|{fill_id}": fills[fill_id] for fill_id in dump.fills_in("shadow")}
    for member, fields in readers.items():
        for record, version in json.loads(fields["reads"]).items():
            wanted[record].add(member)
            assert dump.one("versions")[record] == str(version), f"{member} outlived a write of {record}"
    assert dump.by_prefix["readers"] == wanted


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
