"""Slots and KV of one engine pool, in memory."""

import threading
from dataclasses import dataclass


@dataclass(slots=True)
class _Held:
    slots: int
    kv_tokens: int
    lease_until_ms: int


class MemoryReservations:
    """`serving.ports.Reservations`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, _Held] = {}

    def reserve(
        self,
        reservation_id: str,
        slots: int,
        kv_tokens: int,
        max_slots: int,
        max_kv_tokens: int,
        lease_until_ms: int,
        now_ms: int,
    ) -> bool:
        with self._lock:
            self._end_leases(now_ms)
            mine = self._held.get(reservation_id)
            if mine is not None:
                mine.lease_until_ms = max(mine.lease_until_ms, lease_until_ms)
                return True
            now_slots, now_kv_tokens = self._totals()
            if now_slots + slots > max_slots or now_kv_tokens + kv_tokens > max_kv_tokens:
                return False
            self._held[reservation_id] = _Held(slots, kv_tokens, lease_until_ms)
            return True

    def renew(self, reservation_id: str, lease_until_ms: int) -> bool:
        with self._lock:
            mine = self._held.get(reservation_id)
            if mine is not None:
                mine.lease_until_ms = lease_until_ms
            return mine is not None

    def release(self, reservation_id: str) -> bool:
        with self._lock:
            return self._held.pop(reservation_id, None) is not None

    def held(self, now_ms: int) -> tuple[int, int]:
        with self._lock:
            self._end_leases(now_ms)
            return self._totals()

    def _end_leases(self, now_ms: int) -> None:
        self._held = {i: held for i, held in self._held.items() if held.lease_until_ms > now_ms}

    def _totals(self) -> tuple[int, int]:
        return sum(h.slots for h in self._held.values()), sum(h.kv_tokens for h in self._held.values())
