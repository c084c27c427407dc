"""Messages between a console page and its server: the same over the socket and over HTTP.

Page:    {"type": "hello", "epoch", "seq", "load_ms"}: the last event and the last load point it has, or nulls;
         {"type": "ping"}.
Server:  {"type": "snapshot", "epoch", "seq", "events", …} replaces all events of the page;
         {"type": "events", "epoch", "after", "seq", "events", …} goes after event number `after`;
         {"type": "pong"}; {"type": "error", "code", "message", "mend"}.
         Both of the first carry "state" (or null), "age_ms" of that state, "load" (drawn points newer than the
         page's) and "problem" ("" or why events cannot be read).
"""

import json
from dataclasses import asdict, dataclass

from apps.console.figures import drawn
from apps.console.hub import Hub


@dataclass(frozen=True, slots=True)
class Position:
    """What a page has: events up to `seq` of `epoch`, load points up to `load_ms`."""

    epoch: str = ""
    seq: int = -1
    load_ms: int = 0


@dataclass(frozen=True, slots=True)
class Ping:
    pass


class BadFrame(ValueError):
    """The page sent something else than `wire` describes; `mend` says what to send."""

    mend = 'send {"type": "hello", "epoch": text or null, "seq": number or null, "load_ms": number or null}'


MOST_FRAME_CHARS = 4_096


def parse(text: str | None) -> Position | Ping:
    if text is None:
        raise BadFrame("only text frames are read")
    if len(text) > MOST_FRAME_CHARS:
        raise BadFrame(f"the frame has more than {MOST_FRAME_CHARS} characters")
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise BadFrame("the frame is not JSON") from exc
    if not isinstance(frame, dict):
        raise BadFrame("the frame is not a JSON object")
    if frame.get("type") == "ping":
        return Ping()
    if frame.get("type") != "hello":
        raise BadFrame("the frame's type is unknown")
    return position(frame.get("epoch"), frame.get("seq"), frame.get("load_ms"))


def position(epoch: object, seq: object, load_ms: object) -> Position:
    """A page's position; nulls mean that it has nothing."""
    if epoch is None or seq is None:
        return Position(load_ms=_number(load_ms, "load_ms", 0))
    if not isinstance(epoch, str):
        raise BadFrame("epoch is not text")
    return Position(epoch, _number(seq, "seq", -1), _number(load_ms, "load_ms", 0))


def _number(value: object, name: str, otherwise: int) -> int:
    if value is None:
        return otherwise
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadFrame(f"{name} is not a whole number")
    return value


@dataclass(frozen=True, slots=True)
class Answer:
    """A message, and where the page is once it has applied it."""

    message: dict[str, object]
    position: Position


def answer(hub: Hub, at: Position, now_ms: int) -> Answer:
    """What brings a page from `at` to now."""
    memory = hub.events
    missed = memory.since(at.epoch, at.seq)
    kind = "snapshot" if missed is None else "events"
    points = drawn(hub.load.items, at.load_ms)
    message: dict[str, object] = {
        "type": kind,
        "epoch": memory.epoch,
        "after": at.seq,
        "seq": memory.seq,
        "events": [asdict(row) for row in (memory.items if missed is None else missed)],
        "state": asdict(hub.state) if hub.state else None,
        "age_ms": max(0, now_ms - hub.state.at_ms) if hub.state else None,
        "load": [asdict(point) for point in points],
        "problem": hub.problem,
    }
    last_ms = points[-1].t_ms if points else at.load_ms
    return Answer(message, Position(memory.epoch, memory.seq, last_ms))


def encode(message: dict[str, object]) -> str:
    # default=str: an event's data is JSON already; anything else is shown rather than breaking the page.
    return json.dumps(message, separators=(",", ":"), default=str)


def encode_error(exc: BadFrame) -> str:
    return encode({"type": "error", "code": "bad_frame", "message": str(exc), "mend": exc.mend})
