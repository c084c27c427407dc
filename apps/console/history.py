"""The newest part of an event stream, kept gapless in a bounded memory."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from apps.serving.ports import Event, StreamHead

MOST_EVENTS = 500
MOST_POINTS = 900  # fifteen minutes at one load view a second

T = TypeVar("T")


class Streams(Protocol):
    async def head(self, stream: str) -> StreamHead: ...

    async def read(self, stream: str, after_seq: int, limit: int) -> Sequence[Event]: ...


class Memory(Generic[T]):
    """The last `limit` items of `stream`, each made from one event by `make`.

    `epoch` and `seq` say up to where it is known. Items are numbered without holes: the oldest kept is number
    `seq` - len(items) + 1.
    """

    def __init__(self, stream: str, limit: int, make: Callable[[Event], T]) -> None:
        self.epoch, self.seq = "", 0
        self._stream, self._limit, self._make = stream, limit, make
        self._items: deque[T] = deque(maxlen=limit)

    @property
    def items(self) -> tuple[T, ...]:
        return tuple(self._items)

    async def follow(self, streams: Streams) -> bool:
        """Read what is new; True when anything changed.

        A new epoch, a hole, or being too far behind begins again at the newest events.
        """
        head = await streams.head(self._stream)
        behind = head.seq - self.seq
        restarted = head.epoch != self.epoch or behind < 0 or behind > self._limit
        after = max(0, head.seq - self._limit) if restarted else self.seq
        events = await streams.read(self._stream, after, self._limit) if head.seq > after else ()
        # From here nothing awaits, so no page sees a memory that is half read.
        if restarted:
            self._restart(head.epoch, after)
        for event in events:
            if event.seq != self.seq + 1:
                # The stream was trimmed past what we had: what is left of it is whole from here.
                self._restart(head.epoch, event.seq - 1)
            self._items.append(self._make(event))
            self.seq = event.seq
        return restarted or bool(events)

    def since(self, epoch: str, seq: int) -> tuple[T, ...] | None:
        """Items after number `seq` of `epoch`; None when that cannot be told without a hole."""
        missed = self.seq - seq
        if epoch != self.epoch or not 0 <= missed <= len(self._items):
            return None
        return self.items[len(self._items) - missed :]

    def _restart(self, epoch: str, seq: int) -> None:
        self.epoch, self.seq = epoch, seq
        self._items.clear()
