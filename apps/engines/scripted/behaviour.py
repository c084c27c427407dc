"""What the scripted engine is told to do, and what it saw."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from apps.serving.names import Json


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How an answer goes. Counts are in answer tokens (words); None means never.

    text           the answer; None makes one from the prompt, always the same for the same prompt
    tool_calls     function name -> arguments as the text that is streamed, well-formed or not
    first_byte_s   wait before the first byte of the answer, holding a slot
    token_s        wait after each token
    status         another than 200 answers with it and `message`, at once
    error_after    then an error event, behind a status of 200
    cut_after      then the connection closes in the middle of the body
    hang_after     then nothing more, on an open connection
    omit_finish    end properly, with [DONE], but without a finish reason
    omit_usage     end properly, with [DONE], but without usage
    ignore_aborts  go on to the end whatever is aborted or closed
    pings          a comment line before every token, and every 20 ms while hanging
    piece_bytes    write the stream in pieces of this many bytes, so that frames are split
    """

    text: str | None = None
    tool_calls: Mapping[str, str] = field(default_factory=dict)
    first_byte_s: float = 0.0
    token_s: float = 0.0
    status: int = 200
    message: str = "told to fail"
    error_after: int | None = None
    cut_after: int | None = None
    hang_after: int | None = None
    omit_finish: bool = False
    omit_usage: bool = False
    ignore_aborts: bool = False
    pings: bool = False
    piece_bytes: int | None = None

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> "Behaviour":
        unknown = set(told) - {f.name for f in fields(cls)}
        if unknown:
            raise ValueError(f"unknown fields: {', '.join(sorted(unknown))}")
        return cls(**told)


class Outcome(StrEnum):
    WAITING = "waiting"  # for a slot
    RUNNING = "running"
    COMPLETE = "complete"
    ABORTED = "aborted"  # by its id
    DISCONNECTED = "disconnected"  # its client closed the stream
    FAILED = "failed"  # as told: status, error event or cut


@dataclass(slots=True)
class Seen:
    """One chat request. Times are ms since the epoch; None means not yet, or never.

    ended_ms  its slot was free from then on
    """

    number: int
    request_id: str
    body: Mapping[str, Json]
    headers: Mapping[str, str]
    arrived_ms: float
    started_ms: float | None = None
    ended_ms: float | None = None
    outcome: Outcome = Outcome.WAITING
    tokens_sent: int = 0

    @property
    def prompt(self) -> str:
        """All messages' text, one a line."""
        messages = self.body.get("messages") or ()
        return "\n".join(text_of(message.get("content")) for message in messages)  # type: ignore[union-attr]


def text_of(content: Json) -> str:
    """A message's content is text, or parts of which some are text."""
    if isinstance(content, list):
        return " ".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
