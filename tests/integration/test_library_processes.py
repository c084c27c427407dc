"""Eight processes on one library, mixing everything for a while: nothing stale is served, nothing is left dangling."""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import redis

from apps.runtime.embedded_redis import EmbeddedRedis
from apps.stores.client import make_client
from apps.stores.library_check import LibraryCheck
from tests.integration.library_worker import CONFIG, Worker, now_ms, stores_at
from tests.integration.library_world import RECORDS, Database
from tests.integration.read_history import Commit, Served, stale_reads

PROCESSES = 8
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "world.sqlite3")
    made.create()
    yield made
    made.close()


def start(url: str, folder: Path, seed: int, seconds: float) -> subprocess.Popen[bytes]:
    order = {
        "url": url,
        "database": str(folder / "world.sqlite3"),
        "log": str(folder / f"{seed}.jsonl"),
        "seed": seed,
        "seconds": seconds,
    }
    command = [sys.executable, "-m", "tests.integration.library_worker", json.dumps(order)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)


def notes(folder: Path) -> list[dict]:
    return [json.loads(line) for log in sorted(folder.glob("*.jsonl")) for line in log.read_text().splitlines()]


def commits(found: list[dict]) -> list[Commit]:
    first = [Commit(record, 1, 0, 0) for record in RECORDS]
    written = [
        Commit(record, version, note["start_ns"], note["end_ns"])
        for note in found
        if note["kind"] == "committed"
        for record, version in note["versions"].items()
    ]
    return first + written


def served(found: list[dict]) -> list[Served]:
    values = [note for note in found if note["kind"] == "served"]
    return [Served(v["what"] + " " + v["how"], v["versions"], v["start_ns"], v["end_ns"]) for v in values]


def let_it_end(worker: Worker) -> None:
    """What the probe process does until nothing that the others left behind is open any more."""
    deadline = time.monotonic() + 60
    records = worker.stores.records
    while time.monotonic() < deadline:
        worker.reconcile()
        worker.reap()
        worker.sweep()
        step = records.cascade(now_ms())
        counts = worker.stores.shadows.counts()
        held = tuple(worker.stores.reservations.held(now_ms()))
        open_writes = records.expired_writes(now_ms() + 10 * CONFIG.write_lease_ms, 1)
        if not step.open and not open_writes and counts.reserved + counts.running == 0 and held == (0, 0):
            return
        time.sleep(0.05)
    pytest.fail(f"still open after a minute: {counts}, {held}, {open_writes}, {step}")


def check_while_running(running: list[subprocess.Popen[bytes]], client: redis.Redis, limit_s: float) -> None:
    """The structure is whole at every moment, not only when all is quiet again."""
    deadline = time.monotonic() + limit_s
    try:
        while any(process.poll() is None for process in running):
            assert LibraryCheck(client).run(repair=False, now_ms=now_ms()).findings == ()
            assert time.monotonic() < deadline, "the processes do not end"
    finally:
        for process in running:
            process.kill()


def test_eight_processes_serve_nothing_stale_and_leave_nothing_dangling(
    private_redis: EmbeddedRedis, database: Database, tmp_path: Path, long_run: bool
):
    stores = stores_at(private_redis.url)
    stores.records.publish(dict.fromkeys(RECORDS, 1), now_ms())
    seconds = 60.0 if long_run else 20.0

    running = [start(private_redis.url, tmp_path, seed, seconds) for seed in range(PROCESSES)]
    with make_client(private_redis.url) as client:
        check_while_running(running, client, seconds * 10 + 60)
    ended = [(process.communicate()[1].decode(), process.returncode) for process in running]
    assert ended == [("", 0)] * PROCESSES

    found = notes(tmp_path)
    assert stale_reads(commits(found), served(found)) == []
    how = Counter(note.get("how", note["kind"]) for note in found)
    assert min(how["hit"], how["promoted"], how["committed"]) > 0, how
    with (tmp_path / "rest.jsonl").open("w") as log, make_client(private_redis.url) as client:
        let_it_end(Worker(stores, database, log, Random(0)))
        assert LibraryCheck(client).run(repair=False, now_ms=now_ms()).findings == ()
