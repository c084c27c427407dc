"""Records as an arm's play leaves them, with only what a test cares about stated."""

from apps.evaluation.played import Kind, Played, StageServed, TurnRecord


def stages(*hows: str, reason: str = "absent") -> tuple[StageServed, ...]:
    """lookup, reply, offer: served as named, in this order."""
    names = ("lookup", "reply", "offer")
    return tuple(
        StageServed(name, how, reason if how == "executed" else "", 1.0) for name, how in zip(names, hows, strict=False)
    )


def turn(step: int = 0, **fields: object) -> TurnRecord:
    known = {
        "conversation": 0,
        "step": step,
        "kind": Kind.PICK,
        "asked": "Casa Luma",
        "offered": ("Casa Luma", "Something else"),
        "gap_s": 2.0,
        "state": "done",
        "error": "",
        "first_ms": 10.0,
        "complete_ms": 100.0,
        "reply": "It is open until 23:00.",
        "stages": stages("promoted", "promoted", "promoted"),
        "resumes": 0,
    }
    return TurnRecord(**{**known, **fields})


def played(arm: str, *turns: TurnRecord) -> Played:
    return Played(arm, turns, ())
