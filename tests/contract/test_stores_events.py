"""Numbered event streams, on memory and on Redis."""

from concurrent.futures import ThreadPoolExecutor

from apps.serving.config import ServingConfig
from apps.serving.ports import Event, StreamHead
from apps.stores import keys
from tests.contract.conftest import redis_store
from tests.contract.stores_bench import NOW


def test_events_are_numbered_from_one_and_come_back_whole(store):
    assert store.events.append("system", "turn.text", {"text": "é", "deep": [1, None]}, NOW) == 1
    assert store.events.append("system", "turn.done", {}, NOW + 1) == 2
    assert store.events.read("system", 0, 10) == (
        Event(1, "turn.text", {"text": "é", "deep": [1, None]}, NOW),
        Event(2, "turn.done", {}, NOW + 1),
    )


def test_reading_goes_on_after_a_number_up_to_a_limit(store):
    for number in range(5):
        store.events.append("system", "k", {"n": number}, NOW)
    assert [event.seq for event in store.events.read("system", 2, 2)] == [3, 4]
    assert store.events.read("system", 5, 10) == ()
    assert store.events.read("nothing", 0, 10) == ()


def test_streams_count_apart(store):
    assert store.events.append("conversation:1", "k", {}, NOW) == 1
    assert store.events.append("conversation:2", "k", {}, NOW) == 1
    assert store.events.head("conversation:1").epoch != store.events.head("conversation:2").epoch


def test_a_head_asked_for_before_the_first_event_stays_valid(store):
    before = store.events.head("conversation:1")
    assert before.seq == 0
    assert before.epoch
    store.events.append("conversation:1", "k", {}, NOW)
    assert store.events.head("conversation:1") == StreamHead(before.epoch, 1)


def test_old_events_are_trimmed_and_the_first_number_shows_it(make_store):
    store = make_store(ServingConfig(stream_events=3))
    for _ in range(10):
        store.events.append("system", "k", {}, NOW)
    assert [event.seq for event in store.events.read("system", 2, 10)] == [8, 9, 10]
    assert store.events.head("system").seq == 10


def test_numbers_are_gapless_and_in_order_under_many_writers(store):
    def writer(number: int) -> list[int]:
        return [store.events.append("system", "k", {"by": number, "n": n}, NOW) for n in range(40)]

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(writer, range(8)))

    events = store.events.read("system", 0, 1000)
    assert [event.seq for event in events] == list(range(1, 321))
    assert sorted(seq for seqs in given for seq in seqs) == list(range(1, 321))
    for number, seqs in enumerate(given):
        assert seqs == [event.seq for event in events if event.data["by"] == number]


def test_an_emptied_redis_starts_a_new_epoch(store_client):
    store = redis_store(store_client, ServingConfig())
    store.events.append("system", "k", {}, NOW)
    before = store.events.head("system")
    store_client.flushall()
    assert store.events.append("system", "k", {}, NOW) == 1
    assert store.events.head("system").epoch != before.epoch


def test_a_conversations_stream_ends_a_day_after_its_last_event_and_the_systems_does_not(store_client):
    events = redis_store(store_client, ServingConfig()).events
    for stream in ("conversation:1", "system"):
        events.append(stream, "k", {}, NOW)
    events.head("conversation:2")
    day_ms = 24 * 3600 * 1000
    for name in ("meta", "events"):
        assert 0 < store_client.pttl(keys.stream("conversation:1").key(name)) <= day_ms
        assert store_client.pttl(keys.stream("system").key(name)) == -1
    assert 0 < store_client.pttl(keys.stream("conversation:2").key("meta")) <= day_ms
