"""What a client knows of one conversation: the socket's frames folded in order, with their arrival times. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.evaluation.fills import FillTrace

Frame = Mapping[str, Any]
"""One JSON frame of the chat socket, see docs/interfaces.md."""

FINAL_STATES = frozenset({"done", "failed", "stopped"})


@dataclass(slots=True)
class Transcript:
    """Times are the client's monotonic clock, seconds; of a turn that a resume brought, the resume's.

    acks and errors are by the command's key. `behind` is set by a gap in the sequence: a hello mends it.
    """

    epoch: str | None = None
    seq: int | None = None
    head: str | None = None
    behind: bool = False
    turns: dict[str, Frame] = field(default_factory=dict)
    first_at_s: dict[str, float] = field(default_factory=dict)
    done_at_s: dict[str, float] = field(default_factory=dict)
    acks: dict[str, str] = field(default_factory=dict)
    errors: dict[str, Frame] = field(default_factory=dict)
    fills: dict[str, FillTrace] = field(default_factory=dict)

    def apply(self, frame: Frame, at_s: float) -> None:
        """A frame that was already applied changes nothing."""
        match frame["type"]:
            case "ack":
                self.acks[frame["key"]] = frame["turn"]
            case "error":
                self.errors[frame.get("key") or ""] = frame
            case "snapshot":
                self._snapshot(frame, at_s)
            case "event" if self._follows(frame):
                self.seq = frame["seq"]
                self._event(frame, at_s)

    def shown(self) -> Frame | None:
        """The turn at the head; None before the first."""
        return self.turns.get(self.head) if self.head else None

    def ended(self, turn_id: str) -> bool:
        return turn_id in self.done_at_s

    def _follows(self, frame: Frame) -> bool:
        if frame["epoch"] != self.epoch or frame["seq"] > (self.seq or 0) + 1:
            self.behind = True
            return False
        return frame["seq"] == (self.seq or 0) + 1

    def _snapshot(self, frame: Frame, at_s: float) -> None:
        self.epoch, self.seq, self.behind = frame["epoch"], frame["seq"], False
        for turn in frame["turns"]:
            self._turn(turn, at_s)
        last = frame["turns"][-1]["id"] if frame["turns"] else None
        self.head = frame["conversation"].get("head") or last

    def _turn(self, turn: Frame, at_s: float) -> None:
        turn_id = turn["id"]
        self.turns[turn_id] = turn
        if turn["reply"]:
            self.first_at_s.setdefault(turn_id, at_s)
        if turn["state"] in FINAL_STATES:
            self.first_at_s.setdefault(turn_id, at_s)
            self.done_at_s.setdefault(turn_id, at_s)

    def _event(self, frame: Frame, at_s: float) -> None:
        data = frame["data"]
        match frame["kind"]:
            case "turn.created":
                self._turn(data["turn"], at_s)
                self.head = data["turn"]["id"]
            case "turn.done":
                self._turn(data["turn"], at_s)
            case "turn.text" if data["text"]:
                self.first_at_s.setdefault(data["turn"], at_s)
            case "turn.restarted":
                self.first_at_s.pop(data["turn"], None)  # what was shown is void
            case "head.changed":
                self.head = data["head"]
            case "fill.moved":
                known = self.fills.get(data["fill"], FillTrace.of(data))
                self.fills[data["fill"]] = known.moved(data, frame["at_ms"])
