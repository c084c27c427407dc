"""Versions of external records, and two-phase writes, in Redis."""

from collections.abc import Mapping, Sequence

import redis

from apps.serving.branch.fill import TRANSITIONS, FillEvent, sources
from apps.serving.config import DEFAULTS, ServingConfig
from apps.serving.names import ReadSet
from apps.serving.outcomes import Miss
from apps.serving.ports import Invalidated
from apps.stores import keys
from apps.stores.codec import decode_name, encode_reads
from apps.stores.scripts import Argument, Scripts
from apps.stores.verdicts import call_token, miss

# One state, whether a running fill or a shadow was reached: a script enters it for both.
(_WRITTEN,) = {TRANSITIONS[state][FillEvent.WRITE] for state in sources(FillEvent.WRITE)}


class RedisRecords:
    """`serving.ports.Records`."""

    def __init__(self, client: redis.Redis, library: str = "main", config: ServingConfig = DEFAULTS) -> None:
        self._client, self._config = client, config
        self._scripts, self._keys = Scripts(client), keys.library(library)

    def begin_write(self, records: Sequence[str], token: str, lease_until_ms: int) -> None:
        self._scripts.run(self._keys, "begin_write", token, lease_until_ms, *records)

    def commit_write(self, versions: Mapping[str, int], token: str, now_ms: int) -> Invalidated:
        return self._publish("commit_write", token, versions)

    def publish(self, versions: Mapping[str, int], now_ms: int) -> Invalidated:
        return self._publish("publish_versions", now_ms, versions)

    def _publish(self, script: str, subject: str | int, versions: Mapping[str, int]) -> Invalidated:
        flat = [part for version in versions.items() for part in version]
        return self._step(script, subject, _WRITTEN, call_token(), self._config.cascade_step, *flat)

    def cascade(self, now_ms: int) -> Invalidated:
        return self._step("cascade_step", self._config.cascade_step, _WRITTEN, call_token())

    def _step(self, script: str, *args: Argument) -> Invalidated:
        entries, shadows, running, left = self._scripts.run(self._keys, script, *args)
        return Invalidated(
            entries=tuple(decode_name(name.decode()) for name in entries),
            shadows=tuple(fill_id.decode() for fill_id in shadows),
            running=tuple(fill_id.decode() for fill_id in running),
            open=bool(left),
        )

    def expired_writes(self, now_ms: int, limit: int) -> tuple[str, ...]:
        return tuple(i.decode() for i in self._scripts.run(self._keys, "expired_writes", now_ms, limit))

    def fresh(self, reads: ReadSet) -> Miss | None:
        return miss(self._scripts.run(self._keys, "check_fresh", encode_reads(reads)))

    def versions(self, records: Sequence[str]) -> dict[str, int]:
        if not records:
            return {}
        found = self._client.hmget(self._keys.key("versions"), list(records))
        return {record: int(version) for record, version in zip(records, found, strict=True) if version is not None}
