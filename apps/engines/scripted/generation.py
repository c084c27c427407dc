"""One scripted chat answer, from waiting for a slot to the last byte."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from apps.engines.scripted.answers import answer_text, tokens_of
from apps.engines.scripted.behaviour import Behaviour, Outcome, Seen
from apps.engines.scripted.connection import Connection

PING_S = 0.02


def now_ms() -> float:
    return time.time() * 1000


class Generation:
    """Streams one answer as it is told. `run` returns how it ended; cancelling it frees the slot at once."""

    def __init__(
        self, connection: Connection, seen: Seen, behaviour: Behaviour, respond: Callable[[Seen], str | None]
    ) -> None:
        self._connection, self.seen, self.behaviour = connection, seen, behaviour
        self._respond = respond
        self._started = False

    async def run(self, slots: asyncio.Semaphore) -> Outcome:
        async with slots:
            self.seen.started_ms, self.seen.outcome = now_ms(), Outcome.RUNNING
            await asyncio.sleep(self.behaviour.first_byte_s)
            await self._connection.start(200, "text/event-stream")
            self._started = True
            text = self._respond(self.seen)
            words = tokens_of(text if text is not None else answer_text(self.seen, self.behaviour))
            limit = self.seen.body.get("max_tokens")
            kept = words[: int(limit)] if isinstance(limit, int) and limit >= 0 else words
            return await self._tokens(kept, "length" if len(kept) < len(words) else "stop")

    async def _tokens(self, words: list[str], finish: str) -> Outcome:
        if self.seen.body.get("return_progress"):
            total = len(tokens_of(self.seen.prompt))
            await self._event({"choices": [], "prompt_progress": {"total": total, "processed": total}})
        for place in range(len(words) + 1):
            if place == self.behaviour.error_after:
                await self._event({"error": {"code": 500, "message": self.behaviour.message}})
                await self._connection.end()
                return Outcome.FAILED
            if place == self.behaviour.cut_after:
                return Outcome.FAILED
            if place == self.behaviour.hang_after:
                await self._hang()
            if place < len(words):
                await self._token(words[place])
        return await self._finish(finish)

    async def _token(self, word: str) -> None:
        if self.behaviour.pings:
            await self._connection.write(b": ping\n\n", self.behaviour.piece_bytes)
        await self._event(self._chunk({"content": word}, None))
        self.seen.tokens_sent += 1
        await asyncio.sleep(self.behaviour.token_s)

    async def _hang(self) -> None:
        while True:
            await asyncio.sleep(PING_S)
            if self.behaviour.pings:
                await self._connection.write(b": ping\n\n")

    async def _finish(self, finish: str) -> Outcome:
        for index, (name, arguments) in enumerate(self.behaviour.tool_calls.items()):
            call = {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name}}
            await self._event(self._chunk({"tool_calls": [call]}, None))
            for piece in (arguments[: len(arguments) // 2], arguments[len(arguments) // 2 :]):
                part = {"index": index, "function": {"arguments": piece}}
                await self._event(self._chunk({"tool_calls": [part]}, None))
        await self.close_stream("tool_calls" if self.behaviour.tool_calls else finish)
        return Outcome.COMPLETE

    async def close_stream(self, finish: str) -> None:
        """The end of a stream; also that of an aborted one, with what was sent so far."""
        if not self._started:
            await self._connection.start(200, "text/event-stream")
        if not self.behaviour.omit_finish:
            await self._event(self._chunk({}, finish))
        if not self.behaviour.omit_usage:
            await self._event({"choices": [], "usage": self._usage()})
        await self._connection.write(b"data: [DONE]\n\n")
        await self._connection.end()

    def _usage(self) -> dict[str, Any]:
        prompt, answer = len(tokens_of(self.seen.prompt)), self.seen.tokens_sent
        return {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
            "prompt_tokens_details": {"cached_tokens": 0},
        }

    def _chunk(self, delta: dict[str, Any], finish: str | None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": self.seen.request_id, "object": "chat.completion.chunk", "choices": [choice]}

    async def _event(self, value: dict[str, Any]) -> None:
        data = b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"
        await self._connection.write(data, self.behaviour.piece_bytes)
