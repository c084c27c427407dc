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
from apps.serving.outcomes import Hit, Miss, Promoted, Result


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


@dataclass(frozen=True, slots=True)
class FillCounts:
    """How many fills have not ended, by state."""

    reserved: int
    running: int
    shadows: int


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """What an operator sees of one confirmed entry.

    name         its reuse name; its parts say namespace, fingerprint, input hash and length
    stage        "workflow/version/stage"
    provenances  each the upstream names of one execution that made this input; the entry lives while one holds.
                 ((),) is an entry without producer edges
    whole        False when an upstream name was not held, so that what it had read is indexed here as well
    uses         hits since it was first confirmed    worth  its eviction priority, GreedyDual-Size-Frequency
    """

    name: ReuseName
    stage: str
    result: Result
    producer: str
    provenances: tuple[tuple[ReuseName, ...], ...]
    whole: bool
    bytes: int
    uses: int
    worth: float
    kept_at_ms: int
    used_at_ms: int
    fresh: Miss | None


@dataclass(frozen=True, slots=True)
class LibraryTotals:
    """entries   confirmed, including those past their time to live that no sweep has met yet
    bytes        what entries, ghosts and their index entries hold, by the formula of serving/library/eviction.py
    ghosts       results that are gone but whose reads and edges are kept, since something made from them is not
    clock        of GreedyDual-Size-Frequency: the worth of what was evicted last
    """

    entries: int
    bytes: int
    ghosts: int
    clock: float


@dataclass(frozen=True, slots=True)
class NamespaceCounts:
    """Demands of one namespace since it was first seen."""

    hits: int
    promotions: int
    misses: int


class Library(Protocol):
    """C1: confirmed entries, the only readable kind, and the reverse index.

    Bounded by `library_bytes` and `library_entries`: the entry of least worth goes first (method.md §3, Bound). One
    that is kept makes MAX_EVICTED others go at most; if that is not room enough, the next one goes on.
    Each is kept `entry_ttl_ms` after its last use. An entry that goes by eviction, expiry or deletion while
    something that was made from it is still kept (an entry, a shadow or a running fill that names it upstream)
    leaves a *ghost*: its reads and provenances, without its output, until the last of those is gone. So a
    cascade still finds them, and no index ever dangles. Only a name without another holder leaves one, and it
    stays beside a new entry of its name. A ghost of what a cascade has yet to look at is looked at in its place.

    A provenance is the upstream names that were held when the result was kept, sorted, each once, never its own
    name; `whole` is False when one was not. A root among an entry's provenances stands alone, as ((),).
    """

    def probe(self, name: ReuseName, now_ms: int, max_age_ms: int | None = None) -> Hit | Miss:
        """The entry, if every record that it read is fresh (else STALE, UNCERTAIN); a hit counts as a use.

        UNCERTAIN too while a cascade or any write is open and the entry has producer edges: what it inherits is
        not looked up, and a writer that died between its database's commit and publication would be served past.
        TOO_OLD when it was confirmed more than `max_age_ms` ago. Counts a hit or a miss of the name's namespace.
        """
        ...

    def record(self, name: ReuseName, result: Result, producer: str, stage: str, now_ms: int) -> Miss | None:
        """Confirm a canonical result; refused (STALE, UNCERTAIN) unless all of reads and inherited is fresh.

        UNCERTAIN too while a cascade is open, if the result names anything upstream or its own name is held: what
        the cascade has yet to end must not pass for what is new (`complete` refuses the same).
        Takes the place of an entry of the same name: its output, reads and time are the new ones, its uses stay,
        and the new provenance joins those it had (MAX_PROVENANCES at most, the oldest goes; those of an entry
        that was not whole go all). An entry larger than the whole budget is not kept, and that is no Miss;
        an earlier one of its name goes as if deleted.
        """
        ...

    def sweep(self, now_ms: int, limit: int) -> int:
        """Remove entries past their time to live, at most `limit`; how many were removed."""
        ...

    def totals(self) -> LibraryTotals: ...

    def counts(self, namespace: str) -> NamespaceCounts: ...

    def facts(self, name: ReuseName) -> EntryFacts | None:
        """For an operator: no use is counted."""
        ...

    def page(self, after: ReuseName | None, limit: int) -> tuple[ReuseName, ...]:
        """Names in the order of their text, after `after`. An entry that stays throughout is met exactly once."""
        ...

    def readers(self, record: str) -> tuple[ReuseName, ...]:
        """Entries that a write of this record would reach directly."""
        ...

    def delete(self, names: Sequence[ReuseName]) -> int:
        """Remove entries; what was made from them stays, on a ghost. How many were there."""
        ...


class Shadows(Protocol):
    """C2: chains, fills and shadows. A shadow and an entry are different keys of different types."""

    def create_chain(self, chain: ChainRecord, fills: Sequence[FillRecord], now_ms: int) -> Miss | None:
        """Create a chain with its RESERVED fills under an open branch; a settled branch refuses (STATE)."""
        ...

    def chain(self, chain_id: str) -> ChainRecord | None: ...

    def fill(self, fill_id: str) -> FillRecord | None: ...

    def chain_fills(self, chain_id: str) -> tuple[FillRecord, ...]:
        """All fills of one chain, by position, in one round trip; empty for an unknown chain."""
        ...

    def start(
        self, fill_id: str, name: ReuseName, owner: str, now_ms: int, upstream: Sequence[ReuseName] = ()
    ) -> Miss | None:
        """RESERVED -> RUNNING, and index the name and its producer edges, so that a cascade reaches it.

        `owner` is the worker process, for the reaper; counts as its heartbeat for `owner_lease_ms`.
        """
        ...

    def complete(self, fill_id: str, result: Result, now_ms: int, expires_at_ms: int) -> Miss | None:
        """RUNNING -> SHADOW if all of reads and inherited is fresh; otherwise -> STALE and a Miss.

        At most `shadow_entries` wait: the shadow that would expire first gives way (-> EXPIRED) and is reported
        by the next sweep.
        """
        ...

    def leave(self, fill_id: str, event: FillEvent, now_ms: int) -> FillState | None:
        """Apply LOSE, FAIL, EXPIRE or WRITE. The state that was left; None if the event no longer applied."""
        ...

    def find(self, name: ReuseName, now_ms: int) -> FillRecord | None:
        """The best fill under exactly this name: an unexpired shadow, else a running one. O(1)."""
        ...

    def promote(self, fill_id: str, name: ReuseName, keep_entry: bool, now_ms: int) -> Promoted | Miss:
        """SHADOW -> PROMOTED if names are equal and every record read is fresh; writes the entry whole.

        The entry has the shadow's read-set, provenance and stage (its chain's workflow and its own stage name).
        keep_entry  False with C1 off: the promoted result serves its own demand and is not kept

        ABSENT, STATE (another was first, or it has expired), NAME, STALE, UNCERTAIN (also while a cascade or any
        write is open and the shadow has producer edges) otherwise. Counts a promotion of the name's namespace.
        """
        ...

    def sweep(self, now_ms: int, limit: int) -> tuple[str, ...]:
        """End shadows past their time to live (-> EXPIRED), at most `limit`; their fill ids.

        With them those that had to give way since the last sweep, which have ended before.
        """
        ...

    def beat(self, owner: str, until_ms: int) -> None:
        """Heartbeat: the owner is alive until `until_ms`. 0 says goodbye: its running fills are orphans at once."""
        ...

    def owned(self, owner: str) -> tuple[str, ...]:
        """RUNNING fills of one owner, in no order."""
        ...

    def orphans(self, now_ms: int, limit: int) -> tuple[str, ...]:
        """RESERVED fills past their chain's expires_at_ms, then RUNNING ones whose owner's heartbeat ran out.

        Changes no fill: the caller ends each by `leave`.
        """
        ...

    def counts(self) -> FillCounts: ...


class Branches(Protocol):
    def open(self, branch: BranchRecord, now_ms: int) -> Miss | None: ...

    def branch(self, branch_id: str) -> BranchRecord | None: ...

    def move(
        self, branch_id: str, leave: BranchState, enter: BranchState, now_ms: int, choice: str | None = None
    ) -> Miss | None:
        """Compare-and-set on the branch's state. Raises IllegalBranchMove for a move that is in no table."""
        ...

    def chains(self, branch_id: str) -> tuple[str, ...]:
        """Chain ids in order of admission."""
        ...

    def unsettled(self, now_ms: int, limit: int) -> tuple[str, ...]:
        """Branches not yet SETTLED that were opened at or before now, oldest first: what the reaper looks at."""
        ...

    def sweep(self, now_ms: int, limit: int) -> int:
        """Forget branches settled `settled_keep_ms` ago, with chains and fills; how many were forgotten.

        Looks at no more than `limit`; one with a fill that has not ended is kept for another such time.
        """
        ...


@dataclass(frozen=True, slots=True)
class Invalidated:
    """What one step of a cascade ended: direct readers, and descendants that lost their last valid provenance.

    open  more is left: go on with `Records.cascade`
    """

    entries: tuple[ReuseName, ...] = ()
    shadows: tuple[str, ...] = ()  # fill ids, now STALE
    running: tuple[str, ...] = ()  # fill ids, now STALE: to be aborted
    open: bool = False


class Records(Protocol):
    """Versions of external records, and two-phase writes under a lease. §3.2, method.md §3.

    A record is UNCERTAIN while any write of it is open, and while its version is not known here.
    """

    def begin_write(self, records: Sequence[str], token: str, lease_until_ms: int) -> None:
        """Mark the records uncertain: from here on every result that read one is a miss.

        token  of this write, never reused; a repeat sets its lease anew. A writer repeats it just before its
               transaction commits, its rows locked: a lease that ran out earlier may have been reconciled with
               the version before the change, and so may marks that a lost Redis forgot.
        """
        ...

    def commit_write(self, versions: Mapping[str, int], token: str, now_ms: int) -> Invalidated:
        """Publish committed versions, end this write's marks on these records, and begin the cascade.

        About `cascade_step` members of it are handled here. While it is open, everything with producer edges
        is UNCERTAIN; direct readers are STALE from the first step on. The caller goes on with `cascade`.
        Records of the write that are not in `versions` stay marked until they are reconciled.
        """
        ...

    def publish(self, versions: Mapping[str, int], now_ms: int) -> Invalidated:
        """The reconciler's commit: versions read from the database under a row lock. Never lowers one.

        now_ms  from before the database was asked: a write begun since then is not in these versions, so its mark
                must outlive this call, however late that comes
        Ends the marks whose lease ran out; a write that is still open keeps its record uncertain. Also how
        versions get here at first. Returns the same as `commit_write`.
        """
        ...

    def cascade(self, now_ms: int) -> Invalidated:
        """The next step of the cascades that are open, whoever began them; empty and closed when none is."""
        ...

    def expired_writes(self, now_ms: int, limit: int) -> tuple[str, ...]:
        """Records whose write lease ran out, then records asked for whose version is unknown.

        The latter are each reported in turn until published; publish one that exists no more as well, in a
        version above its last.
        """
        ...

    def fresh(self, reads: ReadSet) -> Miss | None: ...

    def versions(self, records: Sequence[str]) -> Mapping[str, int]:
        """What is published now, for an operator; a record whose version is not known is left out."""
        ...


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
        """Take both or neither. An id that already holds stays as it is; its lease is not shortened."""
        ...

    def renew(self, reservation_id: str, lease_until_ms: int) -> bool:
        """False when it is no longer held."""
        ...

    def release(self, reservation_id: str) -> bool: ...

    def held(self, now_ms: int) -> tuple[int, int]:
        """(slots, kv_tokens) held by live reservations."""
        ...


class Events(Protocol):
    """Append-only streams with gapless sequence numbers. Pages show a snapshot, then apply by number."""

    def append(self, stream: str, kind: str, data: Mapping[str, Json], now_ms: int) -> int:
        """The event's number: 1, 2, 3, …"""
        ...

    def read(self, stream: str, after_seq: int, limit: int) -> tuple["Event", ...]:
        """Events after `after_seq`, oldest first. The first one's number tells whether older ones were trimmed."""
        ...

    def head(self, stream: str) -> "StreamHead":
        """Epoch and last number, 0 before the first event; asking settles a new stream's epoch."""
        ...


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
