"""The engine contract and SGLang's own promises, on a real SGLang server.

`make contract-sglang` installs and starts one and names it in CONTRACT_SGLANG_URL. Without that these tests are
reported as skipped: the server takes 3 GB and a minute to start.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace

import pytest

from apps.engines.base import Completion, Delta, EngineAborted, Lane
from apps.engines.factory import make_engine
from tests.contract.engine_contract import (
    MODEL,
    STORY,
    EngineContract,
    Subject,
    asked,
    until_first_text,
    until_running,
    whole,
)

URL = os.environ.get("CONTRACT_SGLANG_URL", "")
pytestmark = pytest.mark.skipif(not URL, reason="needs a real SGLang server: make contract-sglang")


async def rest(stream: AsyncIterator[Delta | Completion]) -> None:
    async for _ in stream:
        pass


class TestSGLang(EngineContract):
    @pytest.fixture
    def subject(self) -> Subject:
        return Subject("sglang", URL, frees_within_s=20)

    async def test_an_abort_by_id_from_another_process_ends_the_stream_as_aborted(self, engine):
        request = asked(STORY, max_tokens=600, lane=Lane.FILL)
        other = make_engine("sglang", URL, MODEL)
        async with aclosing(engine.stream(request)) as stream:
            await until_first_text(stream)

            sent_at = time.monotonic()
            await other.abort(request.request_id)
            with pytest.raises(EngineAborted):
                await rest(stream)

            assert time.monotonic() - sent_at < 10
        await other.aclose()

    async def test_aborting_one_id_leaves_requests_with_other_ids(self, engine):
        kept = asyncio.create_task(whole(engine, asked("Where is the harbour?", max_tokens=24)))
        dropped = asked(STORY, max_tokens=600, lane=Lane.FILL)
        async with aclosing(engine.stream(dropped)) as stream:
            await until_first_text(stream)
            await engine.abort(dropped.request_id)
            with pytest.raises(EngineAborted):
                await rest(stream)

        assert (await kept).end.completion_tokens > 0

    async def test_an_abort_reaches_ids_that_begin_with_its_own_which_is_why_all_have_one_length(self, engine):
        """If this fails, the engine has changed for the better: ids may then have any length."""
        longer = asked(STORY, max_tokens=600)
        shorter = replace(asked(STORY, max_tokens=600), request_id=longer.request_id[:16])
        async with aclosing(engine.stream(longer)) as kept, aclosing(engine.stream(shorter)) as dropped:
            await until_first_text(kept)
            await until_first_text(dropped)
            await engine.abort(shorter.request_id)
            with pytest.raises(EngineAborted):
                await rest(dropped)
            with pytest.raises(EngineAborted):
                await rest(kept)

    async def test_the_load_counts_what_runs(self, engine, subject):
        await until_running(engine, 0, subject.frees_within_s)
        idle = await engine.load()
        async with AsyncExitStack() as stack:
            for _ in range(2):
                stream = await stack.enter_async_context(aclosing(engine.stream(asked(STORY, max_tokens=600))))
                await until_first_text(stream)
            await until_running(engine, 2, subject.frees_within_s)
            busy = await engine.load()

        assert (idle.waiting, idle.slots) == (0, 8)
        assert 0 <= idle.kv_frac < busy.kv_frac < 1

    async def test_a_demand_overtakes_fills_on_a_full_engine(self, engine, subject):
        fills = [asyncio.create_task(whole(engine, asked(f"{STORY} {n}", 600, Lane.FILL))) for n in range(9)]
        try:
            await until_running(engine, 8, within_s=60)

            async with asyncio.timeout(60):
                told = await whole(engine, asked("Say hello to Anna.", max_tokens=4))

            assert told.end.completion_tokens == 4
            assert not any(fill.done() for fill in fills)
        finally:
            for fill in fills:
                fill.cancel()
            await asyncio.gather(*fills, return_exceptions=True)
        await until_running(engine, 0, subject.frees_within_s)

    async def test_the_tokenizer_is_the_engines_own(self, engine):
        assert await engine.tokens("Hello there, you") == 4

    async def test_the_identity_says_whether_answers_are_repeatable_by_design(self, engine):
        identity = await engine.identity()

        assert identity["deterministic"] is False
        assert identity["options"]["attention_backend"] == "torch_native"
