"""Small questions to an engine, timed: what check_engine and bench_engine measure with. Async, over any adapter."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from apps.engines.base import Completion, Delta, Engine, EngineRequest, Lane
from apps.engines.request_ids import new_request_id

POLL_S = 0.02  # also the resolution of what is measured by polling the load
FREED_WITHIN_S = 30.0
STORY = "Tell a very long story about a lighthouse keeper, her dog and the sea."
STORY_TOKENS = 600
LONG_WORDS = 150  # of some 7 tokens each: long enough to be caught in its prefill


@dataclass(frozen=True, slots=True)
class Timed:
    """One whole answer. first_ms and ms from sending to the first text and to the end."""

    text: str
    end: Completion
    first_ms: float
    ms: float


def question(system: str, text: str, max_tokens: int, lane: Lane = Lane.CANONICAL) -> EngineRequest:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": text}]
    body = {"messages": messages, "max_tokens": max_tokens, "temperature": 0}
    return EngineRequest(body, new_request_id(), lane)


async def answer(engine: Engine, request: EngineRequest) -> Timed:
    started, first = time.perf_counter(), None
    texts: list[str] = []
    async with aclosing(engine.stream(request)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Delta):
                first = first or time.perf_counter()
                texts.append(piece.text)
            else:
                end = piece
    ended = time.perf_counter()
    return Timed("".join(texts), end, ((first or ended) - started) * 1000, (ended - started) * 1000)


async def answers(engine: Engine, requests: Sequence[EngineRequest]) -> list[Timed]:
    """All at once."""
    return list(await asyncio.gather(*(answer(engine, request) for request in requests)))


async def until_running(engine: Engine, wanted: bool) -> float | None:
    """ms until the engine reports that something runs, or nothing; None where it reports no count, or not in time."""
    started = time.perf_counter()
    while (waited_s := time.perf_counter() - started) < FREED_WITHIN_S:
        running = (await engine.load()).running
        if running is None:
            return None
        if (running > 0) is wanted:
            return waited_s * 1000
        await asyncio.sleep(POLL_S)
    return None


async def abort_in_decode_ms(engine: Engine, seed: int) -> float | None:
    """From closing a stream whose tokens flow to an engine that runs nothing. Nothing else may use the engine."""
    async with aclosing(
        engine.stream(_endless(question(f"Storyteller {seed}.", STORY, STORY_TOKENS), engine))
    ) as pieces:
        await anext(pieces)
        if await until_running(engine, True) is None:
            return None
    return await until_running(engine, False)


def _endless(request: EngineRequest, engine: Engine) -> EngineRequest:
    """A model of few words is done before it is aborted; a plain OpenAI server may refuse what it does not know."""
    return request if engine.kind == "openai" else replace(request, body={**request.body, "ignore_eos": True})


async def abort_in_prefill_ms(engine: Engine, seed: int) -> float | None:
    """From closing a stream while its long prompt is read to an engine that runs nothing.

    A fast engine may have read it by then, and is aborted in its first tokens.
    """
    long = " ".join(f"w{seed % 1000}n{number}" for number in range(LONG_WORDS))
    reading = asyncio.create_task(answer(engine, question(f"Reader {seed}.", long, 64)))
    seen = await until_running(engine, True)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    return None if seen is None else await until_running(engine, False)
