"""How long an engine may take, and the moment at which that is over."""

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for the engine, all in seconds.

    first_byte_s  from sending to the first event: queueing and prefill; a comment line is no event
    between_s     from one event to the next
    side_s        for a whole side call: health, load, tokens, identity, abort
    """

    connect_s: float = 5.0
    first_byte_s: float = 60.0
    between_s: float = 20.0
    side_s: float = 5.0


@dataclass(frozen=True, slots=True)
class Deadline:
    """until is on the event loop's clock; limit_s is what was allowed, for the message."""

    what: str
    limit_s: float
    until: float

    @classmethod
    def after(cls, limit_s: float, what: str) -> "Deadline":
        return cls(what, limit_s, asyncio.get_running_loop().time() + limit_s)
