"""Answers as values. A failed guard is a `Miss` with its reason, and the demand runs normally."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from apps.serving.names import Json, ReadSet


class MissReason(StrEnum):
    ABSENT = "absent"  # nothing under this name
    STATE = "state"  # it was there, but another event came first
    NAME = "name"  # it answers something else
    STALE = "stale"  # a record that it read has been written since
    UNCERTAIN = "uncertain"  # a record that it read is being written, or its version is unknown
    UNCONFIRMED = "unconfirmed"  # a running fill did not finish within the bounded wait
    FAILED = "failed"  # the fill that was waited for failed
    BYPASS = "bypass"  # reuse is off for this demand
    UNAVAILABLE = "unavailable"  # the shared state, or the executor's identity, could not be reached


@dataclass(frozen=True, slots=True)
class Miss:
    reason: MissReason


@dataclass(frozen=True, slots=True)
class Result:
    """A complete stage result, as stored.

    output     what the stage returned
    reads      every record read, by this stage and by the stages whose outputs entered its input
    engine_ms  engine time that producing it cost
    notes      facts about its making that are shown but decide nothing (fallback used, tokens, …)
    """

    output: Json
    reads: ReadSet
    engine_ms: float
    notes: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Hit:
    """A confirmed entry answers the demand (C1)."""

    result: Result
    producer: str  # fill id, or "canonical:<demand id>"


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
