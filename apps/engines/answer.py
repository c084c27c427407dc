"""One streamed answer, put together from its chunks, and complete only when everything that ends one was seen."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.engines.base import Completion, EngineAborted, EngineRefused, Finish, IncompleteAnswer
from apps.serving.names import Json

FINISHES = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "tool_calls": Finish.TOOL_CALLS,
    "function_call": Finish.TOOL_CALLS,
}
MESSAGE_LIMIT = 300  # characters of an engine's own words that an error repeats


def shortened(message: object) -> str:
    text = " ".join(str(message).split())
    return text if len(text) <= MESSAGE_LIMIT else text[: MESSAGE_LIMIT - 1] + "…"


def refusal(error: object) -> EngineRefused:
    """What the engine says in an error body or event, whatever shape it gives it."""
    while isinstance(error, Mapping):
        error = next((error[key] for key in ("error", "message", "detail") if error.get(key)), json.dumps(error))
    return EngineRefused(shortened(error))


@dataclass(slots=True)
class CallParts:
    """One tool call while its pieces arrive. Name and id come once, the arguments' JSON in pieces."""

    call_id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def take(self, piece: Mapping[str, Any]) -> None:
        function = piece.get("function") or {}
        self.call_id = self.call_id or piece.get("id") or ""
        self.name = self.name or function.get("name") or ""
        self.arguments.append(function.get("arguments") or "")

    def whole(self) -> Json:
        arguments = "".join(self.arguments)
        try:
            closed = isinstance(json.loads(arguments or "{}"), dict)
        except ValueError:
            closed = False
        if not closed or not self.name:
            raise IncompleteAnswer(f"tool call {self.name or 'without a name'} ended inside its arguments")
        return {
            "id": self.call_id,
            "type": "function",
            "function": {"name": self.name, "arguments": arguments or "{}"},
        }


class AnswerParts:
    """Takes chat-completion chunks in order. Text goes on at once; the rest waits for `completion`."""

    def __init__(self) -> None:
        self._finish: str | None = None
        self._usage: Mapping[str, Any] | None = None
        self._calls: dict[int, CallParts] = {}

    def take(self, data: str) -> str:
        """The text of one event's data, often empty. Raises `EngineRefused` for an error event."""
        try:
            chunk = json.loads(data)
        except ValueError as exc:
            raise IncompleteAnswer(f"an event that is not JSON: {shortened(data)}") from exc
        if not isinstance(chunk, dict):
            raise IncompleteAnswer(f"an event that is no chunk: {shortened(data)}")
        if chunk.get("error") or chunk.get("object") == "error":
            raise refusal(chunk)
        self._usage = chunk.get("usage") or self._usage
        return "".join(self._take_choice(choice) for choice in chunk.get("choices") or ())

    def _take_choice(self, choice: Mapping[str, Any]) -> str:
        if choice.get("index", 0) != 0:
            raise IncompleteAnswer("the engine sends more than one answer; ask for one (n = 1)")
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta") or {}
        for piece in delta.get("tool_calls") or ():
            self._calls.setdefault(piece.get("index", 0), CallParts()).take(piece)
        return delta.get("content") or ""

    def completion(self, engine_ms: float) -> Completion:
        """The end of the answer. Raises `EngineAborted`, or `IncompleteAnswer` saying what never came."""
        finish = self._known_finish()
        if self._usage is None:
            raise IncompleteAnswer("the stream ended without usage")
        calls = tuple(self._calls[index].whole() for index in sorted(self._calls))
        if finish is Finish.TOOL_CALLS and not calls:
            raise IncompleteAnswer("the stream ended for a tool call that never came")
        if calls and finish is Finish.STOP:  # some engines say "stop" after a tool call too
            finish = Finish.TOOL_CALLS
        return Completion(
            finish=finish,
            prompt_tokens=int(self._usage.get("prompt_tokens") or 0),
            completion_tokens=int(self._usage.get("completion_tokens") or 0),
            cached_tokens=int((self._usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0),
            tool_calls=calls,
            engine_ms=engine_ms,
        )

    def _known_finish(self) -> Finish:
        if self._finish is None:
            raise IncompleteAnswer("the stream ended without a finish reason")
        if self._finish == "abort":
            raise EngineAborted("the engine dropped the request as it was told")
        if self._finish not in FINISHES:
            raise IncompleteAnswer(f"the stream ended with finish reason {shortened(self._finish)}")
        return FINISHES[self._finish]
