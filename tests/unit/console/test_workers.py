from apps.console.facts import WorkerState
from apps.console.workers import LOST_AFTER_MS, MOST_WORKERS, PURGE_AFTER_MS, WorkerTable


def heartbeat(name="w1", active=0, processed=0):
    return {"type": "worker-heartbeat", "hostname": name, "active": active, "processed": processed}


def states(table, now_ms):
    return {worker.name: worker.state for worker in table.facts(now_ms)}


def test_a_worker_is_idle_then_busy_as_its_heartbeats_say():
    table = WorkerTable()

    table.on_event(heartbeat(active=0), 0)
    assert states(table, 1) == {"w1": WorkerState.IDLE}
    table.on_event(heartbeat(active=2, processed=5), 2_000)

    (worker,) = table.facts(2_001)
    assert (worker.state, worker.active, worker.processed) == (WorkerState.BUSY, 2, 5)
    assert (worker.joined_ms, worker.heard_ms) == (0, 2_000)


def test_a_worker_that_falls_silent_is_lost_and_later_forgotten():
    table = WorkerTable()
    table.on_event(heartbeat(active=1), 0)

    assert states(table, LOST_AFTER_MS - 1) == {"w1": WorkerState.BUSY}
    assert states(table, LOST_AFTER_MS) == {"w1": WorkerState.LOST}
    assert states(table, PURGE_AFTER_MS) == {}


def test_a_lost_worker_that_is_heard_again_is_back():
    table = WorkerTable()
    table.on_event(heartbeat(), 0)
    table.on_event(heartbeat(), LOST_AFTER_MS + 1)

    assert states(table, LOST_AFTER_MS + 2) == {"w1": WorkerState.IDLE}


def test_a_worker_that_said_goodbye_has_left_and_is_not_lost():
    table = WorkerTable()
    table.on_event(heartbeat(active=3), 0)
    table.on_event({"type": "worker-offline", "hostname": "w1"}, 10)

    (worker,) = table.facts(LOST_AFTER_MS + 20)
    assert (worker.state, worker.active) == (WorkerState.LEFT, 0)


def test_before_its_first_heartbeat_a_workers_numbers_are_unknown():
    table = WorkerTable()
    table.on_event({"type": "worker-online", "hostname": "w1"}, 0)

    (worker,) = table.facts(1)
    assert (worker.active, worker.processed) == (None, None)


def test_task_events_and_nameless_events_change_nothing():
    table = WorkerTable()
    table.on_event({"type": "task-received", "hostname": "w1"}, 0)
    table.on_event({"type": "worker-heartbeat"}, 0)

    assert table.facts(1) == ()


def test_the_table_stays_bounded_and_gives_up_the_longest_silent():
    table = WorkerTable()
    for n in range(MOST_WORKERS + 1):
        table.on_event(heartbeat(f"w{n}"), n)

    names = {worker.name for worker in table.facts(MOST_WORKERS)}
    assert len(names) == MOST_WORKERS
    assert "w0" not in names
    assert f"w{MOST_WORKERS}" in names
