"""Every number that someone chose, with unit, range, default and source."""

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """What a run may use. FLOOR is also what the kill switch gives."""

    FLOOR = "floor"  # no reuse, no speculation
    C1 = "c1"  # confirmed entries only
    C2 = "c2"  # speculation; a promoted entry serves only its own demand
    FULL = "full"  # C1 and C2

    @property
    def reuses(self) -> bool:
        return self in (Mode.C1, Mode.FULL)

    @property
    def speculates(self) -> bool:
        return self in (Mode.C2, Mode.FULL)


@dataclass(frozen=True, slots=True)
class ServingConfig:
    """fill_slots         most chains of fills reserved at once, >= 0; twice an offer's actions, since those of the
                         branch just decided are held until the engine has let go of them
    fill_kv_tokens        speculative KV budget, tokens, >= 0
    shadow_ttl_ms         how long a shadow waits for its demand, ms, > 0
    user_window_ms        an offer unanswered for this long no longer counts as undecided, ms, > 0
    decode_window_ms      the same for a model's decision, ms, > 0
    entry_ttl_ms          how long an unused entry is kept, ms, > 0
    library_entries       most entries kept, >= 1
    library_bytes         most bytes of Redis memory that entries, ghosts and their index may hold, >= 0
    shadow_entries        most shadows that wait at once, >= 1
    cascade_step          about how many members of a cascade one script handles, >= 1; a step holds up all of Redis
    bounded_wait_ms       how long a demand waits for its own running fill (§3.3), ms, >= 0
    reservation_lease_ms  a reservation whose owner died ends after this, ms, > 0
    owner_lease_ms        a worker that has not been heard of for this long is dead, ms, > 0
    write_lease_ms        a write whose owner died is reconciled after this, ms, > 0
    settled_keep_ms       a settled branch, its chains and fills can still be looked at for this long, ms, > 0
    stream_events         most events kept per stream, >= 1
    stream_keep_ms        a stream of one thing (`kind:id`) is kept this long after its last event, ms, > 0
    """

    fill_slots: int = 8
    fill_kv_tokens: int = 8192
    shadow_ttl_ms: int = 600_000
    user_window_ms: int = 600_000
    decode_window_ms: int = 60_000
    entry_ttl_ms: int = 3_600_000
    library_entries: int = 100_000
    library_bytes: int = 256 * 1024 * 1024
    shadow_entries: int = 2_000
    cascade_step: int = 500
    bounded_wait_ms: int = 3_000
    reservation_lease_ms: int = 15_000
    owner_lease_ms: int = 5_000
    write_lease_ms: int = 5_000
    settled_keep_ms: int = 900_000
    stream_events: int = 2_000
    stream_keep_ms: int = 86_400_000


DEFAULTS = ServingConfig()
