"""Chains, fills and shadows, on memory and on Redis."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.serving.branch.fill import TRANSITIONS, FillEvent, FillState
from apps.serving.branch.record import BranchState
from apps.serving.config import ServingConfig
from apps.serving.outcomes import Hit, Miss, MissReason, Promoted
from apps.serving.ports import FillCounts, Invalidated
from tests.contract.stores_bench import LATER, NOW, OWNER, branch, chain, name, reserved, result, running, shadow

MISS = {reason: Miss(reason) for reason in MissReason}
STATE, ABSENT = MISS[MissReason.STATE], MISS[MissReason.ABSENT]
ENDING = [FillEvent.LOSE, FillEvent.FAIL, FillEvent.EXPIRE, FillEvent.WRITE]


def test_a_chain_and_its_fills_come_back_whole_in_order(store):
    store.branches.open(branch(), NOW)
    record, fills = chain(stages=3)
    assert store.shadows.create_chain(record, fills, NOW) is None
    assert store.shadows.chain("c") == record
    assert store.shadows.chain_fills("c") == tuple(fills)
    assert store.shadows.fill("c.1") == fills[1]
    assert store.branches.chains("b") == ("c",)


def test_unknown_ids_give_nothing(store):
    assert store.shadows.chain("x") is None
    assert store.shadows.fill("x") is None
    assert store.shadows.chain_fills("x") == ()
    assert store.branches.chains("x") == ()
    assert store.shadows.start("x", name(), OWNER, NOW) == ABSENT
    assert store.shadows.complete("x", result(), NOW, LATER) == ABSENT
    assert store.shadows.leave("x", FillEvent.FAIL, NOW) is None
    assert store.shadows.promote("x", name(), True, NOW) == ABSENT


def test_a_chain_is_refused_unless_its_branch_is_open_and_it_is_new(store):
    assert store.shadows.create_chain(*chain(), NOW) == ABSENT
    store.branches.open(branch(), NOW)
    assert store.shadows.create_chain(*chain(), NOW) is None
    assert store.shadows.create_chain(*chain(), NOW) == STATE
    store.branches.move("b", BranchState.OPEN, BranchState.RESOLVED, NOW)
    assert store.shadows.create_chain(*chain(chain_id="late"), NOW) == STATE
    assert store.shadows.chain("late") is None
    assert store.branches.chains("b") == ("c",)


def bring_to(store, state: FillState) -> str:
    if state is FillState.RESERVED:
        return reserved(store)
    if state is FillState.RUNNING:
        return running(store)
    fill_id = shadow(store)
    if state is FillState.PROMOTED:
        assert isinstance(store.shadows.promote(fill_id, name(), False, NOW), Promoted)
    elif state is FillState.FAILED:
        fill_id = running(store, "failing")
        store.shadows.leave(fill_id, FillEvent.FAIL, NOW)
    elif state is not FillState.SHADOW:
        ends = {FillState.DISCARDED: FillEvent.LOSE, FillState.EXPIRED: FillEvent.EXPIRE}
        store.shadows.leave(fill_id, ends.get(state, FillEvent.WRITE), NOW)
    assert store.shadows.fill(fill_id).state is state
    return fill_id


def apply(store, fill_id: str, event: FillEvent) -> bool:
    """Whether the event took effect."""
    if event is FillEvent.START:
        return store.shadows.start(fill_id, name(), OWNER, NOW) is None
    if event is FillEvent.COMPLETE:
        return store.shadows.complete(fill_id, result(), NOW, LATER) is None
    if event is FillEvent.AUTHORIZE:
        return isinstance(store.shadows.promote(fill_id, name(), True, NOW), Promoted)
    return store.shadows.leave(fill_id, event, NOW) is not None


@pytest.mark.parametrize("event", FillEvent)
@pytest.mark.parametrize("state", FillState)
def test_every_event_moves_a_fill_as_the_table_says_or_changes_nothing(store, state, event):
    fill_id = bring_to(store, state)
    before = store.shadows.fill(fill_id)
    enters = TRANSITIONS[state].get(event)

    assert apply(store, fill_id, event) is (enters is not None)

    after = store.shadows.fill(fill_id)
    assert after == before if enters is None else after.state is enters


@pytest.mark.parametrize("event", [FillEvent.START, FillEvent.COMPLETE, FillEvent.AUTHORIZE])
def test_leaving_by_an_event_that_does_not_end_a_fill_is_a_bug(store, event):
    with pytest.raises(ValueError, match=str(event)):
        store.shadows.leave(running(store), event, NOW)


@pytest.mark.parametrize("event", ENDING)
def test_a_fill_that_ended_is_in_no_index_and_belongs_to_no_worker(store, event):
    fill_id = running(store)
    assert store.shadows.owned(OWNER) == (fill_id,)
    assert store.shadows.leave(fill_id, event, NOW) is FillState.RUNNING
    assert store.shadows.leave(fill_id, event, NOW) is None
    assert store.shadows.find(name(), NOW) is None
    assert store.shadows.owned(OWNER) == ()
    assert store.shadows.counts() == FillCounts(0, 0, 0)


def test_counts_follow_fills_through_their_states(store):
    reserved(store, "one")
    running(store, "two")
    shadow(store, "three")
    assert store.shadows.counts() == FillCounts(reserved=1, running=1, shadows=1)


def test_a_completed_fill_keeps_name_and_result_and_is_a_shadow(store):
    fill_id = shadow(store, key="schön")
    kept = store.shadows.fill(fill_id)
    assert kept.state is FillState.SHADOW
    assert kept.name == name("schön")
    assert kept.result == result("schön")


def test_find_prefers_a_shadow_and_of_those_the_one_that_lives_longest(store):
    assert store.shadows.find(name(), NOW) is None
    running(store, "run")
    assert store.shadows.find(name(), NOW).fill_id == "run.0"
    shadow(store, "short", until_ms=NOW + 10)
    shadow(store, "long", until_ms=NOW + 20)
    assert store.shadows.find(name(), NOW) == store.shadows.fill("long.0")
    assert store.shadows.find(name("other"), NOW) is None


def test_an_expired_shadow_is_neither_found_nor_promoted_even_before_the_sweep(store):
    fill_id = shadow(store, until_ms=NOW + 10)
    assert store.shadows.find(name(), NOW + 9).fill_id == fill_id
    assert store.shadows.find(name(), NOW + 10) is None
    assert store.shadows.promote(fill_id, name(), True, NOW + 10) == STATE
    running(store, "run")
    assert store.shadows.find(name(), NOW + 10).fill_id == "run.0"


def test_the_sweep_expires_old_shadows_oldest_first_up_to_its_limit(store):
    for place in (3, 1, 2):
        shadow(store, f"c{place}", until_ms=NOW + place)
    assert store.shadows.sweep(NOW, 10) == ()
    assert store.shadows.sweep(NOW + 3, 2) == ("c1.0", "c2.0")
    assert store.shadows.fill("c1.0").state is FillState.EXPIRED
    assert store.shadows.fill("c3.0").state is FillState.SHADOW
    assert store.shadows.sweep(NOW + 3, 10) == ("c3.0",)
    assert store.shadows.find(name(), NOW) is None


def test_a_promoted_shadow_becomes_a_confirmed_entry_and_is_consumed(store):
    fill_id = shadow(store)
    assert store.library.probe(name(), NOW) == ABSENT
    assert store.shadows.promote(fill_id, name("other"), True, NOW) == MISS[MissReason.NAME]
    assert store.shadows.promote(fill_id, name(), True, NOW) == Promoted(result("q"), fill_id, "b")
    assert store.shadows.promote(fill_id, name(), True, NOW) == STATE
    assert store.shadows.find(name(), NOW) is None
    assert store.library.probe(name(), NOW) == Hit(result("q"), fill_id, NOW)


def test_with_reuse_off_a_promoted_shadow_leaves_no_entry(store):
    fill_id = shadow(store)
    assert isinstance(store.shadows.promote(fill_id, name(), False, NOW), Promoted)
    assert store.library.probe(name(), NOW) == ABSENT
    assert store.library.totals().entries == 0


def test_a_fill_that_read_an_old_version_becomes_stale_at_its_completion(store):
    store.records.publish({"place:a": 2}, NOW)
    fill_id = running(store)
    assert store.shadows.complete(fill_id, result(reads={"place:a": 1}), NOW, LATER) == MISS[MissReason.STALE]
    assert store.shadows.fill(fill_id).state is FillState.STALE
    assert store.shadows.find(name(), NOW) is None


def test_a_fill_that_read_a_record_being_written_becomes_stale_at_its_completion(store):
    store.records.publish({"place:a": 1}, NOW)
    fill_id = running(store)
    store.records.begin_write(["place:a"], "w", LATER)
    refused = store.shadows.complete(fill_id, result(reads={"place:a": 1}), NOW, LATER)
    assert refused == MISS[MissReason.UNCERTAIN]
    assert store.shadows.fill(fill_id).state is FillState.STALE


def test_a_shadow_cannot_be_promoted_while_its_record_is_written_and_can_after_a_rollback(store):
    store.records.publish({"place:a": 1}, NOW)
    fill_id = shadow(store, reads={"place:a": 1})
    store.records.begin_write(["place:a"], "w", LATER)
    assert store.shadows.promote(fill_id, name(), True, NOW) == MISS[MissReason.UNCERTAIN]
    assert store.records.commit_write({"place:a": 1}, "w", NOW) == Invalidated()
    assert isinstance(store.shadows.promote(fill_id, name(), True, NOW), Promoted)


def test_orphans_are_fills_nobody_took_in_time_and_those_of_dead_workers(store):
    reserved(store, "late", expires_at_ms=NOW + 10)
    running(store, "dead", owner="worker:dead")
    running(store, "alive", owner="worker:alive")
    shadow(store, "done")
    store.shadows.beat("worker:dead", NOW + 20)
    store.shadows.beat("worker:alive", NOW + 1000)
    assert store.shadows.orphans(NOW + 9, 10) == ()
    assert store.shadows.orphans(NOW + 10, 10) == ("late.0",)
    assert store.shadows.orphans(NOW + 20, 10) == ("late.0", "dead.0")
    assert store.shadows.orphans(NOW + 20, 1) == ("late.0",)
    assert store.shadows.leave("dead.0", FillEvent.FAIL, NOW + 20) is FillState.RUNNING
    assert store.shadows.leave("late.0", FillEvent.EXPIRE, NOW + 20) is FillState.RESERVED
    assert store.shadows.orphans(NOW + 20, 10) == ()


def test_a_worker_that_never_beat_is_dead_one_lease_after_it_took_its_fill(make_store):
    store = make_store(ServingConfig(owner_lease_ms=50))
    fill_id = running(store)
    assert store.shadows.orphans(NOW + 49, 10) == ()
    assert store.shadows.orphans(NOW + 50, 10) == (fill_id,)


def test_a_worker_that_says_goodbye_leaves_orphans_at_once(store):
    fill_id = running(store)
    store.shadows.beat(OWNER, 0)
    assert store.shadows.orphans(NOW, 10) == (fill_id,)


@pytest.mark.parametrize("race", range(5))
def test_of_racing_demands_exactly_one_promotes(store, race):
    fill_id = shadow(store)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: store.shadows.promote(fill_id, name(), True, NOW), range(16)))
    assert sum(isinstance(answer, Promoted) for answer in answers) == 1
    assert sum(answer == STATE for answer in answers) == 15


@pytest.mark.parametrize("race", range(5))
def test_of_racing_deliveries_exactly_one_starts_a_fill(store, race):
    fill_id = reserved(store)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: store.shadows.start(fill_id, name(), f"w{n}", NOW), range(16)))
    assert answers.count(None) == 1
    assert answers.count(STATE) == 15


@pytest.mark.parametrize("race", range(5))
def test_completion_and_losing_race_to_one_winner(store, race):
    fill_id = running(store)
    with ThreadPoolExecutor(8) as pool:
        done = pool.submit(store.shadows.complete, fill_id, result(), NOW, LATER)
        lost = [pool.submit(store.shadows.leave, fill_id, FillEvent.LOSE, NOW) for _ in range(4)]
        left = [f.result() for f in lost]
        completed = done.result() is None
    # Losing may follow completion, never the other way round.
    assert sum(state is not None for state in left) == 1
    assert (FillState.SHADOW in left) is completed
    assert store.shadows.fill(fill_id).state is FillState.DISCARDED
