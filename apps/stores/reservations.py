"""Slots and KV of one engine pool, in Redis."""

import redis

from apps.serving.config import DEFAULTS, ServingConfig
from apps.stores import keys
from apps.stores.scripts import Scripts


class RedisReservations:
    """`serving.ports.Reservations`."""

    def __init__(self, client: redis.Redis, pool: str = "main", config: ServingConfig = DEFAULTS) -> None:
        self._scripts, self._keys = Scripts(client), keys.pool(pool)

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
        args = (slots, kv_tokens, max_slots, max_kv_tokens, lease_until_ms, now_ms)
        return self._scripts.run(self._keys, "reserve", reservation_id, *args) == 1

    def renew(self, reservation_id: str, lease_until_ms: int) -> bool:
        return self._scripts.run(self._keys, "renew", reservation_id, lease_until_ms) == 1

    def release(self, reservation_id: str) -> bool:
        return self._scripts.run(self._keys, "release", reservation_id) == 1

    def held(self, now_ms: int) -> tuple[int, int]:
        slots, kv_tokens = self._scripts.run(self._keys, "held", now_ms)
        return int(slots), int(kv_tokens)
