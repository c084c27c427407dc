"""What the chat needs from the runtime; `apps.runtime.wiring` provides it, tests replace `current`."""

from collections.abc import Awaitable, Mapping
from datetime import datetime
from importlib import import_module
from typing import Protocol, cast

from channels.exceptions import ChannelFull
from django.utils import timezone
from redis.exceptions import RedisError

from apps.runtime.driver import Served
from apps.runtime.program import Asker, Emit, Program
from apps.runtime.scope import Scope
from apps.serving.names import Json
from apps.serving.ports import Event, StreamHead
from apps.serving.workflow import StageCall
from apps.stores.client import StoreError

STORE_AWAY = (StoreError, RedisError, ChannelFull, OSError)
"""What reaching for Redis raises when it is not there; OSError covers refused, reset and timed-out connections."""


class Driver(Protocol):
    async def serve(self, call: StageCall, scope: Scope, emit: Emit) -> Served: ...

    async def serve_decision(
        self, call: StageCall, turn: Mapping[str, Json], outputs: Mapping[str, Json], scope: Scope, emit: Emit
    ) -> Served: ...

    async def open_branch(
        self, stage: str, turn: Mapping[str, Json], outputs: Mapping[str, Json], scope: Scope
    ) -> str: ...

    async def resolve(self, branch_id: str, choice: str | None) -> bool: ...

    async def close_branch(self, branch_id: str) -> bool:
        """Whether it is closed now; False when the shared state was away."""
        ...


class Publisher(Protocol):
    async def publish(self, conversation: str, kind: str, data: Mapping[str, Json]) -> int: ...

    def post(self, conversation: str, kind: str, data: Mapping[str, Json]) -> Awaitable[int]:
        """`publish` without waiting; the order of calls is the order of numbers."""
        ...

    async def signal(self, conversation: str, message: Mapping[str, Json]) -> None: ...


class Runtime(Protocol):
    def driver(self) -> Driver: ...

    def publisher(self) -> Publisher: ...

    def program(self, name: str) -> Program: ...

    async def events_read(self, stream: str, after: int, limit: int) -> tuple[Event, ...]: ...

    async def events_head(self, stream: str) -> StreamHead: ...


WORKFLOW = "concierge"  # the installed program that conversations walk


def program() -> Program:
    return current().program(WORKFLOW)


def current() -> Runtime:
    return cast(Runtime, import_module("apps.runtime.wiring"))


def asker(owner: str, operation: str) -> Asker:
    return Asker(owner, operation, local_now())


def local_now() -> datetime:
    return timezone.localtime()
