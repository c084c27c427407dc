"""Versions of external records, and two-phase writes, in Redis."""

from collections.abc import Mapping, Sequence

import redis

from apps.serving.branch.fill import TRANSITIONS, FillEvent, FillState
from apps.serving.config import DEFAULTS, ServingConfig
from apps.serving.names import ReadSet
from apps.serving.outcomes import Miss
from apps.stores import keys
from apps.stores.codec import encode_reads
from apps.stores.scripts import Scripts
from apps.stores.verdicts import call_token, miss

_WRITTEN = TRANSITIONS[FillState.SHADOW][FillEvent.WRITE]


class RedisRecords:
    """`serving.ports.Records`."""

    def __init__(self, client: redis.Redis, library: str = "main", config: ServingConfig = DEFAULTS) -> None:
        self._scripts, self._keys = Scripts(client), keys.library(library)

    def begin_write(self, records: Sequence[str], token: str, lease_until_ms: int) -> None:
        self._scripts.run(self._keys, "begin_write", token, lease_until_ms, *records)

    def commit_write(self, versions: Mapping[str, int], token: str, now_ms: int) -> tuple[str, ...]:
        return self._publish("commit_write", token, versions)

    def publish(self, versions: Mapping[str, int], now_ms: int) -> tuple[str, ...]:
        return self._publish("publish_versions", now_ms, versions)

    def _publish(self, script: str, subject: str | int, versions: Mapping[str, int]) -> tuple[str, ...]:
        flat = [part for version in versions.items() for part in version]
        ended = self._scripts.run(self._keys, script, subject, _WRITTEN, call_token(), *flat)
        return tuple(i.decode() for i in ended)

    def expired_writes(self, now_ms: int, limit: int) -> tuple[str, ...]:
        return tuple(i.decode() for i in self._scripts.run(self._keys, "expired_writes", now_ms, limit))

    def fresh(self, reads: ReadSet) -> Miss | None:
        return miss(self._scripts.run(self._keys, "check_fresh", encode_reads(reads)))
