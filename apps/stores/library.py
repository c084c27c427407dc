"""Confirmed entries in Redis."""

from collections.abc import Sequence

import redis

from apps.serving.config import DEFAULTS, ServingConfig
from apps.serving.names import ReuseName
from apps.serving.outcomes import Hit, Miss, MissReason, Result
from apps.serving.ports import EntryFacts, LibraryTotals, NamespaceCounts
from apps.stores import keys
from apps.stores.codec import (
    decode_facts,
    decode_name,
    decode_result,
    encode_all_reads,
    encode_reads,
    encode_result,
    encode_upstream,
    pairs,
)
from apps.stores.scripts import Scripts
from apps.stores.verdicts import miss


class RedisLibrary:
    """`serving.ports.Library`."""

    def __init__(self, client: redis.Redis, library: str = "main", config: ServingConfig = DEFAULTS) -> None:
        self._client, self._config = client, config
        self._keys = keys.library(library)
        self._scripts = Scripts(client)

    def probe(self, name: ReuseName, now_ms: int, max_age_ms: int | None = None) -> Hit | Miss:
        text, gone_ms = str(name), now_ms - self._config.entry_ttl_ms
        oldest = () if max_age_ms is None else (now_ms - max_age_ms,)
        verdict, *found = self._scripts.run(self._keys, "probe_entry", text, name.namespace, now_ms, gone_ms, *oldest)
        if verdict == b"expired":
            self._scripts.run(self._keys, "expire_entry", text, gone_ms)
            return Miss(MissReason.ABSENT)
        refused = miss(verdict)
        return Hit(decode_result(found[0]), found[1].decode(), int(found[2])) if refused is None else refused

    def record(self, name: ReuseName, result: Result, producer: str, stage: str, now_ms: int) -> Miss | None:
        return miss(
            self._scripts.run(
                self._keys,
                "record_entry",
                str(name),
                encode_result(result),
                encode_reads(result.reads),
                encode_all_reads(result),
                encode_upstream(result.upstream),
                producer,
                stage,
                result.engine_ms,
                now_ms,
                self._config.library_entries,
                self._config.library_bytes,
            )
        )

    def sweep(self, now_ms: int, limit: int) -> int:
        return int(self._scripts.run(self._keys, "sweep_entries", now_ms - self._config.entry_ttl_ms, limit))

    def totals(self) -> LibraryTotals:
        with self._client.pipeline(transaction=True) as pipe:
            pipe.zcard(self._keys.key("used"))
            pipe.hmget(self._keys.key("totals"), "bytes", "ghosts", "clock")
            entries, (held_bytes, ghosts, clock) = pipe.execute()
        return LibraryTotals(entries, int(held_bytes or 0), int(ghosts or 0), float(clock or 0))

    def counts(self, namespace: str) -> NamespaceCounts:
        found = self._client.hmget(self._keys.key("counts:", namespace), "hits", "promotions", "misses")
        return NamespaceCounts(*(int(count or 0) for count in found))

    def facts(self, name: ReuseName) -> EntryFacts | None:
        found = self._scripts.run(self._keys, "entry_facts", str(name))
        if found is None:
            return None
        fields, used, worth, verdict = found
        return decode_facts(name, pairs(fields), used, worth, miss(verdict))

    def page(self, after: ReuseName | None, limit: int) -> tuple[ReuseName, ...]:
        start = "-" if after is None else f"({after}"
        found = self._client.zrangebylex(self._keys.key("names"), start, "+", start=0, num=limit)
        return tuple(decode_name(name.decode()) for name in found)

    def readers(self, record: str) -> tuple[ReuseName, ...]:
        nodes = self._client.smembers(self._keys.key("readers:", record))
        return tuple(decode_name(node[2:].decode()) for node in nodes if node.startswith(b"e|"))

    def delete(self, names: Sequence[ReuseName]) -> int:
        return int(self._scripts.run(self._keys, "delete_entries", *map(str, names)))
