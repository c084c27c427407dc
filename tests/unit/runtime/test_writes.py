"""A two-phase write against its schedules: slow, dead, and without shared state."""

import pytest
import redis

from apps.runtime.clock import now_ms
from apps.runtime.writes import Committed, WriteRefused, Writing
from apps.serving.config import ServingConfig
from apps.serving.names import ReuseName
from apps.serving.outcomes import Miss, MissReason, Result
from apps.serving.ports import Invalidated
from apps.stores.memory import MemoryStore


def made(store: MemoryStore, told: list) -> Writing:
    return Writing(["place:a"], store.records, 5_000, told.append)


@pytest.fixture
def store() -> MemoryStore:
    store = MemoryStore(ServingConfig(cascade_step=2))
    store.records.publish({"place:a": 1}, now_ms())
    return store


def name(number: int) -> ReuseName:
    return ReuseName("t", "f", f"{number:04x}", 1)


def keep(store: MemoryStore, *numbers: int) -> None:
    for number in numbers:
        assert store.library.record(name(number), Result(number, {"place:a": 1}, 1.0, {}), "p", "s", now_ms()) is None


def away(*args: object) -> None:
    raise redis.ConnectionError("away")


def test_a_record_is_uncertain_from_the_beginning_of_a_write_until_it_is_published(store):
    told: list = []
    with made(store, told) as write:
        assert store.records.fresh({"place:a": 1}) == Miss(MissReason.UNCERTAIN)
        write.committed({"place:a": 2})

    assert store.records.fresh({"place:a": 2}) is None
    assert store.records.fresh({"place:a": 1}) == Miss(MissReason.STALE)
    assert told == [Invalidated(), Committed(("place:a",), 0, 0, 0, 1)]


def test_a_write_that_raises_leaves_the_record_uncertain_for_the_reconciler(store):
    with pytest.raises(ValueError, match="rolled back"), made(store, []):
        raise ValueError("rolled back")

    assert store.records.fresh({"place:a": 1}) == Miss(MissReason.UNCERTAIN)


def test_a_writer_slower_than_its_lease_is_uncertain_again_before_it_commits(store):
    with made(store, []) as write:
        # The reconciler, after the first lease: the old version is still the committed one.
        store.records.publish({"place:a": 1}, now_ms() + 6_000)
        assert store.records.fresh({"place:a": 1}) is None

        write.hold()

        assert store.records.fresh({"place:a": 1}) == Miss(MissReason.UNCERTAIN)
        write.committed({"place:a": 2})
    assert store.records.fresh({"place:a": 2}) is None


def test_without_shared_state_the_write_is_refused_and_nothing_is_changed(store, monkeypatch):
    monkeypatch.setattr(store.records, "begin_write", away)

    with pytest.raises(WriteRefused, match="try again"), made(store, []):
        pytest.fail("the body must not run")


def test_a_write_goes_on_with_its_cascade_to_the_end_and_tells_every_step(store):
    keep(store, *range(5))
    told: list = []

    with made(store, told) as write:
        write.committed({"place:a": 2})

    *steps, done = told
    assert [len(step.entries) for step in steps] == [2, 2, 1]
    assert done == Committed(("place:a",), 5, 0, 0, 3)
    assert store.records.cascade(now_ms()) == Invalidated()


def test_shared_state_that_fails_midway_loses_nothing_that_was_done_and_leaves_the_rest_to_others(store, monkeypatch):
    keep(store, *range(5))
    told: list = []

    with made(store, told) as write:
        monkeypatch.setattr(store.records, "cascade", away)
        write.committed({"place:a": 2})

    assert [len(step.entries) for step in told[:-1]] == [2]
    assert told[-1] == Committed(("place:a",), 2, 0, 0, 1)
    monkeypatch.undo()
    assert len(store.records.cascade(now_ms()).entries) == 2


def test_a_write_that_could_not_be_published_tells_nothing_and_is_left_to_the_reconciler(store, monkeypatch):
    told: list = []

    with made(store, told) as write:
        monkeypatch.setattr(store.records, "commit_write", away)
        write.committed({"place:a": 2})

    assert told == []
    assert store.records.fresh({"place:a": 1}) == Miss(MissReason.UNCERTAIN)
