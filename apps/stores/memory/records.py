"""Versions of external records, and two-phase writes, in memory."""

from collections.abc import Callable, Mapping, Sequence

from apps.serving.names import ReadSet
from apps.serving.outcomes import Miss
from apps.serving.ports import Invalidated
from apps.stores.memory.state import State


class MemoryRecords:
    """`serving.ports.Records`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def begin_write(self, records: Sequence[str], token: str, lease_until_ms: int) -> None:
        with self._state.lock:
            for record in records:
                self._state.writing.setdefault(record, {})[token] = lease_until_ms

    def commit_write(self, versions: Mapping[str, int], token: str, now_ms: int) -> Invalidated:
        return self._publish(versions, lambda by, lease_ms: by == token)

    def publish(self, versions: Mapping[str, int], now_ms: int) -> Invalidated:
        return self._publish(versions, lambda by, lease_ms: lease_ms <= now_ms)

    def _publish(self, versions: Mapping[str, int], ends: Callable[[str, int], bool]) -> Invalidated:
        """`ends(token, lease_until_ms)` says which open writes of the published records end with this."""
        state = self._state
        with state.lock:
            state.publish(versions)
            for record in versions:
                writes = state.writing.pop(record, {})
                left = {by: lease_ms for by, lease_ms in writes.items() if not ends(by, lease_ms)}
                if left:
                    state.writing[record] = left
            return state.cascade()

    def cascade(self, now_ms: int) -> Invalidated:
        with self._state.lock:
            return self._state.cascade()

    def expired_writes(self, now_ms: int, limit: int) -> tuple[str, ...]:
        state = self._state
        with state.lock:
            leases = sorted((min(writes.values()), record) for record, writes in state.writing.items())
            found = [record for lease_ms, record in leases if lease_ms <= now_ms][:limit]
            for record in sorted(state.unknown, key=lambda r: (state.unknown[r], r.encode()))[:limit]:
                if len(found) >= limit:
                    break
                state.unknown[record] = now_ms
                if record not in found:
                    found.append(record)
            return tuple(found)

    def fresh(self, reads: ReadSet) -> Miss | None:
        with self._state.lock:
            return self._state.freshness(reads)

    def versions(self, records: Sequence[str]) -> dict[str, int]:
        with self._state.lock:
            return {record: self._state.versions[record] for record in records if record in self._state.versions}
