"""What the core needs from outside. Redis and memory implement each port; one contract suite holds both.

Every method is one atomic step. Time is passed in, in ms since the epoch. Nothing here blocks on another
process, and a repeat of any call is safe: the second finds the state left and returns a `Miss` or False.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchRecord, BranchState
from apps.serving.names import Json, ReadSet, ReuseName
from apps.serving.outcomes import Hit, Miss, Pending, Promoted, Result


@dataclass(frozen=True, slots=True)
class FillRecord:
    """One stage of one admitted candidate's chain, as stored.

    position      0-based place in its chain
    stage         stage name, known at admission; the reuse name only once upstream outputs exist
    request_id    engine request id: random, fixed length, never reused
    name          None while RESERVED
    result        None before SHADOW
    """

    fill_id: str
    chain_id: str
    branch_id: str
    position: int
    stage: str
    request_id: str
    state: FillState = FillState.RESERVED
    name: ReuseName | None = None
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class ChainRecord:
    """One admitted candidate: a chain of fills that share a reservation.

    choice        the selection that this chain answers (an action's index, a reading's key)
    turn          the turn that the program walks, JSON
    scope         the driver's scope, JSON: tenant, session, conversation, mode
    reservation_id, slots, kv_tokens   what is held in the engine pool until the chain ends
    """

    chain_id: str
    branch_id: str
    choice: str
    rank: int
    turn: Json
    scope: Json
    fill_ids: tuple[str, ...]
    reservation_id: str
    slots: int
    kv_tokens: int
    expires_at_ms: int


class Library(Protocol):
    """C1: confirmed entries, the only readable kind, and the reverse index."""

    def probe(self, name: ReuseName, now_ms: int) -> Hit | Miss: ...

    def record(self, name: ReuseName, result: Result, producer: str, now_ms: int) -> Miss | None:
        """Confirm a canonical result; refused (STALE, UNCERTAIN) unless every record read is fresh."""
        ...


class Shadows(Protocol):
    """C2: chains, fills and shadows. A shadow and an entry are different keys of different types."""

    def create_chain(self, chain: ChainRecord, fills: Sequence[FillRecord], now_ms: int) -> Miss | None:
        """Create a chain with its RESERVED fills under an open branch; a settled branch refuses (STATE)."""
        ...

    def chain(self, chain_id: str) -> ChainRecord | None: ...

    def fill(self, fill_id: str) -> FillRecord | None: ...

    def start(self, fill_id: str, name: ReuseName, owner: str, now_ms: int) -> Miss | None:
        """RESERVED -> RUNNING, and index the name. `owner` is the worker process, for the reaper."""
        ...

    def complete(self, fill_id: str, result: Result, now_ms: int, expires_at_ms: int) -> Miss | None:
        """RUNNING -> SHADOW if every record read is fresh; otherwise -> STALE and a Miss."""
        ...

    def leave(self, fill_id: str, event: FillEvent, now_ms: int) -> FillState | None:
        """Apply LOSE, FAIL, EXPIRE or WRITE. The state that was left; None if the event no longer applied."""
        ...

    def find(self, name: ReuseName) -> FillRecord | None:
        """The best fill under exactly this name: a shadow, else a running one. O(1)."""
        ...

    def promote(self, fill_id: str, name: ReuseName, keep_entry: bool, now_ms: int) -> Promoted | Miss:
        """SHADOW -> PROMOTED if names are equal and every record read is fresh; writes the entry whole.

        keep_entry  False with C1 off: the promoted result serves its own demand and is not kept
        """
        ...


class Branches(Protocol):
    def open(self, branch: BranchRecord, now_ms: int) -> Miss | None: ...

    def branch(self, branch_id: str) -> BranchRecord | None: ...

    def move(
        self, branch_id: str, leave: BranchState, enter: BranchState, now_ms: int, choice: str | None = None
    ) -> Miss | None:
        """Compare-and-set on the branch's state."""
        ...

    def chains(self, branch_id: str) -> tuple[str, ...]: ...

    def unsettled(self, now_ms: int, limit: int) -> tuple[str, ...]:
        """Branches not yet SETTLED, oldest first: what the reaper looks at."""
        ...


class Records(Protocol):
    """Versions of external records, and two-phase writes under a lease. §3.2, method.md §3."""

    def begin_write(self, records: Sequence[str], token: str, lease_until_ms: int) -> None:
        """Mark the records uncertain: from here on every result that read one is a miss."""
        ...

    def commit_write(self, versions: Mapping[str, int], token: str, now_ms: int) -> tuple[str, ...]:
        """Publish committed versions and run the cascade. The ids of entries and fills invalidated."""
        ...

    def publish(self, versions: Mapping[str, int], now_ms: int) -> tuple[str, ...]:
        """The reconciler's commit: versions read from the database under a row lock. Never lowers one."""
        ...

    def expired_writes(self, now_ms: int, limit: int) -> tuple[str, ...]:
        """Records whose write lease ran out, and records asked for whose version is unknown."""
        ...

    def fresh(self, reads: ReadSet) -> Miss | None: ...


class Reservations(Protocol):
    """Slots and KV of one engine pool. Every reservation has a lease; an unconfirmed one ends by it."""

    def reserve(
        self,
        reservation_id: str,
        slots: int,
        kv_tokens: int,
        max_slots: int,
        max_kv_tokens: int,
        lease_until_ms: int,
        now_ms: int,
    ) -> bool:
        """Take both or neither."""
        ...

    def renew(self, reservation_id: str, lease_until_ms: int) -> bool: ...

    def release(self, reservation_id: str) -> bool: ...

    def held(self, now_ms: int) -> tuple[int, int]:
        """(slots, kv_tokens) held by live reservations."""
        ...


class Events(Protocol):
    """Append-only streams with gapless sequence numbers. Pages show a snapshot, then apply by number."""

    def append(self, stream: str, kind: str, data: Mapping[str, Json], now_ms: int) -> int: ...

    def read(self, stream: str, after_seq: int, limit: int) -> tuple["Event", ...]: ...

    def head(self, stream: str) -> "StreamHead": ...


@dataclass(frozen=True, slots=True)
class Event:
    seq: int
    kind: str
    data: Mapping[str, Json]
    at_ms: int


@dataclass(frozen=True, slots=True)
class StreamHead:
    """epoch changes when the stream was lost (Redis emptied); then old numbers mean nothing."""

    epoch: str
    seq: int


__all__ = [
    "Branches",
    "ChainRecord",
    "Event",
    "Events",
    "FillRecord",
    "Hit",
    "Library",
    "Pending",
    "Records",
    "Reservations",
    "Shadows",
    "StreamHead",
]
