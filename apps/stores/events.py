"""Numbered event streams in Redis."""

import json
import secrets
from collections.abc import Mapping
from typing import Any

import redis

from apps.serving.config import DEFAULTS, ServingConfig
from apps.serving.names import Json
from apps.serving.ports import Event, StreamHead
from apps.stores import keys
from apps.stores.scripts import Argument, Scripts
from apps.stores.verdicts import call_token

# A reply is lost and its call resent within moments; this much text remembers the latest 30 or more calls.
_CALLS_CHARS = 800


class RedisEvents:
    """`serving.ports.Events`."""

    def __init__(self, client: redis.Redis, config: ServingConfig = DEFAULTS) -> None:
        self._client, self._config, self._scripts = client, config, Scripts(client)

    def append(self, stream: str, kind: str, data: Mapping[str, Json], now_ms: int) -> int:
        text, most = json.dumps(dict(data)), self._config.stream_events
        args = (kind, text, now_ms, most, call_token(), _CALLS_CHARS)
        return int(self._run(stream, "append_event", *args))

    def read(self, stream: str, after_seq: int, limit: int) -> tuple[Event, ...]:
        events = keys.stream(stream).key("events")
        found = self._client.xrange(events, min=f"{after_seq + 1}-0", count=limit)
        return tuple(
            Event(
                seq=int(event_id.partition(b"-")[0]),
                kind=fields[b"kind"].decode(),
                data=json.loads(fields[b"data"]),
                at_ms=int(fields[b"at_ms"]),
            )
            for event_id, fields in found
        )

    def head(self, stream: str) -> StreamHead:
        epoch, seq = self._run(stream, "stream_head")
        return StreamHead(epoch.decode(), int(seq))

    def _run(self, stream: str, script: str, *args: Argument) -> Any:
        """Every script of a stream first gets the epoch to begin with, should the stream be new, and its keeping.

        A stream of the whole system is kept for ever (0); one of a single thing, `kind:id`, is not.
        """
        keep_ms = self._config.stream_keep_ms if ":" in stream else 0
        return self._scripts.run(keys.stream(stream), script, secrets.token_hex(8), keep_ms, *args)
