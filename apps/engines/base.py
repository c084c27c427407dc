"""What every engine adapter offers. One contract suite (`tests/contract/test_engines.py`) holds them all.

Every upstream call streams, also when the client did not ask for it: only a closed stream is noticed by all
engines, and only a stream tells early that it was cut.
"""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Protocol

from apps.serving.names import Json

# What every identity tells; null where the engine does not say. Adapters add what else decides their engine's answers.
IDENTITY_FIELDS = ("kind", "version", "backend", "deterministic", "model", "revision")


class Lane(IntEnum):
    """Importance of a request; an adapter translates it to its engine's own priority, where there is one."""

    FILL = 0
    CANONICAL = 1


class Finish(StrEnum):
    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """One chat completion.

    body        the OpenAI chat-completions body without bookkeeping fields (stream, user, priority, …):
                model, messages, max_tokens, temperature, seed, stop, response_format, tools, …
    request_id  random, fixed length, never reused; what `abort` names
    """

    body: Mapping[str, Json]
    request_id: str
    lane: Lane


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer's text. Tool calls arrive whole, in `Completion`."""

    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """The end of a complete answer: terminal finish reason, closed tool-call JSON and usage were all seen."""

    finish: Finish
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    tool_calls: tuple[Json, ...]
    engine_ms: float


@dataclass(frozen=True, slots=True)
class EngineLoad:
    """None means that the engine does not report it; never 0 for unknown.

    running, waiting  requests      kv_frac  KV in use over the pool, in [0, 1]
    slots             most requests that run at once
    """

    running: int | None
    waiting: int | None
    kv_frac: float | None
    slots: int | None


class EngineError(Exception):
    """The engine did not give a complete answer. `reason` is one word for pages and counters."""

    reason = "error"


class EngineUnreachable(EngineError):
    reason = "unreachable"


class EngineRefused(EngineError):
    """The engine answered with an error status, or an error event inside the stream; says which."""

    reason = "refused"


class EngineTimeout(EngineError):
    """No byte within the stated time."""

    reason = "timeout"


class IncompleteAnswer(EngineError):
    """The stream ended without a finish reason, usage, or closed tool-call JSON. Never stored."""

    reason = "incomplete"


class EngineAborted(EngineError):
    """The engine ended the request because it was told to."""

    reason = "aborted"


class Engine(Protocol):
    kind: str

    def stream(self, request: EngineRequest) -> AsyncIterator[Delta | Completion]:
        """Text deltas, then exactly one `Completion`. Raises an `EngineError` otherwise.

        Closing the iterator (`aclose`, or cancelling the task that reads it) closes the connection and
        tells the engine to abort where it has an abort route.
        """
        ...

    async def abort(self, request_id: str) -> None:
        """Ask the engine to drop a request, from any process. Does nothing where only closing helps."""
        ...

    async def load(self) -> EngineLoad: ...

    async def tokens(self, text: str) -> int:
        """Number of tokens of `text`, by the engine's own tokenizer where it has the route."""
        ...

    async def identity(self) -> Mapping[str, Json]:
        """What enters fp(v): every one of IDENTITY_FIELDS, and more."""
        ...

    async def healthy(self) -> bool: ...

    async def aclose(self) -> None: ...
