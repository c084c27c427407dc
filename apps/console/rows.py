"""Events in words. The page shows these strings and formats nothing itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from apps.console.tone import Tone
from apps.figures.load import ABSENT
from apps.serving.branch.fill import FillState
from apps.serving.names import Json
from apps.serving.outcomes import MissReason
from apps.serving.ports import Event

Data = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of the event list. `at` is UTC; `data` is what the expanded line shows."""

    seq: int
    at: str
    kind: str
    conversation: str
    words: str
    tone: Tone
    data: Data


FILL_WORDS: Mapping[FillState, str] = {
    FillState.RESERVED: "fill reserved: slot and KV are held",
    FillState.RUNNING: "fill started on the engine",
    FillState.SHADOW: "fill finished: its shadow is ready",
    FillState.PROMOTED: "shadow promoted: it answered the demand",
    FillState.DISCARDED: "fill discarded: another action was picked",
    FillState.FAILED: "fill failed",
    FillState.EXPIRED: "shadow expired: nobody asked for it in time",
    FillState.STALE: "shadow stale: a record that it read was written",
}
FILL_TONES: Mapping[str, Tone] = {
    FillState.SHADOW: Tone.GOOD,
    FillState.PROMOTED: Tone.GOOD,
    FillState.DISCARDED: Tone.QUIET,
    FillState.EXPIRED: Tone.QUIET,
    FillState.STALE: Tone.WARN,
    FillState.FAILED: Tone.BAD,
}
MISS_WORDS: Mapping[str, str] = {
    MissReason.ABSENT: "nothing was prepared under its name",
    MissReason.STATE: "another event came first",
    MissReason.NAME: "what was prepared answers something else",
    MissReason.STALE: "a record that it reads was written since",
    MissReason.UNCERTAIN: "a record that it reads is being written",
    MissReason.UNCONFIRMED: "its fill did not finish in time",
    MissReason.FAILED: "its fill failed",
    MissReason.BYPASS: "reuse is off for it",
    MissReason.TOO_OLD: "what is kept is older than the demand allows",
    MissReason.UNAVAILABLE: "the shared state could not be reached",
}
ENDED_WORDS = {"entries": "kept results", "shadows": "shadows", "running": "running fills"}
SERVED_WORDS = {
    "executed": "ran on the engine",
    "hit": "answered from the library",
    "promoted": "answered from its shadow",
    "waited": "answered from its fill after a short wait",
}


def event_row(event: Event) -> EventRow:
    """Never fails: an event that is not as expected is shown under its own kind."""
    words = WORDS.get(event.kind, _unknown)
    try:
        text = words(event.data)
    except (TypeError, ValueError, AttributeError):
        text = _unknown(event.data)
    return EventRow(
        event.seq,
        clock(event.at_ms),
        event.kind,
        _conversation(event.data),
        text or event.kind,
        _tone(event),
        event.data,
    )


def clock(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%H:%M:%S.%f")[:-3]


def _conversation(data: Data) -> str:
    value = data.get("conversation", "")
    return value if isinstance(value, str) else ""


def _tone(event: Event) -> Tone:
    if event.kind == "fill.moved":
        return FILL_TONES.get(str(event.data.get("state")), Tone.PLAIN)
    if event.kind == "stage.served":
        return Tone.PLAIN if event.data.get("how") == "executed" else Tone.GOOD
    turn = event.data.get("turn")
    if event.kind == "turn.done" and isinstance(turn, dict) and turn.get("state") == "failed":
        return Tone.BAD
    return {"turn.restarted": Tone.WARN, "write.committed": Tone.WARN}.get(event.kind, Tone.PLAIN)


def _unknown(data: Data) -> str:
    return ""


def _fill_moved(data: Data) -> str:
    state, reason = str(data.get("state", "")), data.get("reason")
    known = FILL_WORDS[FillState(state)] if state in set(FillState) else f"fill moved to {state or 'an unnamed state'}"
    what = f" · {data['stage']}" if data.get("stage") else ""
    action = f" for choice {data['choice']}" if data.get("choice") is not None else ""
    return f"{known}{f' ({reason})' if reason else ''}{what}{action}"


def _stage_served(data: Data) -> str:
    how = str(data.get("how", ""))
    words = f"{data.get('stage', 'stage')} {SERVED_WORDS.get(how, how)} in {millis(data.get('ms'))}"
    saved = data.get("saved_ms")
    if isinstance(saved, int | float) and saved > 0:
        return f"{words}, {millis(saved)} saved"
    reason = str(data.get("reason") or "")
    return f"{words}: {MISS_WORDS.get(reason, reason)}" if reason else words


def _branch_opened(data: Data) -> str:
    candidates = data.get("candidates")
    if not isinstance(candidates, list):
        return "branch opened"
    admitted = sum(1 for c in candidates if isinstance(c, dict) and c.get("admitted"))
    return f"branch opened: {admitted} of {len(candidates)} candidates admitted"


def _branch_resolved(data: Data) -> str:
    choice = data.get("choice")
    return "branch resolved with none of its candidates" if choice is None else f"branch resolved: choice {choice}"


def _turn_created(data: Data) -> str:
    turn = data.get("turn")
    kind = turn.get("kind") if isinstance(turn, dict) else None
    return {"pick": "an action was picked", "text": "a message was sent", "start": "a conversation began"}.get(
        str(kind), "turn created"
    )


def _turn_done(data: Data) -> str:
    turn = data.get("turn")
    state = turn.get("state") if isinstance(turn, dict) else None
    return {"failed": "turn failed", "stopped": "turn stopped by the user"}.get(str(state), "turn complete")


def _write_committed(data: Data) -> str:
    records = data.get("records")
    named = len(records) if isinstance(records, list | dict) else "some"
    ended = [f"{data[kind]} {words}" for kind, words in ENDED_WORDS.items() if data.get(kind)]
    plural = "" if named == 1 else "s"
    return f"catalogue written: {named} record{plural}; {', '.join(ended) or 'nothing'} made unusable"


WORDS: Mapping[str, Callable[[Data], str]] = {
    "turn.created": _turn_created,
    "turn.restarted": lambda data: "turn started again: its first owner was lost",
    "turn.done": _turn_done,
    "head.changed": lambda data: "another point of the conversation is shown",
    "title.changed": lambda data: "conversation renamed",
    "branch.opened": _branch_opened,
    "fill.moved": _fill_moved,
    "branch.resolved": _branch_resolved,
    "branch.settled": lambda data: "branch settled: everything it held is released",
    "stage.served": _stage_served,
    "write.committed": _write_committed,
}


def millis(value: Json) -> str:
    return f"{value:.0f} ms" if isinstance(value, int | float) and not isinstance(value, bool) else f"{ABSENT} ms"
