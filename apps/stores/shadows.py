"""Chains, fills and shadows in Redis. Each change of state is one compare-and-set script."""

from collections.abc import Sequence

import redis

from apps.serving.branch.fill import TRANSITIONS, FillEvent, FillState, sources
from apps.serving.branch.record import BranchState
from apps.serving.config import DEFAULTS, ServingConfig
from apps.serving.names import ReuseName
from apps.serving.outcomes import Miss, Promoted, Result
from apps.serving.ports import ChainRecord, FillCounts, FillRecord
from apps.stores import keys
from apps.stores.codec import (
    decode_chain,
    decode_fill,
    decode_result,
    encode_all_reads,
    encode_chain,
    encode_fills,
    encode_reads,
    encode_result,
    encode_upstream,
    pairs,
)
from apps.stores.scripts import Scripts
from apps.stores.verdicts import call_token, leaving_moves, miss


class RedisShadows:
    """`serving.ports.Shadows`."""

    def __init__(self, client: redis.Redis, library: str = "main", config: ServingConfig = DEFAULTS) -> None:
        self._client, self._config = client, config
        self._keys = keys.library(library)
        self._scripts = Scripts(client)

    def create_chain(self, chain: ChainRecord, fills: Sequence[FillRecord], now_ms: int) -> Miss | None:
        return miss(
            self._scripts.run(
                self._keys,
                "create_chain",
                chain.branch_id,
                BranchState.OPEN,
                chain.chain_id,
                encode_chain(chain),
                chain.expires_at_ms,
                call_token(),
                encode_fills(fills),
            )
        )

    def chain(self, chain_id: str) -> ChainRecord | None:
        stored = self._client.hget(self._keys.key("chain:", chain_id), "record")
        return None if stored is None else decode_chain(stored)

    def fill(self, fill_id: str) -> FillRecord | None:
        fields = self._client.hgetall(self._keys.key("fill:", fill_id))
        return decode_fill(fill_id, fields) if fields else None

    def chain_fills(self, chain_id: str) -> tuple[FillRecord, ...]:
        found = self._scripts.run(self._keys, "chain_fills", chain_id)
        fills = [decode_fill(fill_id.decode(), pairs(fields)) for fill_id, fields in pairs(found).items()]
        return tuple(sorted(fills, key=lambda fill: fill.position))

    def start(
        self, fill_id: str, name: ReuseName, owner: str, now_ms: int, upstream: Sequence[ReuseName] = ()
    ) -> Miss | None:
        (leave,) = sources(FillEvent.START)
        alive_until_ms = now_ms + self._config.owner_lease_ms
        enter = TRANSITIONS[leave][FillEvent.START]
        args = [fill_id, leave, enter, str(name), owner, now_ms, alive_until_ms, call_token()]
        return miss(self._scripts.run(self._keys, "start_fill", *args, encode_upstream(upstream)))

    def complete(self, fill_id: str, result: Result, now_ms: int, expires_at_ms: int) -> Miss | None:
        (leave,) = sources(FillEvent.COMPLETE)
        return miss(
            self._scripts.run(
                self._keys,
                "complete_fill",
                fill_id,
                leave,
                TRANSITIONS[leave][FillEvent.COMPLETE],
                TRANSITIONS[leave][FillEvent.WRITE],
                encode_result(result),
                result.engine_ms,
                encode_reads(result.reads),
                encode_all_reads(result),
                encode_upstream(result.upstream),
                expires_at_ms,
                call_token(),
                self._config.shadow_entries,
                TRANSITIONS[FillState.SHADOW][FillEvent.EXPIRE],
            )
        )

    def leave(self, fill_id: str, event: FillEvent, now_ms: int) -> FillState | None:
        moves = [state for move in leaving_moves(event) for state in move]
        left = self._scripts.run(self._keys, "leave_fill", fill_id, call_token(), *moves)
        return None if left is None else FillState(left.decode())

    def find(self, name: ReuseName, now_ms: int) -> FillRecord | None:
        found = self._scripts.run(self._keys, "find_fill", str(name), now_ms)
        return None if found is None else decode_fill(found[0].decode(), pairs(found[1]))

    def promote(self, fill_id: str, name: ReuseName, keep_entry: bool, now_ms: int) -> Promoted | Miss:
        (leave,) = sources(FillEvent.AUTHORIZE)
        enter = TRANSITIONS[leave][FillEvent.AUTHORIZE]
        caps = (self._config.library_entries, self._config.library_bytes) if keep_entry else ()
        args = [fill_id, leave, enter, str(name), name.namespace, now_ms, call_token(), *caps]
        verdict, *found = self._scripts.run(self._keys, "promote_shadow", *args)
        refused = miss(verdict)
        if refused is not None:
            return refused
        return Promoted(decode_result(found[0]), fill_id, found[1].decode())

    def sweep(self, now_ms: int, limit: int) -> tuple[str, ...]:
        enter = TRANSITIONS[FillState.SHADOW][FillEvent.EXPIRE]
        return tuple(
            i.decode() for i in self._scripts.run(self._keys, "sweep_shadows", now_ms, limit, enter, call_token())
        )

    def beat(self, owner: str, until_ms: int) -> None:
        self._client.zadd(self._keys.key("owners"), {owner: until_ms})

    def owned(self, owner: str) -> tuple[str, ...]:
        return tuple(i.decode() for i in self._client.smembers(self._keys.key("owned:", owner)))

    def orphans(self, now_ms: int, limit: int) -> tuple[str, ...]:
        return tuple(i.decode() for i in self._scripts.run(self._keys, "orphans", now_ms, limit))

    def counts(self) -> FillCounts:
        with self._client.pipeline(transaction=False) as pipe:
            for name in ("reserved", "running", "expiry"):
                pipe.zcard(self._keys.key(name))
            return FillCounts(*pipe.execute())
