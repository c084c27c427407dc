"""Answers as values. A failed guard is a `Miss` with its reason, and the demand runs normally."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from apps.serving.names import Json, ReadSet, ReuseName


class MissReason(StrEnum):
    ABSENT = "absent"  # nothing under this name
    STATE = "state"  # it was there, but another event came first
    NAME = "name"  # it answers something else
    STALE = "stale"  # a record that it read has been written since
    UNCERTAIN = "uncertain"  # a record that it read is being written, or its version is unknown
    UNCONFIRMED = "unconfirmed"  # a running fill did not finish within the bounded wait
    FAILED = "failed"  # the fill that was waited for failed
    BYPASS = "bypass"  # reuse is off for this demand, or it asked for a fresh run
    TOO_OLD = "too old"  # it is older than the demand allows
    UNAVAILABLE = "unavailable"  # the shared state, or the executor's identity, could not be reached


@dataclass(frozen=True, slots=True)
class Miss:
    reason: MissReason


@dataclass(frozen=True, slots=True)
class Result:
    """A complete stage result, as stored.

    output     what the stage returned
    reads      records that this very execution read, each with its version
    engine_ms  engine time that producing it cost
    notes      facts about its making that are shown but decide nothing (fallback used, tokens, …)
    upstream   names of the results whose outputs entered its input: its producer edges, one provenance
    inherited  what those results had read, they and theirs. It must be fresh when the result is kept, and it is
               indexed like `reads` when an upstream name is not held at that moment: provenance that is
               incomplete extends the cascade, never shortens it
    """

    output: Json
    reads: ReadSet
    engine_ms: float
    notes: Mapping[str, Json]
    upstream: tuple[ReuseName, ...] = ()
    inherited: ReadSet = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """A confirmed entry answers the demand (C1)."""

    result: Result
    producer: str  # fill id, or "canonical:<demand id>"
    kept_at_ms: int  # when this result was confirmed


@dataclass(frozen=True, slots=True)
class Promoted:
    """A shadow was authorized, became an entry and is consumed (C2)."""

    result: Result
    fill_id: str
    branch_id: str


@dataclass(frozen=True, slots=True)
class Pending:
    """A fill of exactly this name is reserved or running; the demand may wait a bounded time for it."""

    fill_id: str
    branch_id: str
