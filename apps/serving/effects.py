"""What the core asks the driver to do. The core itself reaches nothing but its ports."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.serving.names import Json


@dataclass(frozen=True, slots=True)
class StartChain:
    """Hand an admitted chain to a worker; useless after `expires_at_ms`."""

    chain_id: str
    expires_at_ms: int


@dataclass(frozen=True, slots=True)
class AbortFill:
    """Tell the worker and the engine to drop a fill whose state has already left RUNNING."""

    fill_id: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Announce:
    """Something happened that pages show. `scope` says to whom it belongs."""

    kind: str
    scope: Json
    data: Mapping[str, Json]


Effect = StartChain | AbortFill | Announce
