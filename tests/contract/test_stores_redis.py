"""What only Redis can get wrong: resent calls, lost connections, slots of a cluster, threads on one index."""

import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis.crc import key_slot

from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.history import Place
from apps.serving.branch.record import BranchState
from apps.serving.config import ServingConfig
from apps.serving.names import Coordinate
from apps.serving.outcomes import Hit, Promoted
from apps.serving.ports import Invalidated
from apps.stores import keys, scripts
from apps.stores.client import StoreError, make_client
from apps.stores.lease import Lease
from tests.contract.conftest import redis_store
from tests.contract.redis_index import assert_consistent
from tests.contract.stores_bench import (
    LATER,
    NOW,
    OWNER,
    branch,
    chain,
    keep,
    made,
    name,
    reserved,
    result,
    running,
    shadow,
)

SCRIPTS = sorted(p.stem for p in Path(scripts.__file__).with_name("lua").glob("[a-z]*.lua"))


@pytest.fixture
def store(store_client):
    return redis_store(store_client, ServingConfig())


@pytest.fixture
def resent(monkeypatch):
    """Every call carries the same token, as when redis-py sends one again because its reply was lost."""
    for module in ("shadows", "branches", "records", "events"):
        monkeypatch.setattr(f"apps.stores.{module}.call_token", lambda: "5e17" * 4)


def test_a_resent_promotion_answers_as_the_first_time(store, resent):
    fill_id = reserved(store)
    assert store.shadows.start(fill_id, name(), OWNER, NOW) is None
    assert store.shadows.start(fill_id, name(), OWNER, NOW) is None
    assert store.shadows.complete(fill_id, result(), NOW, LATER) is None
    assert store.shadows.complete(fill_id, result(), NOW, LATER) is None
    promoted = Promoted(result(), fill_id, "b")
    assert store.shadows.promote(fill_id, name(), True, NOW) == promoted
    assert store.shadows.promote(fill_id, name(), True, NOW) == promoted
    assert_consistent(store.shadows._client)


def test_a_resent_promotion_is_counted_once_and_leaves_one_entry(store, resent):
    keep(store, "up")
    fill_id = reserved(store)
    for _ in range(2):
        assert store.shadows.start(fill_id, name(), OWNER, NOW, [name("up")]) is None
    for _ in range(2):
        assert store.shadows.complete(fill_id, made("q", {}, ["up"]), NOW, LATER) is None
    for _ in range(2):
        assert isinstance(store.shadows.promote(fill_id, name(), True, NOW), Promoted)
    assert store.library.counts("tenant/shared").promotions == 1
    assert store.library.facts(name()).provenances == ((name("up"),),)
    assert_consistent(store.shadows._client)


def test_a_resent_record_leaves_what_the_first_left(store, store_client):
    store.records.publish({"place:a": 1}, NOW)
    keep(store, "up")
    keep(store, "q", {"place:a": 1}, ["up"])
    first = store.library.facts(name())
    keep(store, "q", {"place:a": 1}, ["up"])
    assert store.library.facts(name()) == first
    assert_consistent(store_client)


def test_a_resent_commit_ends_nothing_twice(store, resent):
    store.records.publish({"place:a": 1}, NOW)
    keep(store, "q", {"place:a": 1})
    store.records.begin_write(["place:a"], "w", LATER)
    assert store.records.commit_write({"place:a": 2}, "w", NOW) == Invalidated(entries=(name(),))
    assert store.records.commit_write({"place:a": 2}, "w", NOW) == Invalidated()


def test_a_resent_end_of_a_fill_gives_the_state_left_again(store, monkeypatch):
    fill_id = running(store)
    monkeypatch.setattr("apps.stores.shadows.call_token", lambda: "5e17" * 4)
    assert store.shadows.leave(fill_id, FillEvent.LOSE, NOW) is FillState.RUNNING
    assert store.shadows.leave(fill_id, FillEvent.LOSE, NOW) is FillState.RUNNING


def test_a_resent_branch_chain_or_move_is_not_refused(store, resent):
    for _ in range(2):
        assert store.branches.open(branch(), NOW) is None
    for _ in range(2):
        assert store.shadows.create_chain(*chain(), NOW) is None
    for _ in range(2):
        assert store.branches.move("b", BranchState.OPEN, BranchState.RESOLVED, NOW, choice="0") is None
    assert store.branches.chains("b") == ("c",)


def test_a_resent_event_is_appended_once(store, resent):
    assert store.events.append("system", "k", {}, NOW) == 1
    assert store.events.append("system", "k", {}, NOW) == 1
    assert len(store.events.read("system", 0, 10)) == 1


def test_the_tokens_remembered_of_a_stream_stay_few(store, store_client):
    for _ in range(200):
        store.events.append("system", "k", {}, NOW)
    assert store_client.hstrlen(keys.stream("system").key("meta"), "calls") <= 800


@pytest.mark.parametrize("script", SCRIPTS)
def test_all_keys_of_a_script_are_in_one_slot_of_a_cluster(script):
    used = scripts.load_lua(script).keys
    spaces = [keys.library("a{b}c"), keys.pool("main"), keys.stream("conversation:{1}")]
    spaces.append(keys.history(Place("{t}", Coordinate("w", 1, "point"))))
    fitting = [space for space in spaces if set(used) <= set(space.names)]
    assert used
    assert fitting
    for space in fitting:
        assert len({key_slot(space.key(word, "id{x}").encode()) for word in used}) == 1


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_names_no_key_lists_none_and_uses_every_key_that_it_declares(script):
    source = scripts.load_lua(script)
    code = re.sub(r"--.*", "", source.text)
    assert "dynbranch:" not in code
    assert not re.search(r"""["'](KEYS|SCAN|TIME|EXPIRE)["']""", code)
    for word in source.keys:
        # Besides the line that names them all. A script that checks many kinds alike takes them by name.
        assert len(re.findall(rf"\b{word.rstrip(':')}\b", code)) > 2, f"{word} is declared and not used"


def test_keys_of_libraries_and_pools_never_meet(store_client):
    mine, other = (redis_store(store_client, ServingConfig(), library) for library in ("main", "other"))
    fill_id = shadow(mine)
    mine.shadows.promote(fill_id, name(), True, NOW)
    assert not isinstance(other.library.probe(name(), NOW), Hit)
    assert other.shadows.fill(fill_id) is None


def test_an_unknown_key_name_is_refused():
    with pytest.raises(KeyError, match="known: versions"):
        keys.library("main").key("nonsense")


def test_threads_on_one_library_leave_every_index_whole(store_client):
    store = redis_store(store_client, ServingConfig(library_entries=6, shadow_entries=4, cascade_step=2))
    records = ["r1", "r2"]
    store.records.publish(dict.fromkeys(records, 1), NOW)
    for number in range(8):
        store.branches.open(branch(f"b{number}"), NOW)

    def work(number: int) -> None:
        dice = random.Random(number)
        for step in range(25):
            record, fills = chain(f"b{number}", f"c{number}.{step}")
            assert store.shadows.create_chain(record, fills, NOW) is None
            key, fill_id = dice.randint(1, 6), fills[0].fill_id
            above = range(max(1, key - 2), key)
            reads = {r: dice.randint(1, 3) for r in records if dice.random() < 0.5}
            store.shadows.start(fill_id, name(key), OWNER, NOW, [name(up) for up in above])
            store.shadows.complete(fill_id, made(key, reads, above), NOW, NOW + dice.randint(1, 20))
            found = store.shadows.find(name(key), NOW)
            if found is not None and dice.random() < 0.5:
                store.shadows.promote(found.fill_id, name(key), True, NOW)
            store.library.record(name(key), made(key, reads, above), "canonical:1", "w/1/s", NOW + step)
            store.library.delete([name(dice.randint(1, 6))])
            written, token = dice.choice(records), f"{number}.{step}"
            store.records.begin_write([written], token, LATER)
            store.records.commit_write({written: dice.randint(1, 3)}, token, NOW)
            store.shadows.sweep(NOW + step, 2)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    while store.records.cascade(NOW).open:
        pass
    assert_consistent(store_client)


def test_a_port_comes_back_by_itself_after_the_server_was_restarted(private_redis):
    with make_client(private_redis.url) as client:
        store = redis_store(client, ServingConfig())
        shadow(store)
        private_redis.stop()
        with pytest.raises(StoreError):
            store.library.totals()
        private_redis.start()
        assert store.shadows.fill("c.0") is None  # nothing is kept on disk
        shadow(store)
        assert isinstance(store.shadows.promote("c.0", name(), True, NOW), Promoted)


def test_one_of_two_processes_leads_until_it_stops_saying_so(store_client):
    first, second = Lease(store_client, "probe", 5.0), Lease(store_client, "probe", 5.0)
    assert first.hold()
    assert not second.hold()
    assert first.hold()
    store_client.delete(keys.lease("probe"))  # its time ran out
    assert second.hold()
    assert not first.hold()
