"""The driver, the runner and the probe when something is away, died half-way, or stops in the middle."""

import asyncio
import contextlib
import threading

import pytest
import redis
from kombu.exceptions import OperationalError

from apps.runtime import fill_runner, tasks, wiring
from apps.runtime.clock import now_ms
from apps.runtime.driver import How
from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchState
from apps.serving.config import Mode
from apps.serving.names import ReuseName, reuse_name
from tests.integration.driver_bench import Bench, probe_of


def away(*args: object) -> None:
    raise redis.ConnectionError("away")


def held(bench: Bench) -> tuple[int, int]:
    return tuple(bench.stores.reservations.held(now_ms()))


async def test_a_chain_whose_end_could_not_be_told_at_first_is_not_left_running(bench, monkeypatch):
    shadows, really_leave, tries = bench.stores.shadows, bench.stores.shadows.leave, []

    def away_twice(*args):
        tries.append(args)
        return away() if len(tries) <= 2 else really_leave(*args)

    monkeypatch.setattr(fill_runner, "RETRY_S", 0.01)
    monkeypatch.setattr(shadows, "complete", away)
    monkeypatch.setattr(shadows, "leave", away_twice)
    branch = await bench.offer("0")

    await bench.fill_all()

    assert {f.state for f in bench.fills(branch, "0")} == {FillState.FAILED}
    assert held(bench) == (0, 0)


async def test_a_chain_that_waited_past_its_reservation_takes_it_anew(bench):
    bench.scripted.behave(token_s=0.05)
    await bench.offer("0")
    bench.stores.reservations.release(bench.stores.shadows.chain(bench.queue[0]).reservation_id)

    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: bench.scripted.running == 1)

    assert held(bench) == (1, 100)
    await filling
    assert held(bench) == (0, 0)


async def test_a_chain_that_waited_past_its_reservation_does_not_run_in_a_full_pool(redis_client, scripted):
    bench = Bench(redis_client, scripted, fill_slots=1)
    branch = await bench.offer("0")
    bench.stores.reservations.release(bench.stores.shadows.chain(bench.queue[0]).reservation_id)
    assert bench.stores.reservations.reserve("other", 1, 50, 1, 8192, now_ms() + 60_000, now_ms())

    await bench.fill_all()

    assert bench.program.looked == 0
    assert not scripted.seen
    assert {f.state for f in bench.fills(branch, "0")} == {FillState.EXPIRED}
    assert held(bench) == (1, 50)
    await bench.driver.aclose()


async def test_a_demand_that_stops_waiting_leaves_another_conversations_fill_alone(redis_client, scripted):
    bench = Bench(redis_client, scripted, bounded_wait_ms=100)
    scripted.behave(hang_after=1)
    branch = await bench.offer("0", mode=Mode.FULL)
    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: scripted.running == 1)
    scripted.reset()

    served = await bench.turn("0", Mode.FULL, conversation="another")

    assert served[1].how is How.EXECUTED
    assert bench.fills(branch, "0")[1].state is FillState.RUNNING
    filling.cancel()
    await asyncio.gather(filling, return_exceptions=True)
    await bench.driver.aclose()


async def test_stopping_a_demand_that_waits_ends_its_fill_in_the_engine(bench, monkeypatch):
    monkeypatch.setattr(fill_runner, "WATCH_S", 60.0)
    bench.scripted.behave(token_s=0.05, text="word " * 200)
    branch = await bench.offer("0")
    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: bench.scripted.running == 1)
    said, looks, really_look = bench.fills(branch, "0")[1].fill_id, [], bench.stores.shadows.fill
    monkeypatch.setattr(bench.stores.shadows, "fill", lambda fill_id: looks.append(fill_id) or really_look(fill_id))
    await bench.driver.resolve(branch, "0")
    waiting = asyncio.create_task(bench.turn("0"))
    await bench.until(lambda: said in looks)

    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await filling

    assert bench.fills(branch, "0")[1].state is FillState.FAILED
    await bench.until(lambda: bench.scripted.running == 0)
    assert held(bench) == (0, 0)


async def test_a_queue_that_is_away_costs_the_fills_and_nothing_else(bench):
    def no_queue(chain_id: str, expires_at_ms: int) -> None:
        raise ConnectionError("the broker is away")

    bench.driver.dispatch = no_queue

    branch = await bench.offer("0")
    await bench.driver.resolve(branch, "0")
    served = await bench.turn("0")

    assert {f.state for f in bench.fills(branch, "0")} == {FillState.FAILED}
    assert [s.how for s in served] == [How.EXECUTED, How.EXECUTED]
    assert held(bench) == (0, 0)


async def test_a_decision_does_not_wait_for_its_branch_to_open(bench):
    bench.scripted.behave(contains="route", text="b")
    may_queue = threading.Event()
    bench.driver.dispatch = lambda chain_id, expires_at_ms: may_queue.wait(10)
    turn = {"pick": "x", "routed": True, "offers": ["a", "b"]}
    call = bench.program.next_call(turn, {})

    deciding = asyncio.create_task(bench.driver.serve_decision(call, turn, {}, bench.scope("t1"), bench._emit))
    await bench.until(lambda: len(bench.scripted.seen) == 1)
    assert not may_queue.is_set()
    may_queue.set()

    assert (await deciding).result.output == {"text": "b"}
    (opened,) = [e for e in bench.events.read("conversation:conv", 0, 9) if e.kind == "branch.opened"]
    assert bench.stores.branches.branch(opened.data["branch"]).choice == "b"


def test_celerys_own_error_for_a_broker_that_is_away_becomes_the_one_that_the_driver_expects(monkeypatch):
    def apply_async(*args: object, **options: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.run_chain, "apply_async", apply_async)

    with pytest.raises(ConnectionError, match="chain c1 could not be queued"):
        wiring.dispatch("c1", now_ms() + 1000)


async def test_a_selection_that_died_half_way_is_carried_through_by_the_probe(bench):
    turn = {"pick": "x", "routed": True, "offers": ["a", "b"]}
    branch = await bench.driver.open_branch("route", turn, {}, bench.scope("t1"))
    await bench.fill_all()
    bench.stores.branches.move(branch, BranchState.OPEN, BranchState.RESOLVED, now_ms(), choice="a")

    await probe_of(bench).tick()

    assert {f.state for f in bench.fills(branch, "b")} == {FillState.DISCARDED}
    assert {f.state for f in bench.fills(branch, "a")} == {FillState.SHADOW}


async def test_a_database_that_is_away_does_not_keep_the_probe_from_reaping(bench):
    branch = await bench.offer("0")
    bench.stores.shadows.start(bench.fills(branch, "0")[0].fill_id, _name(), "worker:dead", now_ms() - 60_000)
    probe = probe_of(bench)
    probe.sources = [_NoDatabase()]

    watching = asyncio.create_task(probe.forever())
    await bench.until(lambda: bench.fills(branch, "0")[0].state is FillState.FAILED)

    assert held(bench) == (0, 0)
    watching.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await watching


def _name() -> ReuseName:
    return reuse_name("tenant", "f" * 64, {"pick": "0"})


class _NoDatabase:
    def all_records(self):
        raise OSError("no database")
