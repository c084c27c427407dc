"""The chat socket's frames (docs/interfaces.md): text to commands, answers to text. Decides nothing."""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from apps.chat import refusals
from apps.chat.refusals import Refusal
from apps.serving.names import Json
from apps.serving.ports import Event

MAX_FRAME_BYTES = 100_000
MAX_TEXT_CHARACTERS = 4_000
ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,64}")
KEPT_CONTROLS = "\n\t"

CLOSE_FOREIGN = 4403
CLOSE_UNKNOWN = 4404


@dataclass(frozen=True, slots=True)
class Hello:
    type: ClassVar[str] = "hello"
    epoch: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Say:
    type: ClassVar[str] = "say"
    key: str
    head: str
    text: str
    fork: bool = False


@dataclass(frozen=True, slots=True)
class Pick:
    type: ClassVar[str] = "pick"
    key: str
    head: str
    offer: str
    action: int
    fork: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    type: ClassVar[str] = "stop"
    turn: str


@dataclass(frozen=True, slots=True)
class Retry:
    type: ClassVar[str] = "retry"
    key: str
    turn: str


@dataclass(frozen=True, slots=True)
class Edit:
    type: ClassVar[str] = "edit"
    key: str
    turn: str
    text: str


@dataclass(frozen=True, slots=True)
class Goto:
    type: ClassVar[str] = "goto"
    turn: str


@dataclass(frozen=True, slots=True)
class Ping:
    type: ClassVar[str] = "ping"


Command = Say | Pick | Stop | Retry | Edit | Goto
Frame = Hello | Ping | Command
FRAMES: Mapping[str, type] = {f.type: f for f in (Hello, Say, Pick, Stop, Retry, Edit, Goto, Ping)}
IDS = frozenset({"key", "head", "offer", "turn"})


@dataclass(frozen=True, slots=True)
class Rejected:
    """A frame that is no command: why, and the key that it carried, where it could be read."""

    refusal: Refusal
    key: str | None = None


def parse(text: str | None) -> Frame | Rejected:
    """The command in a text frame. Never raises: whatever a client sends is an answer, not an error."""
    if text is None:
        return Rejected(refusals.bad_frame("frame", "binary frames are not understood"))
    if len(text.encode("utf-8", "surrogatepass")) > MAX_FRAME_BYTES:
        return Rejected(refusals.too_long(f"{MAX_FRAME_BYTES} bytes"))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return Rejected(refusals.bad_frame("frame", "is not JSON"))
    if not isinstance(data, dict):
        return Rejected(refusals.bad_frame("frame", "must be a JSON object"))
    return _parse_fields(data)


def _parse_fields(data: dict[str, Any]) -> Frame | Rejected:
    key = data.get("key")
    key = key if isinstance(key, str) and ID_PATTERN.fullmatch(key) else None
    kind = data.pop("type", None)
    frame = FRAMES.get(kind) if isinstance(kind, str) else None
    if frame is None:
        return Rejected(refusals.bad_frame("type", f"must be one of {', '.join(FRAMES)}"), key)
    known = {field.name: field for field in fields(frame)}
    for name in data:
        if name not in known:
            shown = name[:40].encode(errors="replace").decode()  # a lone surrogate cannot be sent back
            return Rejected(refusals.bad_frame(shown, f"is not a field of {kind}"), key)
    for name, field in known.items():
        why = _wrong(name, field.type, data.get(name, field.default))
        if why:
            return Rejected(refusals.bad_frame(name, why), key)
    if "text" in known:
        text = clean(data["text"])
        if isinstance(text, Refusal):
            return Rejected(text, key)
        data["text"] = text
    return frame(**data)


def _wrong(name: str, expected: Any, value: Any) -> str:
    """What is wrong with a field's value, or an empty text. A missing one arrives as dataclasses.MISSING."""
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        wanted = getattr(expected, "__name__", str(expected)).replace("str", "text")
        return f"must be {wanted}"
    if name in IDS and not ID_PATTERN.fullmatch(value):
        return "must be 1 to 64 letters, digits, - or _"
    return ""


def clean(text: str) -> str | Refusal:
    """A message as it is stored: trimmed, no control characters or lone surrogates, 1 to 4,000 characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = (c for c in text if c in KEPT_CONTROLS or unicodedata.category(c) not in ("Cc", "Cs"))
    cleaned = "".join(kept).strip()
    if not cleaned:
        return refusals.EMPTY
    if len(cleaned) > MAX_TEXT_CHARACTERS:
        return refusals.too_long(f"{MAX_TEXT_CHARACTERS:,} characters")
    return cleaned


def ack(key: str | None, turn: str) -> dict[str, Json]:
    return {"type": "ack", "key": key, "turn": turn}


def error(refusal: Refusal, key: str | None = None) -> dict[str, Json]:
    return {
        "type": "error", "key": key, "code": refusal.code, "message": refusal.message, "mend": refusal.mend,
    }  # fmt: skip


def event(epoch: str, item: Event) -> dict[str, Json]:
    return {
        "type": "event", "epoch": epoch, "seq": item.seq, "kind": item.kind, "at_ms": item.at_ms,
        "data": dict(item.data),
    }  # fmt: skip


PONG: Mapping[str, Json] = {"type": "pong"}


def encode(frame: Mapping[str, Json]) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
