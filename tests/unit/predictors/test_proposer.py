"""The time box: whatever a predictor does, a proposal ends at its deadline with what was said."""

import asyncio
import logging
import threading
from collections.abc import Iterator

import pytest

from apps.predictors.interface import Box
from apps.predictors.menu import Menu
from apps.predictors.plans import Combine, Plan
from apps.predictors.proposer import Ended, Proposer
from apps.serving.branch.candidates import ProposalLimits
from tests.unit.predictors.doubles import HERE, MENU, PATIENCE_S, Deadline, Says, Stuck, until

REORDERED = Plan(("menu", "other"))


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    predictor = Stuck()
    yield predictor
    predictor.let_go.set()


@pytest.fixture
def half_way() -> Iterator[Stuck]:
    """Stuck once it has said a ranking."""
    predictor = Stuck("1")
    yield predictor
    predictor.let_go.set()


async def at_the_deadline(proposer: Proposer, deadline: Deadline, stuck: Stuck, plan: Plan):
    """What is proposed when the deadline comes while `stuck` is stuck and all others of the plan are done."""
    asked = asyncio.create_task(proposer.propose(plan, HERE, MENU))
    await until(stuck.is_stuck.is_set)
    await until(lambda: sum(proposer.running(name) for name in plan.predictors) == 1)
    assert not asked.done()
    deadline.passes()
    return await asked


async def test_a_proposal_has_the_order_and_the_time_it_took():
    seconds = iter((10.0, 10.25))
    deadline = Deadline()
    proposer = Proposer({"other": Says("2", "0")}, ProposalLimits(deadline_ms=70), lambda: next(seconds), deadline)

    proposed = await proposer.propose(Plan(("other",)), HERE, MENU)

    assert proposed.choices == ("2", "0")
    assert proposed.setup_ms == 250.0
    assert [(part.predictor, part.ended, part.dropped) for part in proposed.parts] == [("other", Ended.DONE, 0)]
    assert (deadline.delays_s, deadline.cancelled) == ([0.07], 1)


async def test_a_predictor_that_hangs_yields_nothing_and_spoils_no_other(stuck):
    deadline = Deadline()
    proposer = Proposer({"menu": Menu(), "other": stuck}, call_later=deadline)

    proposed = await at_the_deadline(proposer, deadline, stuck, REORDERED)

    assert proposed.choices == ("0", "1", "2")
    assert [part.ended for part in proposed.parts] == [Ended.DONE, Ended.CUT]


async def test_what_was_said_before_the_deadline_counts_and_what_comes_after_is_not_heard(half_way):
    deadline = Deadline()
    proposer = Proposer({"menu": Menu(), "other": half_way}, call_later=deadline)

    proposed = await at_the_deadline(proposer, deadline, half_way, REORDERED)
    half_way.let_go.set()
    await until(half_way.back.is_set)

    assert proposed.choices == ("1", "0", "2")
    assert half_way.was_heard is False


async def test_the_deadline_comes_by_the_clock_of_the_loop(stuck):
    proposed = await Proposer({"other": stuck}, ProposalLimits(deadline_ms=1)).propose(Plan(("other",)), HERE, MENU)

    assert proposed.choices == ()
    assert [part.ended for part in proposed.parts] == [Ended.CUT]


@pytest.mark.parametrize("failure", [ValueError, MemoryError, SystemExit, KeyboardInterrupt, asyncio.CancelledError])
async def test_a_predictor_that_raises_keeps_what_it_had_said_and_is_logged(failure, caplog):
    class Raises(Says):
        def predict(self, coordinate, context, box):
            super().predict(coordinate, context, box)
            raise failure("broken")

    proposer = Proposer({"menu": Menu(), "other": Raises("2")}, call_later=Deadline())
    with caplog.at_level(logging.WARNING):
        proposed = await proposer.propose(REORDERED, HERE, MENU)

    assert proposed.choices == ("2", "0", "1")
    assert [part.ended for part in proposed.parts] == [Ended.DONE, Ended.FAILED]
    assert "predictor other failed at concierge/1/offer" in caplog.text


async def test_one_that_never_comes_back_is_asked_no_more_until_it_does(stuck):
    deadline, plan = Deadline(), Plan(("other",))
    proposer = Proposer({"other": stuck}, ProposalLimits(running=2), call_later=deadline)
    for asked in (1, 2):
        task = asyncio.create_task(proposer.propose(plan, HERE, MENU))
        await until(lambda asked=asked: stuck.calls == asked)
        deadline.passes()
        assert (await task).parts[0].ended is Ended.CUT

    proposed = await proposer.propose(plan, HERE, MENU)  # without a deadline: it is not waited for

    assert proposed.parts[0].ended is Ended.BUSY
    assert (stuck.calls, proposer.running("other")) == (2, 2)
    stuck.let_go.set()
    await until(lambda: proposer.running("other") == 0)
    assert (await proposer.propose(plan, HERE, MENU)).parts[0].ended is Ended.DONE


async def test_the_first_that_answers_is_not_kept_waiting_by_those_behind_it(stuck):
    proposer = Proposer({"menu": Menu(), "other": stuck}, call_later=Deadline())

    proposed = await proposer.propose(Plan(("menu", "other"), Combine.FIRST), HERE, MENU)

    assert proposed.choices == ("0", "1", "2")
    assert proposed.parts[1].ended is Ended.CUT


async def test_a_proposal_that_is_no_longer_wanted_stops_listening(stuck):
    deadline = Deadline()
    proposer = Proposer({"other": stuck}, call_later=deadline)
    asked = asyncio.create_task(proposer.propose(Plan(("other",)), HERE, MENU))
    await until(stuck.is_stuck.is_set)

    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    stuck.let_go.set()
    await until(stuck.back.is_set)

    assert stuck.was_heard is False
    assert deadline.cancelled == 1


def test_a_predictor_may_come_back_after_the_end_of_its_callers_loop(stuck):
    proposer = Proposer({"other": stuck}, ProposalLimits(deadline_ms=1))
    asyncio.run(proposer.propose(Plan(("other",)), HERE, MENU))
    left_behind = [thread for thread in threading.enumerate() if thread.name == "predictor other"]

    stuck.let_go.set()
    for thread in left_behind:
        thread.join(PATIENCE_S)

    assert not any(thread.is_alive() for thread in left_behind)
    assert proposer.running("other") == 0


async def test_a_process_that_has_no_thread_left_proposes_what_it_can(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    proposer = Proposer({"menu": Menu()}, call_later=Deadline())
    monkeypatch.setattr(threading.Thread, "start", refuse)
    proposed = await proposer.propose(Plan(("menu",)), HERE, MENU)
    monkeypatch.undo()

    assert proposed.parts[0].ended is Ended.BUSY
    assert proposer.running("menu") == 0


async def test_a_plan_that_names_nobody_known_is_a_broken_contract():
    with pytest.raises(KeyError, match="nobody"):
        await Proposer({}, call_later=Deadline()).propose(Plan(("nobody",)), HERE, MENU)


async def test_work_that_was_to_end_with_a_box_ends_at_once_when_it_is_closed_already():
    box, called = Box(MENU, ProposalLimits()), asyncio.Event()
    box.close()

    box.at_close(asyncio.get_running_loop(), called.set)

    async with asyncio.timeout(PATIENCE_S):
        await called.wait()


async def test_one_that_is_awaited_in_a_loop_that_is_over_has_nothing_left_to_cancel():
    over = asyncio.new_event_loop()
    over.close()
    box = Box(MENU, ProposalLimits())
    box.at_close(over, lambda: None)

    assert box.close().choices == ()
