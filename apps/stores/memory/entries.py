"""Confirmed entries in memory, and which of them goes when there is no room. Callers hold the lock."""

from dataclasses import dataclass, replace

from apps.serving.config import ServingConfig
from apps.serving.library.eviction import MAX_EVICTED, worth
from apps.serving.library.graph import Graph, Kind, Node, joined
from apps.serving.names import ReuseName
from apps.serving.outcomes import Result
from apps.stores.codec import encode_result


@dataclass(slots=True)
class Entry:
    result: Result
    producer: str
    stage: str
    kept_at_ms: int
    used_ms: int
    uses: int = 0
    worth: float = 0.0


def text_order(name: ReuseName) -> bytes:
    """The order of equals: that of Redis, which compares bytes."""
    return str(name).encode()


class Entries:
    """clock  of GreedyDual-Size-Frequency: the worth of what was evicted last"""

    def __init__(self, config: ServingConfig, graph: Graph) -> None:
        self._config, self._graph = config, graph
        self.by_name: dict[ReuseName, Entry] = {}
        self.clock = 0.0

    def put(self, made: Node, entry: Entry) -> None:
        """Confirm it, joined with an earlier one of its name, and make room. `made` is how it came about."""
        old = self.by_name.get(made.name)
        node = replace(
            made,
            kind=Kind.ENTRY,
            node_id=str(made.name),
            provenances=joined(self.node(made.name), made.provenances[-1]) if old else made.provenances,
            result_chars=len(encode_result(entry.result)),
        )
        if node.bytes > self._config.library_bytes:
            self.drop(made.name)
            return
        entry.uses = old.uses if old else 0
        self._graph.put(node)
        self.by_name[made.name] = entry
        self._price(made.name)
        self._make_room()

    def use(self, name: ReuseName, now_ms: int) -> Entry:
        entry = self.by_name[name]
        entry.uses += 1
        entry.used_ms = max(entry.used_ms, now_ms)
        self._price(name)
        return entry

    def drop(self, name: ReuseName) -> bool:
        """By any way but a write: what was made from it stays."""
        self._graph.take(f"e|{name}")
        return self.by_name.pop(name, None) is not None

    def forget(self, name: ReuseName) -> None:
        """A write ended it, and the graph has it no more."""
        del self.by_name[name]

    def node(self, name: ReuseName) -> Node | None:
        return self._graph.nodes.get(f"e|{name}")

    def expired(self, name: ReuseName, now_ms: int) -> bool:
        return self.by_name[name].used_ms + self._config.entry_ttl_ms <= now_ms

    def _price(self, name: ReuseName) -> None:
        entry, node = self.by_name[name], self._graph.nodes[f"e|{name}"]
        entry.worth = worth(self.clock, entry.uses, entry.result.engine_ms, node.bytes)

    def _make_room(self) -> None:
        config = self._config
        for _ in range(MAX_EVICTED):
            over = len(self.by_name) > config.library_entries or self._graph.bytes > config.library_bytes
            if not self.by_name or not over:
                return
            least = min(self.by_name, key=lambda name: (self.by_name[name].worth, text_order(name)))
            self.clock = self.by_name[least].worth
            self.drop(least)
