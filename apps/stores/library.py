"""Confirmed entries in Redis."""

import redis

from apps.serving.config import DEFAULTS, ServingConfig
from apps.serving.names import ReuseName
from apps.serving.outcomes import Hit, Miss, Result
from apps.stores import keys
from apps.stores.codec import decode_result, encode_reads, encode_result
from apps.stores.scripts import Scripts
from apps.stores.verdicts import miss


class RedisLibrary:
    """`serving.ports.Library`."""

    def __init__(self, client: redis.Redis, library: str = "main", config: ServingConfig = DEFAULTS) -> None:
        self._client, self._config = client, config
        self._keys = keys.library(library)
        self._scripts = Scripts(client)

    def probe(self, name: ReuseName, now_ms: int) -> Hit | Miss:
        verdict, *found = self._scripts.run(self._keys, "probe_entry", str(name), now_ms, self._config.entry_ttl_ms)
        refused = miss(verdict)
        return Hit(decode_result(found[0]), found[1].decode()) if refused is None else refused

    def record(self, name: ReuseName, result: Result, producer: str, now_ms: int) -> Miss | None:
        return miss(
            self._scripts.run(
                self._keys,
                "record_entry",
                str(name),
                encode_result(result),
                encode_reads(result.reads),
                producer,
                now_ms,
                self._config.library_entries,
            )
        )

    def sweep(self, now_ms: int, limit: int) -> int:
        return int(self._scripts.run(self._keys, "sweep_entries", now_ms - self._config.entry_ttl_ms, limit))

    def count(self) -> int:
        return int(self._client.zcard(self._keys.key("used")))
