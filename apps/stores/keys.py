"""Every Redis key, and the only place that names one.

All keys of one library share one hash tag, so that any script of a library runs on one cluster slot; an engine
pool, an event stream and a coordinate's history have tags of their own. Names that end in a colon are prefixes: an
id follows. Ids come after the tag, so braces in an id cannot move a key to another slot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.serving.branch.history import Place
from apps.serving.names import digest

LIBRARY: Mapping[str, str] = {
    # records
    "versions": "hash: record -> committed version",
    "writing": "hash: record -> JSON {token: lease_until_ms} of its open writes",
    "leases": "sorted set: record -> earliest lease_until_ms of its open writes",
    "unknown": "sorted set: records asked for without a known version -> when last reported, ms",
    # nodes: e|<reuse name> an entry, g|<reuse name> a ghost, f|<fill id> a running fill or a shadow
    "readers:": "set, by record: nodes that read it",
    "children:": "set, by reuse name: nodes that name it upstream",
    "cascading": "list: r<number>|<record written> and n|<reuse name lost>, whose nodes a cascade has yet to look at",
    "work:": "set, by what `cascading` holds: those nodes",
    # entries
    "entry:": "hash, by reuse name: result, producer, stage, kept_at, engine_ms, bytes, uses, what a node has, and"
    " from its first use on: used (when last, ms), worth",
    "ghost:": "hash, by reuse name: bytes, and what a node has (reads, provenances, partial; each absent if trivial)",
    "used": "sorted set: reuse name -> when last used, ms, or before that; the order of expiry",
    "worth": "sorted set: reuse name -> GreedyDual-Size-Frequency, or less than it has; the order of eviction",
    "names": "sorted set: reuse name -> 0; the order of their text. The others move under a reader of pages",
    "totals": "hash: bytes and ghosts, clock (worth of what was evicted last), writes (numbers the work of each),"
    " cursor (how far a scan of the first work has come, and of which)",
    "counts:": "hash, by namespace: hits, promotions, misses",
    # chains, fills, shadows
    "chain:": "hash, by chain id: record, branch, fills",
    "fill:": "hash, by fill id: chain, branch, position, stage, request_id, state, name, result, engine_ms, owner,"
    " call, left, until (it expires, ms), kept_as (the stage of its entry), and what a node has",
    "named:": "sorted set, by reuse name: fill id -> minus its expiry in ms (shadow), or 1 (running)",
    "reserved": "sorted set: RESERVED fill -> its chain's expires_at_ms",
    "running": "sorted set: RUNNING fill -> when started, ms",
    "expiry": "sorted set: SHADOW fill -> expires_at_ms",
    "displaced": "list: shadows that had to give way and that no sweep has reported yet",
    "owners": "sorted set: owner -> its heartbeat holds until, ms",
    "owned:": "set, by owner: its RUNNING fills",
    # branches
    "branch:": "hash, by branch id: record, workflow, state, choice",
    "chains:": "list, by branch id: chain ids in order of admission",
    "unsettled": "sorted set: branch not yet SETTLED -> opened_at_ms",
    "retired": "sorted set: SETTLED branch -> when settled, ms",
}
POOL: Mapping[str, str] = {
    "leases": "sorted set: reservation -> lease_until_ms",
    "amounts": "hash: reservation -> JSON [slots, kv_tokens]",
    "totals": "hash: slots, kv_tokens held by all reservations",
}
STREAM: Mapping[str, str] = {
    "meta": "hash: epoch, seq, calls (tokens of the latest appends)",
    "events": "stream: <seq>-0 -> kind, data, at_ms",
}
HISTORY: Mapping[str, str] = {
    "after:": "hash, by context id: choice -> its lasting count, recent count, and when they held, ms",
    "contexts": "sorted set: context id -> its latest selection, ms",
    "observed": "sorted set: id of a selection that was counted -> when it was made, ms",
}


@dataclass(frozen=True, slots=True)
class Keyspace:
    """Keys that share the hash tag `tag`; `names` is one of the tables above."""

    tag: str
    names: Mapping[str, str] = field(compare=False)  # the tag says which table it is

    def key(self, name: str, object_id: str = "") -> str:
        """The key called `name` (KeyError when it is in no table), for a prefix with the object's id."""
        if name not in self.names:
            raise KeyError(f"{name!r} is no key of {self.tag} (known: {', '.join(self.names)})")
        return f"{self.prefix}{name}{object_id}"

    @property
    def prefix(self) -> str:
        """What all its keys begin with."""
        return f"dynbranch:{{{self.tag}}}:"


def library(name: str) -> Keyspace:
    return Keyspace(f"library.{name}", LIBRARY)


def pool(name: str) -> Keyspace:
    return Keyspace(f"pool.{name}", POOL)


def stream(name: str) -> Keyspace:
    return Keyspace(f"stream.{name}", STREAM)


def history(place: Place) -> Keyspace:
    """A tag of fixed length: a partition's own braces cannot move it to another slot."""
    at = place.coordinate
    return Keyspace(f"history.{digest([place.partition, at.workflow, at.version, at.decision_point])[:32]}", HISTORY)


def abort_channel() -> str:
    """Pub/sub channel: the id of a fill whose worker must drop it."""
    return "dynbranch:aborts"


def lease(name: str) -> str:
    """String: who leads a job that one process does for all, with an expiry."""
    return f"dynbranch:lease:{name}"
