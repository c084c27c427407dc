"""How each adapter takes an engine that misbehaves. Only the scripted engine does all of this on demand."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from apps.engines.base import (
    Completion,
    Delta,
    Engine,
    EngineAborted,
    EngineRefused,
    EngineTimeout,
    EngineUnreachable,
    Finish,
    IncompleteAnswer,
    Lane,
)
from apps.engines.factory import KINDS, make_engine
from apps.engines.patience import Patience
from apps.engines.scripted import Outcome, ScriptedEngine
from tests.contract.engine_contract import MODEL, asked, until_first_text, whole

HASTY = Patience(first_byte_s=1, between_s=1)


@pytest.fixture
def scripted() -> Iterator[ScriptedEngine]:
    with ScriptedEngine(slots=2) as server:
        yield server


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def engine(kind: str, scripted: ScriptedEngine) -> AsyncIterator[Engine]:
    adapter = make_engine(kind, scripted.url, MODEL, "secret")
    yield adapter
    await adapter.aclose()


@pytest.fixture
async def hasty(kind: str, scripted: ScriptedEngine) -> AsyncIterator[Engine]:
    adapter = make_engine(kind, scripted.url, MODEL, patience=HASTY)
    yield adapter
    await adapter.aclose()


async def whole_rest(stream: AsyncIterator[Delta | Completion]) -> None:
    async for piece in stream:
        assert isinstance(piece, Delta)


def ended(scripted: ScriptedEngine) -> bool:
    return bool(scripted.seen) and all(seen.ended_ms is not None for seen in scripted.seen)


async def test_every_call_streams_and_asks_for_usage_with_the_key(scripted, engine):
    await whole(engine, asked("Say hello.", stream=False))

    (seen,) = scripted.seen
    assert seen.body["stream"] is True
    assert seen.body["stream_options"] == {"include_usage": True}
    assert seen.body["model"] == MODEL
    assert seen.headers["authorization"] == "Bearer secret"


async def test_a_stream_cut_in_the_middle_is_incomplete(scripted, engine):
    scripted.behave(text="one two three four", cut_after=2)

    with pytest.raises(IncompleteAnswer, match="cut the stream"):
        await whole(engine, asked("Count."))


@pytest.mark.parametrize("omitted", ["omit_finish", "omit_usage"])
async def test_a_proper_end_without_finish_reason_or_usage_is_incomplete(scripted, engine, omitted):
    scripted.behave(text="one two", **{omitted: True})

    with pytest.raises(IncompleteAnswer):
        await whole(engine, asked("Count."))


async def test_an_error_event_behind_a_good_status_is_a_refusal(scripted, engine):
    scripted.behave(text="one two three", error_after=1, message="out of memory")

    with pytest.raises(EngineRefused, match="out of memory"):
        await whole(engine, asked("Count."))


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
async def test_an_error_status_is_a_refusal_with_the_engines_words_shortened(scripted, engine, status):
    scripted.behave(status=status, message="no room " * 200)

    with pytest.raises(EngineRefused, match=f"answered {status}: no room") as caught:
        await whole(engine, asked("Count."))

    assert len(str(caught.value)) < 400


async def test_a_late_first_byte_is_a_timeout_and_the_engine_stops(scripted, hasty):
    scripted.behave(first_byte_s=30)

    with pytest.raises(EngineTimeout, match="no first event within 1 s"):
        await whole(hasty, asked("Count."))

    await asyncio.to_thread(scripted.wait_until, ended)


@pytest.mark.parametrize("pings", [False, True])
async def test_silence_inside_the_stream_is_a_timeout_and_pings_do_not_hide_it(scripted, hasty, pings):
    scripted.behave(text="one two three", hang_after=1, pings=pings)

    with pytest.raises(EngineTimeout, match="no further event within 1 s"):
        await whole(hasty, asked("Count."))

    await asyncio.to_thread(scripted.wait_until, ended)


async def test_a_slow_stream_whose_bytes_keep_coming_is_complete(scripted, hasty):
    scripted.behave(text="one two three four five six", token_s=0.25)

    assert (await whole(hasty, asked("Count."))).text == "one two three four five six"


@pytest.mark.parametrize("piece_bytes", [1, 7])
async def test_frames_split_anywhere_and_comments_between_them_change_nothing(scripted, engine, piece_bytes):
    scripted.behave(text="naïve – “café” 火", pings=True, piece_bytes=piece_bytes)

    assert (await whole(engine, asked("Say it."))).text == "naïve – “café” 火"


async def test_tool_calls_come_whole_with_the_completion(scripted, engine):
    scripted.behave(tool_calls={"find": '{"service": "hotel"}'})

    told = await whole(engine, asked("Find a hotel."))

    assert told.end.finish is Finish.TOOL_CALLS
    assert told.end.tool_calls[0]["function"] == {"name": "find", "arguments": '{"service": "hotel"}'}


async def test_a_tool_call_that_does_not_close_is_incomplete(scripted, engine):
    scripted.behave(tool_calls={"find": '{"service": "hot'})

    with pytest.raises(IncompleteAnswer, match="find"):
        await whole(engine, asked("Find a hotel."))


async def test_closing_the_stream_ends_the_request_in_the_engine(scripted, engine):
    scripted.behave(text="word " * 500, token_s=0.02)
    stream = engine.stream(asked("Tell me.", max_tokens=500))
    await until_first_text(stream)

    closed_at = time.monotonic()
    await stream.aclose()

    assert time.monotonic() - closed_at < 1
    await asyncio.to_thread(scripted.wait_until, ended, 1)
    assert scripted.seen[0].outcome in (Outcome.DISCONNECTED, Outcome.ABORTED)


async def test_an_engine_that_ignores_aborts_does_not_hold_up_the_one_who_closes(scripted, engine):
    scripted.behave(text="word " * 100, token_s=0.02, ignore_aborts=True)
    stream = engine.stream(asked("Tell me.", max_tokens=500))
    await until_first_text(stream)

    closed_at = time.monotonic()
    await stream.aclose()

    assert time.monotonic() - closed_at < 1
    assert scripted.running == 1
    await asyncio.to_thread(scripted.wait_until, ended)
    assert scripted.seen[0].outcome is Outcome.COMPLETE


async def test_a_stream_that_nobody_closes_is_ended_when_it_is_collected(scripted, engine):
    scripted.behave(text="word " * 500, token_s=0.02)
    stream = engine.stream(asked("Tell me.", max_tokens=500))
    await until_first_text(stream)

    del stream
    gc.collect()

    for _ in range(100):
        await asyncio.sleep(0.01)  # the loop closes collected generators by itself
        if ended(scripted):
            break
    assert ended(scripted)


async def test_a_third_request_waits_for_one_of_two_slots_and_then_runs(scripted, engine):
    scripted.behave(text="one two three", token_s=0.03)

    told = await asyncio.gather(*(whole(engine, asked(f"Count {number}.")) for number in range(3)))

    assert [answer.text for answer in told] == ["one two three"] * 3
    assert scripted.most_running == 2


async def test_an_engine_that_stops_in_the_middle_is_not_taken_for_an_answer(engine, scripted):
    scripted.behave(text="word " * 500, token_s=0.02)
    stream = engine.stream(asked("Tell me.", max_tokens=500))
    await until_first_text(stream)

    scripted.cut_off()

    with pytest.raises((IncompleteAnswer, EngineUnreachable)):
        await whole_rest(stream)


async def test_sglang_is_told_by_id_and_a_finished_id_is_left_alone(scripted):
    engine = make_engine("sglang", scripted.url, MODEL)
    request = asked("Say hello.")
    await whole(engine, request)
    scripted.behave(text="word " * 500, token_s=0.02)
    running = asked("Tell me.", max_tokens=500, lane=Lane.FILL)
    reading = asyncio.create_task(whole(engine, running))
    await asyncio.to_thread(scripted.wait_until, lambda server: server.running == 1)

    other_process = make_engine("sglang", scripted.url, MODEL)
    await other_process.abort(running.request_id)

    with pytest.raises(EngineAborted):
        await reading
    assert [seen.outcome for seen in scripted.seen] == [Outcome.COMPLETE, Outcome.ABORTED]
    assert [seen.body["priority"] for seen in scripted.seen] == [100, 0]
    await engine.aclose()
    await other_process.aclose()
