"""Confirmed entries in memory."""

from apps.serving.names import ReuseName
from apps.serving.outcomes import Hit, Miss, MissReason, Result
from apps.stores.memory.state import State


class MemoryLibrary:
    """`serving.ports.Library`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def probe(self, name: ReuseName, now_ms: int) -> Hit | Miss:
        with self._state.lock:
            entry = self._state.entries.get(name)
            if entry is None:
                return Miss(MissReason.ABSENT)
            if entry.used_ms + self._state.config.entry_ttl_ms <= now_ms:
                del self._state.entries[name]
                return Miss(MissReason.ABSENT)
            refused = self._state.freshness(entry.result.reads)
            if refused is not None:
                return refused
            entry.used_ms = max(entry.used_ms, now_ms)
            return Hit(entry.result, entry.producer)

    def record(self, name: ReuseName, result: Result, producer: str, now_ms: int) -> Miss | None:
        with self._state.lock:
            refused = self._state.freshness(result.reads)
            if refused is None:
                self._state.put_entry(name, result, producer, now_ms)
            return refused

    def sweep(self, now_ms: int, limit: int) -> int:
        with self._state.lock:
            ttl_ms, entries = self._state.config.entry_ttl_ms, self._state.entries
            by_use = sorted(entries, key=lambda n: (entries[n].used_ms, str(n).encode()))
            old = [name for name in by_use if entries[name].used_ms + ttl_ms <= now_ms][:limit]
            for name in old:
                del entries[name]
            return len(old)

    def count(self) -> int:
        with self._state.lock:
            return len(self._state.entries)
