"""Things are killed while the whole product runs: real processes, a real Redis, a scripted engine, a real client."""

import asyncio
from collections.abc import Awaitable, Iterator

import pytest

from apps.engines.scripted import ScriptedEngine
from apps.evaluation.conversation import Answer
from apps.runtime.ports_free import free_port
from apps.runtime.stack import Stack
from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchState
from apps.serving.config import Mode
from tests.integration.live_product import ANSWER_S, Product, redis_of


@pytest.fixture(scope="module")
def scripted() -> Iterator[ScriptedEngine]:
    with ScriptedEngine() as engine:
        yield engine


@pytest.fixture(scope="module")
def running(scripted: ScriptedEngine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    env = {"DYNBRANCH_MODE_CHOICE": "1"}
    with Stack(tmp_path_factory.mktemp("failures"), engine=scripted.url, env=env) as stack:
        stack.wait_ready()
        yield Product(stack, scripted, redis_of(stack.home.var_dir))


@pytest.fixture
def product(running: Product) -> Iterator[Product]:
    running.scripted.reset()
    yield running
    running.scripted.reset()


async def test_a_pick_is_answered_from_its_shadow_over_real_workers(product):
    async with product.conversation() as talk:
        branch = await talk.branch()
        await talk.until(lambda: product.states(branch) == {FillState.SHADOW})
        calls = len(product.scripted.seen)

        answer = await talk.pick()

        assert {s["how"] for s in answer.turn["timing"]["stages"]} == {"promoted"}
        assert [s for s in product.scripted.seen[:calls] if s.ended_ms is None] == []


async def test_a_worker_killed_in_the_middle_of_a_fill_leaves_nothing_behind(product):
    product.scripted.behave(first_byte_s=30.0)
    async with product.conversation() as talk:
        branch = await talk.branch()
        await talk.until(lambda: FillState.RUNNING in product.states(branch))
        product.stack.kill("worker")
        product.scripted.reset()

        answer = await talk.pick()

        assert answer.state == "done"
        await talk.until(lambda: product.states(branch) & {FillState.RUNNING, FillState.RESERVED} == set())
        await talk.until(lambda: product.held() == (0, 0))
        assert (await talk.pick(3)).state == "done"
        following = await talk.branch()
        await talk.until(lambda: FillState.SHADOW in product.states(following))


async def test_every_branch_of_a_closed_page_settles_and_every_reservation_comes_back(product):
    product.scripted.behave(first_byte_s=30.0)
    async with product.conversation() as talk:
        branch = await talk.branch()
        await talk.until(lambda: FillState.RUNNING in product.states(branch))
    async with product.conversation(Mode.FLOOR) as other:
        await other.until(lambda: product.branches.branch(branch).state is not BranchState.OPEN)
        await other.until(lambda: product.states(branch) <= {FillState.SHADOW, FillState.DISCARDED})
        await other.until(lambda: product.held() == (0, 0))


async def test_after_a_redis_restart_everything_reconnects_and_workers_consume_again(product):
    async with product.conversation() as talk:
        product.stack.kill("redis")

        answer = await talk.pick()

        assert answer.state == "done"
        assert answer.turn["reply"]
    async with product.conversation() as talk:
        branch = await talk.branch()
        await talk.until(lambda: FillState.SHADOW in product.states(branch))
        answer = await talk.pick()
        assert "promoted" in {s["how"] for s in answer.turn["timing"]["stages"]}


async def test_an_answer_under_way_when_its_web_process_dies_is_completed_by_the_next(product):
    product.scripted.behave(first_byte_s=30.0)
    async with product.conversation(Mode.FLOOR) as talk:
        picking = talk.pick()
        answer = await picking_while(picking, product)

        assert answer.state == "done"
        assert answer.turn["epoch"] >= 2


async def picking_while(picking: Awaitable[Answer], product: Product) -> Answer:
    """Kill the web process once the engine works on the pick; the client resumes by itself."""
    task = asyncio.ensure_future(picking)
    while product.scripted.running == 0 and not task.done():
        await asyncio.sleep(0.05)
    product.scripted.reset()
    product.stack.kill("web")
    return await task


async def test_an_engine_that_is_down_fails_the_turn_clearly_and_a_later_pick_works(product):
    product.scripted.behave(status=503)
    async with product.conversation(Mode.FLOOR) as talk:
        failed = await talk.pick()
        product.scripted.reset()

        assert failed.state == "failed"
        assert failed.turn["error"]
        again = await talk.conversation.retry(failed.turn["id"], ANSWER_S)
        assert again.state == "done"


async def test_an_engine_that_fails_only_in_the_window_costs_nothing_but_the_shadow(product):
    product.scripted.behave(status=500)
    async with product.conversation() as talk:
        branch = await talk.branch()
        await talk.until(lambda: FillState.FAILED in product.states(branch))
        product.scripted.reset()

        answer = await talk.pick()

        assert answer.state == "done"
        assert "executed" in {s["how"] for s in answer.turn["timing"]["stages"]}


async def test_the_product_starts_without_an_engine_and_answers_once_there_is_one(tmp_path):
    port = free_port()
    env = {"DYNBRANCH_MODE_CHOICE": "1"}
    with Stack(tmp_path / "var", engine=f"http://127.0.0.1:{port}", env=env) as stack:
        stack.wait_ready()
        product = Product(stack, None, redis_of(stack.home.var_dir))
        async with product.conversation() as talk:
            failed = await talk.pick()
            assert failed.state == "failed"
            engine = ScriptedEngine().start(port)
            try:
                again = await talk.conversation.retry(failed.turn["id"], ANSWER_S)
                assert again.state == "done"
                assert engine.seen
            finally:
                engine.stop()
