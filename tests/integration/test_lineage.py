"""Provenance from stage to store, and what a write ends by it: confirmed, prepared, or still running."""

import asyncio

from apps.engines.scripted.behaviour import Outcome
from apps.runtime.clock import now_ms
from apps.runtime.driver import How
from apps.serving.branch.fill import FillState
from apps.serving.config import Mode
from apps.serving.names import Json, ReuseName
from apps.serving.outcomes import Hit, Miss, MissReason, Result
from tests.integration.driver_bench import Bench, probe_of


def kept(bench: Bench) -> dict:
    """Facts of every entry, by stage."""
    found = (bench.stores.library.facts(name) for name in bench.stores.library.page(None, 100))
    return {facts.stage: facts for facts in found}


def counts(event: dict[str, Json]) -> dict[str, Json]:
    return {kind: event[kind] for kind in ("records", "entries", "shadows", "running")}


def begin_and_leave(bench: Bench, version: int) -> None:
    """A writer that died right after its first step."""
    bench.program.versions["place:a"] = version
    bench.stores.records.begin_write(["place:a"], "dead", now_ms() + 5_000)
    assert bench.stores.records.commit_write({"place:a": version}, "dead", now_ms()).open


async def test_a_canonical_result_is_kept_with_the_name_that_it_was_made_from(bench):
    await bench.turn("0", Mode.FULL)

    facts = kept(bench)
    look, say = facts["toy/1/look"], facts["toy/1/say"]
    assert (look.provenances, look.whole, dict(look.result.reads)) == (((),), True, {"place:a": 1})
    assert (say.provenances, say.whole, dict(say.result.reads)) == (((look.name,),), True, {})
    assert bench.stores.library.readers("place:a") == (look.name,)


async def test_a_promoted_chain_is_kept_with_the_names_that_it_was_made_from(bench):
    branch = await bench.offer("0", mode=Mode.FULL)
    await bench.fill_all()
    await bench.driver.resolve(branch, "0")
    await bench.turn("0", Mode.FULL)

    facts = kept(bench)
    assert facts["toy/1/say"].provenances == ((facts["toy/1/look"].name,),)
    assert facts["toy/1/say"].whole


async def test_what_is_made_from_a_result_that_was_not_kept_is_reached_directly(bench):
    bench.scripted.behave(text="word")
    scope, outputs = bench.scope("t1", Mode.FULL), {}
    look = bench.program.next_call({"pick": "0"}, outputs)
    outputs["look"] = (await bench.driver.serve(look, scope, bench._emit)).result.output
    bench.stores.library.delete(bench.stores.library.page(None, 10))
    await bench.driver.serve(bench.program.next_call({"pick": "0"}, outputs), scope, bench._emit)

    (say,) = kept(bench).values()
    assert (say.provenances, say.whole) == (((),), False)
    assert bench.stores.library.readers("place:a") == (say.name,)


async def test_a_write_ends_what_was_made_from_a_reader_and_says_how_much(bench):
    await bench.turn("0", Mode.FULL)
    branch = await bench.offer("1", mode=Mode.FULL)
    await bench.fill_all()

    await bench.write("place:a", 2)

    assert bench.stores.library.totals().entries == 0
    assert {fill.state for fill in bench.fills(branch, "1")} == {FillState.STALE}
    (event,) = bench.told("write.committed")
    assert counts(event) == {"records": ["place:a"], "entries": 2, "shadows": 2, "running": 0}
    stale = [data["fill"] for data in bench.told("fill.moved") if data["state"] == "stale"]
    assert sorted(stale) == sorted(fill.fill_id for fill in bench.fills(branch, "1"))
    assert {one.how for one in await bench.turn("0", Mode.FULL, "t2")} == {How.EXECUTED}


async def test_a_write_leaves_what_does_not_rest_on_it(bench):
    bench.stores.records.publish({"place:b": 1}, now_ms())
    await bench.turn("0", Mode.FULL)

    await bench.write("place:b", 2)

    assert {one.how for one in await bench.turn("0", Mode.FULL, "t2")} == {How.HIT}


async def test_a_write_aborts_a_running_fill_that_rests_on_it_in_the_engine(bench):
    bench.scripted.behave(token_s=0.05, text="word " * 200)
    branch = await bench.offer("0")
    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: bench.scripted.running == 1)

    await bench.write("place:a", 2)
    await filling

    await bench.until(lambda: bench.scripted.running == 0)
    assert [seen.outcome for seen in bench.scripted.seen] == [Outcome.DISCONNECTED]
    assert {fill.state for fill in bench.fills(branch, "0")} == {FillState.STALE}
    assert counts(bench.told("write.committed")[0])["running"] == 1
    assert tuple(bench.stores.reservations.held(now_ms())) == (0, 0)


async def test_a_chain_whose_record_is_written_between_two_stages_does_not_go_on(bench):
    bench.runner.engine_fills = 1
    bench.scripted.behave(token_s=0.05, text="word " * 200)
    branch = await bench.offer("0", "1")
    filling = asyncio.create_task(bench.fill_all())
    looks = [bench.fills(branch, choice)[0].fill_id for choice in "01"]
    await bench.until(
        lambda: (
            bench.scripted.running == 1
            and all(bench.stores.shadows.fill(look).state is FillState.SHADOW for look in looks)
        )
    )

    await bench.write("place:a", 2)
    await filling

    assert len(bench.scripted.seen) == 1
    assert {bench.fills(branch, choice)[0].state for choice in "01"} == {FillState.STALE}


async def test_the_probe_goes_on_with_the_cascade_of_a_writer_that_died(redis_client, scripted):
    bench = Bench(redis_client, scripted, cascade_step=1)
    await bench.turn("0", Mode.FULL)
    await bench.turn("1", Mode.FULL, "t2")
    begin_and_leave(bench, 2)

    await probe_of(bench).reconcile()
    await bench.driver.aclose()

    assert not bench.stores.records.cascade(now_ms()).open
    assert bench.stores.library.totals().entries == 0
    assert bench.told("write.committed")[0]["entries"] == 3  # the first went with the writer


async def test_the_probe_aborts_what_a_dead_writers_cascade_had_not_reached(redis_client, scripted):
    bench = Bench(redis_client, scripted, cascade_step=1)
    scripted.behave(token_s=0.05, text="word " * 200)
    branch = await bench.offer("0")
    filling = asyncio.create_task(bench.fill_all())
    await bench.until(lambda: scripted.running == 1)
    begin_and_leave(bench, 2)
    assert bench.fills(branch, "0")[1].state is FillState.RUNNING

    await probe_of(bench).reconcile()
    await filling

    assert bench.fills(branch, "0")[1].state is FillState.STALE
    await bench.until(lambda: scripted.running == 0)
    await bench.driver.aclose()


async def test_while_a_cascade_is_open_only_what_has_no_producers_is_served(redis_client, scripted):
    bench = Bench(redis_client, scripted, cascade_step=1)
    library = bench.stores.library
    bench.stores.records.publish({"place:b": 1}, now_ms())
    root, child = ReuseName("t", "f", "root", 1), ReuseName("t", "f", "child", 1)
    assert library.record(root, Result("", {"place:b": 1}, 1.0, {}), "p", "s", now_ms()) is None
    assert library.record(child, Result("", {}, 1.0, {}, (root,), {"place:b": 1}), "p", "s", now_ms()) is None
    await bench.turn("0", Mode.FULL)
    begin_and_leave(bench, 2)

    assert isinstance(library.probe(root, now_ms()), Hit)
    assert library.probe(child, now_ms()) == Miss(MissReason.UNCERTAIN)
    assert {one.how for one in await bench.turn("0", Mode.FULL, "t3")} == {How.EXECUTED}
    await probe_of(bench).reconcile()
    assert isinstance(library.probe(child, now_ms()), Hit)
    await bench.driver.aclose()
