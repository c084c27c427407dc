"""Numbered event streams in memory. A stream past its keeping is replaced at its next append."""

import secrets
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.serving.config import ServingConfig
from apps.serving.names import Json
from apps.serving.ports import Event, StreamHead


@dataclass(slots=True)
class _Stream:
    events: deque[Event]
    epoch: str = field(default_factory=lambda: secrets.token_hex(8))
    seq: int = 0
    last_ms: int | None = None


class MemoryEvents:
    """`serving.ports.Events`."""

    def __init__(self, config: ServingConfig) -> None:
        self._config = config
        self._lock = threading.Lock()
        self._streams: dict[str, _Stream] = {}

    def append(self, stream: str, kind: str, data: Mapping[str, Json], now_ms: int) -> int:
        with self._lock:
            if self._is_over(stream, now_ms):
                del self._streams[stream]
            into = self._stream(stream)
            into.seq, into.last_ms = into.seq + 1, now_ms
            into.events.append(Event(into.seq, kind, dict(data), now_ms))
            return into.seq

    def read(self, stream: str, after_seq: int, limit: int) -> tuple[Event, ...]:
        with self._lock:
            events = self._streams[stream].events if stream in self._streams else ()
            return tuple(event for event in events if event.seq > after_seq)[:limit]

    def head(self, stream: str) -> StreamHead:
        with self._lock:
            found = self._stream(stream)
            return StreamHead(found.epoch, found.seq)

    def _is_over(self, name: str, now_ms: int) -> bool:
        found = self._streams.get(name)
        if found is None or found.last_ms is None or ":" not in name:
            return False
        return found.last_ms + self._config.stream_keep_ms <= now_ms

    def _stream(self, name: str) -> _Stream:
        if name not in self._streams:
            self._streams[name] = _Stream(deque(maxlen=self._config.stream_events))
        return self._streams[name]
