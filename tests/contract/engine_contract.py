"""What every adapter does with its engine, real or scripted. A subclass says which engine, in a fixture `subject`."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import pytest

from apps.engines.base import (
    Completion,
    Delta,
    Engine,
    EngineLoad,
    EngineRefused,
    EngineRequest,
    EngineTimeout,
    EngineUnreachable,
    Finish,
    Lane,
)
from apps.engines.factory import make_engine
from apps.engines.patience import Patience
from apps.engines.request_ids import new_request_id

MODEL = "smollm2-135m-instruct"
STORY = "Tell a long story about a lighthouse keeper and her dog."
SCHEMA = {
    "type": "object",
    "properties": {"intent": {"enum": ["find", "book"]}, "people": {"type": "integer"}},
    "required": ["intent", "people"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Subject:
    """An engine under test.

    frees_within_s  from a stream's start or end to a load that shows it, with a margin for a busy machine
    """

    kind: str
    url: str
    frees_within_s: float


@dataclass(frozen=True, slots=True)
class Told:
    text: str
    pieces: int
    end: Completion


def asked(text: str, max_tokens: int = 12, lane: Lane = Lane.CANONICAL, **more: Any) -> EngineRequest:
    messages = [{"role": "system", "content": "Answer in one sentence."}, {"role": "user", "content": text}]
    body = {"messages": messages, "max_tokens": max_tokens, "temperature": 0, **more}
    return EngineRequest(body, new_request_id(), lane)


async def whole(engine: Engine, request: EngineRequest) -> Told:
    """The complete answer; fails unless the completion comes last, and once."""
    pieces = [piece async for piece in engine.stream(request)]
    assert [type(piece) for piece in pieces[:-1]] == [Delta] * (len(pieces) - 1)
    assert isinstance(pieces[-1], Completion)
    return Told("".join(piece.text for piece in pieces[:-1]), len(pieces) - 1, pieces[-1])


async def until_running(engine: Engine, count: int, within_s: float) -> float:
    """Seconds until the engine says that so many run. Fails with what it said last.

    An engine on a starved machine may not answer while it reads a prompt; that is only a wait.
    """
    started = time.monotonic()
    load: EngineLoad | None = None
    while True:
        with contextlib.suppress(EngineTimeout):
            load = await engine.load()
            if load.running is None or load.running == count:
                return time.monotonic() - started
        assert time.monotonic() - started < within_s, f"{load} after {within_s} s, expected {count} running"
        await asyncio.sleep(0.05)


async def until_first_text(stream: AsyncIterator[Delta | Completion]) -> None:
    assert isinstance(await anext(stream), Delta)


class EngineContract:
    @pytest.fixture
    async def engine(self, subject: Subject) -> AsyncIterator[Engine]:
        adapter = make_engine(subject.kind, subject.url, MODEL)
        yield adapter
        await adapter.aclose()

    async def test_a_complete_answer_is_text_in_pieces_then_its_end_with_usage(self, engine):
        told = await whole(engine, asked("Say hello to Anna."))

        assert told.text.strip()
        assert told.pieces > 1
        assert told.end.prompt_tokens > 5
        assert 0 < told.end.completion_tokens <= 12
        assert told.end.engine_ms > 0

    async def test_an_answer_cut_by_its_limit_says_so(self, engine):
        told = await whole(engine, asked(STORY, max_tokens=4))

        assert told.end.finish is Finish.LENGTH
        assert told.end.completion_tokens == 4

    async def test_greedy_answers_are_equal_again_and_beside_each_other(self, engine):
        questions = ["Say hello to Anna.", "Where is the harbour?"]
        alone = [(await whole(engine, asked(question))).text for question in questions]

        again = [(await whole(engine, asked(question))).text for question in questions]
        together = await asyncio.gather(*(whole(engine, asked(question)) for question in questions))

        assert again == alone
        assert [told.text for told in together] == alone

    async def test_an_answer_under_a_schema_is_json_of_that_schema(self, engine):
        schema = {"type": "json_schema", "json_schema": {"name": "reading", "schema": SCHEMA, "strict": True}}

        told = await whole(engine, asked("A table for two, please.", max_tokens=40, response_format=schema))

        reading = json.loads(told.text)
        assert set(reading) == {"intent", "people"}
        assert reading["intent"] in ("find", "book")

    async def test_closing_the_stream_frees_the_slot(self, engine, subject):
        async with aclosing(engine.stream(asked(STORY, max_tokens=600))) as stream:
            await until_first_text(stream)
            await until_running(engine, 1, subject.frees_within_s)

        await until_running(engine, 0, subject.frees_within_s)

    async def test_cancelling_the_reading_task_frees_the_slot(self, engine, subject):
        task = asyncio.create_task(whole(engine, asked(STORY, max_tokens=600)))
        await until_running(engine, 1, subject.frees_within_s)

        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        await until_running(engine, 0, subject.frees_within_s)

    async def test_a_stream_closed_before_its_first_byte_frees_the_slot(self, engine, subject):
        reading = asyncio.create_task(anext(engine.stream(asked("word " * 900, max_tokens=600))))
        await asyncio.sleep(0.1)

        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

        await until_running(engine, 0, subject.frees_within_s)

    async def test_after_an_abort_the_engine_answers_as_before(self, engine):
        before = await whole(engine, asked("Say hello to Anna."))
        async with aclosing(engine.stream(asked(STORY, max_tokens=600))) as stream:
            await until_first_text(stream)

        after = await whole(engine, asked("Say hello to Anna."))

        assert after.text == before.text

    async def test_two_streams_run_at_once_and_closing_one_leaves_the_other(self, engine):
        other = asyncio.create_task(whole(engine, asked("Where is the harbour?", max_tokens=30)))
        async with aclosing(engine.stream(asked(STORY, max_tokens=600))) as stream:
            await until_first_text(stream)

        told = await other

        assert told.end.completion_tokens > 0

    async def test_no_byte_in_time_is_a_timeout_and_frees_the_slot(self, engine, subject):
        hasty = make_engine(subject.kind, subject.url, MODEL, patience=Patience(first_byte_s=0.001))
        with pytest.raises(EngineTimeout, match="first event"):
            await whole(hasty, asked(STORY, max_tokens=600))
        await hasty.aclose()

        await until_running(engine, 0, subject.frees_within_s)

    async def test_a_request_that_the_engine_refuses_says_why(self, engine):
        request = EngineRequest({"messages": "no list", "max_tokens": 4}, new_request_id(), Lane.CANONICAL)

        with pytest.raises(EngineRefused, match=r"answered 4\d\d: .*\w") as caught:
            await whole(engine, request)

        assert len(str(caught.value)) < 400

    async def test_an_engine_that_is_not_there_is_unreachable(self, subject, port):
        absent = make_engine(subject.kind, f"http://127.0.0.1:{port}", MODEL)

        with pytest.raises(EngineUnreachable):
            await whole(absent, asked("Say hello."))
        with pytest.raises(EngineUnreachable):
            await absent.abort(new_request_id()) if absent.kind == "sglang" else await absent.side("GET", "/health")
        assert not await absent.healthy()
        await absent.aclose()

    async def test_a_healthy_engine_says_so(self, engine):
        assert await engine.healthy()

    async def test_longer_text_has_more_tokens(self, engine):
        assert 0 < await engine.tokens("one") < await engine.tokens("one and two and three and four")

    async def test_the_identity_names_kind_and_model_and_does_not_change(self, engine, subject):
        identity = await engine.identity()

        assert identity["kind"] == subject.kind
        assert identity["model"] == MODEL
        assert identity["revision"]
        assert {"version", "deterministic"} <= set(identity)
        assert await engine.identity() == identity
        json.dumps(identity)

    async def test_aborting_an_unknown_id_does_nothing(self, engine):
        await engine.abort(new_request_id())

        assert (await whole(engine, asked("Say hello to Anna."))).text
