"""Lookup modes on a real Redis and a scripted engine: what runs, what is served, what is kept, and what is said."""

from dataclasses import replace

import pytest

from apps.runtime import driver as driver_module
from apps.runtime.clock import now_ms
from apps.runtime.driver import How, NotCached
from apps.runtime.served import Answered
from apps.serving.branch.fill import FillState
from apps.serving.config import Mode
from apps.serving.outcomes import MissReason
from apps.serving.workflow import Lookup, LookupMode, StageCall
from tests.integration.toy_program import ToyProgram

REFRESH, BYPASS = Lookup(LookupMode.REFRESH), Lookup(LookupMode.BYPASS)
NO_STORE, ONLY_IF_CACHED = Lookup(LookupMode.NO_STORE), Lookup(LookupMode.ONLY_IF_CACHED)


class Picky(ToyProgram):
    """Its stages say by themselves how they are looked up."""

    lookup = REFRESH

    def next_call(self, turn, outputs) -> StageCall | None:
        call = super().next_call(turn, outputs)
        return call and replace(call, stage=replace(call.stage, lookup=self.lookup))


def hows(served) -> list[How]:
    return [one.how for one in served]


async def test_a_refresh_runs_and_its_result_is_what_is_served_from_then_on(bench):
    bench.scripted.behave(text="old")
    await bench.turn("0", Mode.FULL)
    bench.scripted.reset()
    bench.scripted.behave(text="new")

    refreshed = await bench.turn("0", Mode.FULL, "t2", lookup=REFRESH)
    again = await bench.turn("0", Mode.FULL, "t3")

    assert hows(refreshed) == [How.EXECUTED] * 2
    assert {one.reason for one in refreshed} == {"bypass"}
    assert hows(again) == [How.HIT] * 2
    assert again[1].result.output == {"text": "new"}
    assert len(bench.scripted.seen) == 1


async def test_a_refresh_leaves_a_shadow_to_the_next_demand(bench):
    branch = await bench.offer("0")
    await bench.fill_all()
    await bench.driver.resolve(branch, "0")

    refreshed = await bench.turn("0", lookup=REFRESH)

    assert hows(refreshed) == [How.EXECUTED] * 2
    assert {fill.state for fill in bench.fills(branch, "0")} == {FillState.SHADOW}
    assert hows(await bench.turn("0")) == [How.PROMOTED] * 2


@pytest.mark.parametrize("lookup", [NO_STORE, BYPASS])
async def test_what_ran_without_leave_to_store_it_is_not_kept(bench, lookup):
    await bench.turn("0", Mode.FULL, lookup=lookup)

    assert bench.stores.library.totals().entries == 0
    assert hows(await bench.turn("0", Mode.FULL, "t2")) == [How.EXECUTED] * 2


async def test_only_if_cached_refuses_what_is_not_kept_and_starts_no_engine_call(bench):
    with pytest.raises(NotCached) as refused:
        await bench.turn("0", Mode.FULL, lookup=ONLY_IF_CACHED)

    assert (refused.value.stage, refused.value.reason) == ("look", MissReason.ABSENT)
    assert bench.program.looked == 0
    assert not bench.scripted.seen


async def test_only_if_cached_is_served_from_entries_and_from_shadows(bench):
    await bench.turn("0", Mode.FULL)
    branch = await bench.offer("1", mode=Mode.FULL)
    await bench.fill_all()
    await bench.driver.resolve(branch, "1")
    calls = len(bench.scripted.seen)

    kept = await bench.turn("0", Mode.FULL, "t2", lookup=ONLY_IF_CACHED)
    prepared = await bench.turn("1", Mode.FULL, "t3", lookup=ONLY_IF_CACHED)

    assert hows(kept) == [How.HIT] * 2
    assert hows(prepared) == [How.PROMOTED] * 2
    assert len(bench.scripted.seen) == calls


async def test_with_everything_off_only_if_cached_is_refused_rather_than_run(bench):
    with pytest.raises(NotCached, match=r"look: .*\(bypass\)"):
        await bench.turn("0", Mode.FLOOR, lookup=ONLY_IF_CACHED)

    assert not bench.scripted.seen


async def test_a_decision_that_is_only_to_be_served_prepares_nothing_either(bench):
    turn = {"pick": "x", "routed": True, "offers": ["a", "b"]}
    call = bench.program.next_call(turn, {})

    with pytest.raises(NotCached):
        await bench.driver.serve_decision(call, turn, {}, bench.scope("t1"), bench._emit, ONLY_IF_CACHED)

    assert bench.queue == []
    assert not bench.scripted.seen


async def test_an_entry_older_than_the_caller_allows_is_run_anew_and_young_again(bench, monkeypatch):
    await bench.turn("0", Mode.FULL)
    monkeypatch.setattr(driver_module, "now_ms", lambda: now_ms() + 600_000)
    young = Lookup(max_age_ms=300_000)

    old = await bench.turn("0", Mode.FULL, "t2", lookup=young)
    again = await bench.turn("0", Mode.FULL, "t3", lookup=young)

    assert [(one.how, one.reason) for one in old] == [(How.EXECUTED, "too old")] * 2
    assert hows(again) == [How.HIT] * 2


async def test_a_stage_says_how_it_is_looked_up_unless_its_caller_does(bench):
    bench.driver.programs = {"toy": Picky()}
    bench.program = bench.driver.programs["toy"]
    await bench.turn("0", Mode.FULL)

    by_stage = await bench.turn("0", Mode.FULL, "t2")
    by_caller = await bench.turn("0", Mode.FULL, "t3", lookup=Lookup())

    assert hows(by_stage) == [How.EXECUTED] * 2
    assert hows(by_caller) == [How.HIT] * 2


async def test_nothing_is_prepared_for_a_stage_that_always_runs_anew(bench):
    bench.program = bench.driver.programs["toy"] = Picky()
    branch = await bench.offer("0")

    await bench.fill_all()

    assert bench.program.looked == 0
    assert not bench.scripted.seen
    assert FillState.SHADOW not in {fill.state for fill in bench.fills(branch, "0")}


async def test_every_answer_says_what_it_was_and_why(bench):
    branch = await bench.offer("0", mode=Mode.FULL)
    await bench.fill_all()
    await bench.driver.resolve(branch, "0")
    promoted = await bench.turn("0", Mode.FULL)
    hit = await bench.turn("0", Mode.FULL, "t2")
    missed = await bench.turn("1", Mode.FULL, "t3")
    bypassed = await bench.turn("0", Mode.FULL, "t4", lookup=REFRESH)
    floor = await bench.turn("0", Mode.FLOOR, "t5")
    await bench.driver.publisher.aclose()

    said = [{one.answered for one in turn} for turn in (promoted, hit, missed, bypassed, floor)]
    assert said == [
        {Answered.PROMOTED}, {Answered.HIT}, {Answered.MISS}, {Answered.BYPASS}, {Answered.BYPASS},
    ]  # fmt: skip
    events = {data["turn"]: (data["answered"], data["reason"]) for data in bench.told("stage.served")}
    assert events == {
        "t1": ("promoted", "prepared, exact and fresh"),
        "t2": ("hit", "kept, exact and fresh"),
        "t3": ("miss", "absent"),
        "t4": ("bypass", "bypass"),
        "t5": ("bypass", "bypass"),
    }
