"""A two-phase write against its schedules: slow, dead, and without shared state."""

import pytest
import redis

from apps.runtime.clock import now_ms
from apps.runtime.writes import WriteRefused, Writing
from apps.serving.outcomes import Miss, MissReason
from apps.stores.memory import MemoryStore


def made(store: MemoryStore, seen: list) -> Writing:
    return Writing(["place:a"], store.records, 5_000, lambda records, ended: seen.append((records, ended)))


@pytest.fixture
def store() -> MemoryStore:
    store = MemoryStore()
    store.records.publish({"place:a": 1}, now_ms())
    return store


def test_a_record_is_uncertain_from_the_beginning_of_a_write_until_it_is_published(store):
    seen: list = []
    with made(store, seen) as write:
        assert store.records.fresh({"place:a": 1}) == Miss(MissReason.UNCERTAIN)
        write.committed({"place:a": 2})

    assert store.records.fresh({"place:a": 2}) is None
    assert store.records.fresh({"place:a": 1}) == Miss(MissReason.STALE)
    assert seen == [(["place:a"], ())]


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
    def away(*args: object) -> None:
        raise redis.ConnectionError("away")

    monkeypatch.setattr(store.records, "begin_write", away)

    with pytest.raises(WriteRefused, match="try again"), made(store, []):
        pytest.fail("the body must not run")
