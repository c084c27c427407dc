"""What a script's verdict means to the core, and the token that makes a resent call harmless."""

import secrets

from apps.serving.branch.fill import FINAL, TRANSITIONS, FillEvent, FillState, sources
from apps.serving.outcomes import Miss, MissReason


def call_token() -> str:
    """Names one call. A script that was sent twice, because its reply was lost, knows itself by it."""
    return secrets.token_hex(8)


def miss(verdict: object) -> Miss | None:
    """None for `ok`; scripts name their other verdicts as `MissReason` does."""
    assert isinstance(verdict, bytes)
    return None if verdict == b"ok" else Miss(MissReason(verdict.decode()))


def leaving_moves(event: FillEvent) -> tuple[tuple[FillState, FillState], ...]:
    """(state left, state entered) for an event that ends a fill, from the transition table."""
    moves = tuple((state, TRANSITIONS[state][event]) for state in sources(event))
    if event is FillEvent.AUTHORIZE or not all(enter in FINAL for _, enter in moves):
        raise ValueError(f"leave takes lose, fail, expire or write, not {event}; use start, complete or promote")
    return moves
