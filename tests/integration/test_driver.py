"""The driver and the runner on a real Redis and a scripted engine: what is executed, served, aborted, released."""

import asyncio

import pytest
import redis

from apps.engines.base import EngineError
from apps.engines.scripted.behaviour import Outcome
from apps.runtime.clock import now_ms
from apps.runtime.driver import How
from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchState
from apps.serving.config import Mode
from tests.integration.driver_bench import Bench, probe_of


async def test_a_pick_is_served_from_its_shadow_and_starts_no_engine_call(bench):
    branch = await bench.offer("0", "1")
    await bench.fill_all()
    calls = len(bench.scripted.seen)

    await bench.driver.resolve(branch, "1")
    served = await bench.turn("1")

    assert [s.how for s in served] == [How.PROMOTED, How.PROMOTED]
    assert len(bench.scripted.seen) == calls == 2
    assert bench.shown == [served[1].result.output["text"]]


async def test_the_promoted_words_equal_those_of_the_floor(bench):
    branch = await bench.offer("0")
    await bench.fill_all()
    await bench.driver.resolve(branch, "0")

    promoted = await bench.turn("0")
    floor = await bench.turn("0", Mode.FLOOR, turn="t2")

    assert floor[1].how is How.EXECUTED
    assert promoted[1].result.output == floor[1].result.output


async def test_the_floor_opens_no_branch_and_uses_no_shadow(bench):
    assert await bench.driver.open_branch("say", {"offers": ["0"]}, {}, bench.scope("t0", Mode.FLOOR)) == ""
    assert bench.queue == []


async def test_switching_speculation_off_overrides_what_a_conversation_asks_for(bench):
    bench.driver.speculation = False

    assert await bench.offer("0") == ""


async def test_a_demand_waits_for_its_own_running_fill_and_is_promoted(bench):
    bench.scripted.behave(token_s=0.02)
    branch = await bench.offer("0")
    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: bench.scripted.running == 1)

    await bench.driver.resolve(branch, "0")
    served = await bench.turn("0")
    await filling

    assert [s.how for s in served] == [How.PROMOTED, How.WAITED]
    assert len(bench.scripted.seen) == 1


async def test_a_demand_that_has_waited_long_enough_runs_itself_and_ends_its_fill(redis_client, redis_url, scripted):
    bench = Bench(redis_client, scripted, bounded_wait_ms=100)
    scripted.behave(hang_after=1)
    branch = await bench.offer("0")
    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: scripted.running == 1)
    scripted.reset()
    await bench.driver.resolve(branch, "0")

    served = await bench.turn("0")
    await filling

    assert served[1].how is How.EXECUTED
    assert served[1].reason == "unconfirmed"
    assert bench.fills(branch, "0")[1].state is FillState.FAILED
    await bench.driver.aclose()


async def test_losers_are_aborted_in_the_engine_and_their_reservations_come_back(bench):
    bench.scripted.behave(token_s=0.05, text="word " * 200)
    branch = await bench.offer("0", "1")
    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: bench.scripted.running == 2)

    await bench.driver.resolve(branch, None)
    await filling

    await bench.until(lambda: bench.scripted.running == 0)
    assert {seen.outcome for seen in bench.scripted.seen} == {Outcome.DISCONNECTED}
    assert tuple(bench.stores.reservations.held(now_ms())) == (0, 0)
    assert {f.state for c in "01" for f in bench.fills(branch, c) if f.stage == "say"} == {FillState.DISCARDED}


async def test_a_chain_delivered_twice_runs_once(bench):
    await bench.offer("0")
    chain_id = bench.queue[0]

    await asyncio.gather(bench.runner.run_chain(chain_id), bench.runner.run_chain(chain_id))
    await bench.runner.run_chain(chain_id)

    assert len(bench.scripted.seen) == 1


@pytest.mark.parametrize("fault", [{"cut_after": 1}, {"status": 500}, {"error_after": 1}, {"omit_finish": True}])
async def test_an_incomplete_answer_is_never_a_shadow_and_the_demand_runs_itself(bench, fault):
    bench.scripted.behave(**fault)
    branch = await bench.offer("0")
    await bench.fill_all()
    assert bench.fills(branch, "0")[1].state is FillState.FAILED
    assert tuple(bench.stores.reservations.held(now_ms())) == (0, 0)
    bench.scripted.reset()

    await bench.driver.resolve(branch, "0")
    served = await bench.turn("0")

    assert [s.how for s in served] == [How.PROMOTED, How.EXECUTED]


async def test_an_engine_that_fails_a_demand_is_an_error_to_its_caller(bench):
    bench.scripted.behave(status=503)

    with pytest.raises(EngineError):
        await bench.turn("0")


async def test_a_record_written_during_a_fill_keeps_its_result_from_being_kept(bench):
    bench.scripted.behave(token_s=0.02)
    branch = await bench.offer("0")
    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: bench.scripted.running == 1)

    bench.stores.records.begin_write(["place:a"], "w", now_ms() + 5_000)
    bench.stores.records.commit_write({"place:a": 2}, "w", now_ms())
    bench.program.versions["place:a"] = 2
    await filling
    await bench.driver.resolve(branch, "0")
    served = await bench.turn("0")

    assert {f.state for f in bench.fills(branch, "0")} == {FillState.STALE}
    assert [s.how for s in served] == [How.EXECUTED, How.EXECUTED]


async def test_an_equal_demand_later_is_a_hit_only_with_c1_on(bench):
    first = await bench.turn("0", Mode.FULL)
    again = await bench.turn("0", Mode.FULL, turn="t2")
    alone = await bench.turn("0", Mode.C2, turn="t3")

    assert [s.how for s in first] == [How.EXECUTED] * 2
    assert [s.how for s in again] == [How.HIT] * 2
    assert [s.how for s in alone] == [How.EXECUTED] * 2


async def test_a_fill_does_not_run_again_what_the_library_already_holds(bench):
    await bench.turn("0", Mode.FULL)
    await bench.offer("0", mode=Mode.FULL)

    await bench.fill_all()

    assert len(bench.scripted.seen) == 1


async def test_an_exclusive_decision_keeps_the_winner_and_aborts_the_losers(bench):
    bench.scripted.behave(contains="route", text="b", first_byte_s=0.3)
    bench.scripted.behave(contains="say", token_s=0.05, text="word " * 100)
    scope, turn = bench.scope("t1"), {"pick": "x", "routed": True, "offers": ["a", "b"]}
    call = bench.program.next_call(turn, {})
    bench.driver.dispatch = lambda chain_id, at: bench.queue.append(chain_id)

    deciding = asyncio.create_task(bench.driver.serve_decision(call, turn, {}, scope, bench._emit))
    await bench.until(lambda: len(bench.queue) == 2)
    filling = asyncio.create_task(bench.fill_all())
    served = await deciding

    assert served.result.output == {"text": "b"}
    branch = bench.events.read("conversation:conv", 0, 1)[0].data["branch"]
    assert {f.state for f in bench.fills(branch, "a")} == {FillState.DISCARDED}
    assert bench.fills(branch, "b")[1].state is FillState.RUNNING
    filling.cancel()
    await asyncio.gather(filling, return_exceptions=True)


async def test_shared_state_that_is_away_costs_reuse_and_nothing_else(bench, monkeypatch):
    monkeypatch.setattr(bench.driver.layer.stores.library, "probe", _away)
    monkeypatch.setattr(bench.driver.layer.stores.library, "record", _away)

    served = await bench.turn("0", Mode.FULL)

    assert [s.reason for s in served] == ["unavailable"] * 2
    assert served[1].result.output["text"]


def _away(*args: object) -> None:
    raise redis.ConnectionError("away")


async def test_the_reaper_ends_the_fills_of_a_dead_worker_and_the_branch_settles(bench):
    bench.scripted.behave(hang_after=1)
    branch = await bench.offer("0")
    dead = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: bench.scripted.running == 1)
    await bench.driver.resolve(branch, "0")
    bench.stores.shadows.beat("worker:test", now_ms() - 1)

    await probe_of(bench).tick()

    assert bench.fills(branch, "0")[1].state is FillState.FAILED
    assert tuple(bench.stores.reservations.held(now_ms())) == (0, 0)
    await dead


async def test_an_expired_window_is_resolved_with_no_choice(redis_client, scripted):
    bench = Bench(redis_client, scripted, user_window_ms=1)
    branch = await bench.offer("0")
    await asyncio.sleep(0.01)

    await probe_of(bench).tick()

    assert bench.stores.branches.branch(branch).state is BranchState.SETTLED
    assert tuple(bench.stores.reservations.held(now_ms())) == (0, 0)
    await bench.driver.aclose()


async def test_after_the_shared_state_was_lost_the_probe_publishes_every_version_again(bench):
    probe = probe_of(bench)
    await probe.tick()
    bench.client.flushall()

    await probe.tick()

    assert bench.stores.records.fresh({"place:a": 1}) is None


async def test_a_write_whose_writer_died_is_reconciled_from_the_database(bench):
    probe = probe_of(bench)
    await probe.tick()
    bench.stores.records.begin_write(["place:a"], "dead", now_ms() - 1)
    bench.program.versions["place:a"] = 2

    await probe.tick()

    assert bench.stores.records.fresh({"place:a": 2}) is None


async def test_a_worker_with_one_engine_turn_fills_one_after_another(bench):
    bench.runner.engine_fills = 1
    bench.scripted.behave(token_s=0.01)
    await bench.offer("0", "1", "2")

    await bench.fill_all()

    assert bench.scripted.most_running == 1
    assert len(bench.scripted.seen) == 3
