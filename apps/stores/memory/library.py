"""The library in memory."""

from collections.abc import Sequence

from apps.serving.library.graph import Kind
from apps.serving.names import ReuseName
from apps.serving.outcomes import Hit, Miss, MissReason, Result
from apps.serving.ports import EntryFacts, LibraryTotals, NamespaceCounts
from apps.stores.memory.entries import Entry, text_order
from apps.stores.memory.state import State


class MemoryLibrary:
    """`serving.ports.Library`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def probe(self, name: ReuseName, now_ms: int, max_age_ms: int | None = None) -> Hit | Miss:
        with self._state.lock:
            answer = self._probe(name, now_ms, max_age_ms)
            self._state.count(name.namespace, "hits" if isinstance(answer, Hit) else "misses")
            return answer

    def _probe(self, name: ReuseName, now_ms: int, max_age_ms: int | None) -> Hit | Miss:
        state, entries = self._state, self._state.entries
        node = entries.node(name)
        if node is None:
            return Miss(MissReason.ABSENT)
        if entries.expired(name, now_ms):
            entries.drop(name)
            return Miss(MissReason.ABSENT)
        refused = state.servable(node)
        if refused is not None:
            return refused
        kept_at_ms = entries.by_name[name].kept_at_ms
        if max_age_ms is not None and now_ms - kept_at_ms > max_age_ms:
            return Miss(MissReason.TOO_OLD)
        entry = entries.use(name, now_ms)
        return Hit(entry.result, entry.producer, kept_at_ms)

    def record(self, name: ReuseName, result: Result, producer: str, stage: str, now_ms: int) -> Miss | None:
        state = self._state
        with state.lock:
            refused = state.keepable(name, result)
            if refused is None:
                made = state.graph.made(Kind.ENTRY, str(name), name, result)
                state.entries.put(made, Entry(result, producer, stage, now_ms, now_ms))
            return refused

    def sweep(self, now_ms: int, limit: int) -> int:
        with self._state.lock:
            entries = self._state.entries
            by_use = sorted(entries.by_name, key=lambda name: (entries.by_name[name].used_ms, text_order(name)))
            old = [name for name in by_use if entries.expired(name, now_ms)][:limit]
            for name in old:
                entries.drop(name)
            return len(old)

    def totals(self) -> LibraryTotals:
        state = self._state
        with state.lock:
            ghosts = sum(node.kind is Kind.GHOST for node in state.graph.nodes.values())
            return LibraryTotals(len(state.entries.by_name), state.graph.bytes, ghosts, state.entries.clock)

    def counts(self, namespace: str) -> NamespaceCounts:
        with self._state.lock:
            return self._state.counts.get(namespace, NamespaceCounts(0, 0, 0))

    def facts(self, name: ReuseName) -> EntryFacts | None:
        with self._state.lock:
            node, entry = self._state.entries.node(name), self._state.entries.by_name.get(name)
            if node is None or entry is None:
                return None
            return EntryFacts(
                name=name,
                stage=entry.stage,
                result=entry.result,
                producer=entry.producer,
                provenances=node.provenances,
                whole=node.whole,
                bytes=node.bytes,
                uses=entry.uses,
                worth=entry.worth,
                kept_at_ms=entry.kept_at_ms,
                used_at_ms=entry.used_ms,
                fresh=self._state.servable(node),
            )

    def page(self, after: ReuseName | None, limit: int) -> tuple[ReuseName, ...]:
        with self._state.lock:
            names = sorted(self._state.entries.by_name, key=text_order)
            return tuple(n for n in names if after is None or text_order(n) > text_order(after))[:limit]

    def readers(self, record: str) -> tuple[ReuseName, ...]:
        with self._state.lock:
            return tuple(node.name for node in self._state.graph.readers(record) if node.kind is Kind.ENTRY)

    def delete(self, names: Sequence[ReuseName]) -> int:
        with self._state.lock:
            return sum(self._state.entries.drop(name) for name in names)
