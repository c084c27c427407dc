"""The `reply` and `confirm` stages: the model rewords the facts, and only checked sentences are shown."""

import time
from collections.abc import Mapping
from contextlib import aclosing

from apps.concierge.fact_check import check, is_foreign
from apps.concierge.fact_types import Fact
from apps.concierge.fact_words import is_bad_news
from apps.concierge.sentences import Sentences
from apps.engines.base import Completion, Delta, EngineRequest, Finish
from apps.runtime.program import StageTools
from apps.serving.names import Json
from apps.serving.outcomes import Result


class Speech:
    """What has been shown, and which facts are still to be said."""

    def __init__(self, facts: tuple[Fact, ...], tools: StageTools) -> None:
        self.unsaid = facts
        self.shown: list[str] = []
        self.fallback = False
        self._tools = tools
        self._courtesies_left = 0 if any(map(is_bad_news, facts)) else 1

    async def offer(self, sentence: str) -> bool:
        """Show the sentence if it passes; False when the model must not go on."""
        said = check(sentence, self.unsaid).said
        if said is None or (said == 0 and not self._courtesies_left):
            return False
        self._courtesies_left -= said == 0
        self.unsaid = self.unsaid[said:]
        await self.show(sentence)
        return True

    async def show(self, sentence: str) -> None:
        await self._tools.emit(f" {sentence}" if self.shown else sentence)
        self.shown.append(sentence)

    async def complete(self, tail: str) -> None:
        """Say what the model did not, in plain sentences."""
        self.fallback = bool(self.unsaid)
        for fact in self.unsaid:
            await self.show(fact.text)
        if tail:
            await self.show(tail)


async def speak(rendered: Mapping[str, Json], tools: StageTools) -> Result:
    """Run one reply or confirm stage. Without facts only the tail is said, and no engine is asked.

    From the first sentence that fails the check the rest is the plain sentences of the facts not said yet, and
    the engine's stream is closed at once. Raises EngineError when the stream breaks before that.
    """
    speech = Speech(tuple(Fact.from_json(f) for f in rendered["facts"]), tools)
    if not speech.unsaid:
        await speech.complete(str(rendered["tail"]))
        return Result({"text": " ".join(speech.shown), "fallback": False}, {}, 0.0, {"fallback": False})
    request = EngineRequest(rendered["body"], tools.request_id, tools.lane)
    begun = time.monotonic()
    end = await _listen(request, speech, tools)
    await speech.complete(str(rendered["tail"]))
    spent_ms = end.engine_ms if end else (time.monotonic() - begun) * 1000
    return Result(
        output={"text": " ".join(speech.shown), "fallback": speech.fallback},
        reads={},
        engine_ms=spent_ms,
        notes={
            "fallback": speech.fallback,
            "prompt_tokens": end.prompt_tokens if end else None,
            "completion_tokens": end.completion_tokens if end else None,
        },
    )


async def _listen(request: EngineRequest, speech: Speech, tools: StageTools) -> Completion | None:
    """Show checked sentences as they come; None when the stream was closed because one failed."""
    sentences = Sentences()
    async with aclosing(tools.engine.stream(request)) as stream:
        async for piece in stream:
            if isinstance(piece, Delta):
                for sentence in sentences.add(piece.text):
                    if not await speech.offer(sentence):
                        return None
                if is_foreign(sentences.pending, speech.unsaid):
                    return None
                continue
            rest = sentences.rest()
            if rest and piece.finish is not Finish.LENGTH:
                await speech.offer(rest)
            return piece
    return None
