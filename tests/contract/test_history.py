"""Counts of past selections, on both stores alike."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import pytest
import redis
from redis.crc import key_slot

from apps.serving.branch.history import DAY_MS, History, HistoryConfig, Place, Tally, contexts_of
from apps.serving.names import Coordinate
from apps.stores import keys
from apps.stores.client import make_client
from apps.stores.history import RedisHistory
from apps.stores.memory.history import MemoryHistory

NOW = 1_800_000_000_000
HERE = Place("tenant/shared", Coordinate("concierge", 1, "offer"))
ROOT = contexts_of((), 3)
CONFIG = HistoryConfig(lasting_half_life_ms=10 * DAY_MS, recent_half_life_ms=DAY_MS)

MakeHistory = Callable[[HistoryConfig], History]


@pytest.fixture(params=["memory", "redis"])
def make_history(request: pytest.FixtureRequest) -> MakeHistory:
    if request.param == "memory":
        return MemoryHistory
    client = request.getfixturevalue("store_client")
    return lambda config: RedisHistory(client, config)


def observe(history: History, *selections: tuple[str, int], place: Place = HERE, contexts=ROOT) -> None:
    for number, (choice, at_ms) in enumerate(selections):
        assert history.observe(place, contexts, choice, f"{choice}{number}.{at_ms}", at_ms)


def test_a_place_without_a_past_has_no_counts(make_history):
    contexts = contexts_of(("book",), 3)
    assert make_history(CONFIG).tallies(HERE, contexts) == ({}, {})
    assert make_history(CONFIG).tallies(HERE, ()) == ()


def test_a_selection_counts_in_every_context_that_it_was_made_in(make_history):
    history, contexts = make_history(CONFIG), contexts_of(("book", "map"), 3)
    assert history.observe(HERE, contexts, "pay", "b1", NOW)

    one = {"pay": Tally(1.0, 1.0, NOW)}
    assert history.tallies(HERE, contexts) == (one, one, one)
    assert history.tallies(HERE, contexts_of(("map", "book"), 3)) == (one, {}, {})


def test_the_same_observation_counts_once_however_often_it_is_told(make_history):
    history = make_history(CONFIG)
    assert history.observe(HERE, ROOT, "pay", "b1", NOW)
    assert not history.observe(HERE, ROOT, "pay", "b1", NOW)
    assert not history.observe(HERE, ROOT, "map", "b1", NOW + 1)
    assert history.tallies(HERE, ROOT) == ({"pay": Tally(1.0, 1.0, NOW)},)


def test_counts_halve_in_their_half_lives(make_history):
    history = make_history(CONFIG)
    observe(history, ("pay", NOW), ("pay", NOW + 10 * DAY_MS))

    (found,) = history.tallies(HERE, ROOT)
    assert found["pay"].at_ms == NOW + 10 * DAY_MS
    assert found["pay"].lasting == pytest.approx(1.5, rel=1e-12)
    assert found["pay"].recent == pytest.approx(1 + 2**-10, rel=1e-12)


def test_the_order_of_observations_makes_no_difference(make_history):
    selections = [("pay", NOW), ("pay", NOW + 3 * DAY_MS), ("map", NOW + DAY_MS), ("pay", NOW - 40 * DAY_MS)]
    found = []
    for number, order in enumerate(permutations(selections)):
        place, history = Place(f"tenant/{number}", HERE.coordinate), make_history(CONFIG)
        observe(history, *order, place=place)
        found.append(history.tallies(place, ROOT)[0])

    for other in found[1:]:
        assert other.keys() == found[0].keys()
        for choice, tally in other.items():
            assert tally.at_ms == found[0][choice].at_ms
            assert tally.lasting == pytest.approx(found[0][choice].lasting, rel=1e-12)
            assert tally.recent == pytest.approx(found[0][choice].recent, rel=1e-12)


def test_partitions_and_coordinates_share_nothing(make_history):
    history = make_history(CONFIG)
    observe(history, ("pay", NOW))

    for place in (
        Place("other/shared", HERE.coordinate),
        Place(HERE.partition, Coordinate("concierge", 2, "offer")),
        Place(HERE.partition, Coordinate("concierge", 1, "understand")),
    ):
        assert history.tallies(place, ROOT) == ({},)


def test_of_too_many_choices_the_one_of_least_count_goes_and_never_the_latest(make_history):
    history = make_history(HistoryConfig(choices=2, lasting_half_life_ms=DAY_MS))
    observe(history, ("often", NOW), ("often", NOW + 1), ("old", NOW - DAY_MS), ("new", NOW + 2))
    assert set(history.tallies(HERE, ROOT)[0]) == {"often", "new"}

    observe(history, ("late", NOW - 9 * DAY_MS))
    assert set(history.tallies(HERE, ROOT)[0]) == {"often", "late"}


def test_of_too_many_contexts_the_one_longest_unused_goes(make_history):
    history = make_history(HistoryConfig(contexts=2, order=1))
    for number, context in enumerate(("one", "two", "one", "three")):
        observe(history, ("pay", NOW + number), contexts=(context,))

    assert [len(found) for found in history.tallies(HERE, ("one", "two", "three"))] == [1, 0, 1]


def test_no_more_observations_are_remembered_than_stated(make_history):
    history = make_history(HistoryConfig(observations=2))
    for number in range(3):
        assert history.observe(HERE, ROOT, "pay", f"b{number}", NOW + number)

    assert not history.observe(HERE, ROOT, "pay", "b2", NOW + 2)
    assert history.observe(HERE, ROOT, "pay", "b0", NOW)  # forgotten: it was the oldest


def test_any_text_can_be_a_choice(make_history):
    history = make_history(CONFIG)
    texts = ("Café — 東京", 'a "quoted" {brace}', "1 2 3", "new\nline", "0")
    observe(history, *((text, NOW) for text in texts))

    assert history.tallies(HERE, ROOT) == ({text: Tally(1.0, 1.0, NOW) for text in texts},)


def test_processes_that_count_at_the_same_time_lose_nothing(make_history):
    config = HistoryConfig(observations=1_000)
    history = make_history(config)

    def count(worker: int) -> None:
        for number in range(20):
            history.observe(HERE, ROOT, "pay", f"{worker}.{number}", NOW)
            history.observe(HERE, ROOT, "pay", f"shared.{number}", NOW)  # all tell it, once counts

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(4)))

    assert history.tallies(HERE, ROOT) == ({"pay": Tally(100.0, 100.0, NOW)},)


def test_both_stores_hold_the_same_after_any_history(redis_url: str, redis_client: redis.Redis):
    config = HistoryConfig(choices=3, contexts=4, observations=8, order=2, lasting_half_life_ms=DAY_MS)
    chance, recent = random.Random(7), []
    with make_client(redis_url) as client:
        stores: tuple[History, ...] = (MemoryHistory(config), RedisHistory(client, config))
        for _ in range(200):
            # Times far apart, so that no two choices come to weigh the same.
            choice, at_ms = chance.choice("abcde"), NOW + chance.randrange(5 * DAY_MS)
            contexts, name = contexts_of(recent, config.order), f"{chance.randrange(40)}"
            answers = {store.observe(HERE, contexts, choice, name, at_ms) for store in stores}
            assert len(answers) == 1
            mine, theirs = (store.tallies(HERE, contexts) for store in stores)
            for held, other in zip(mine, theirs, strict=True):
                assert {c: t.at_ms for c, t in held.items()} == {c: t.at_ms for c, t in other.items()}
                assert {c: t.lasting for c, t in held.items()} == pytest.approx(
                    {c: t.lasting for c, t in other.items()}
                )
                assert {c: t.recent for c, t in held.items()} == pytest.approx({c: t.recent for c, t in other.items()})
            recent.append(choice)


def test_in_redis_all_keys_of_a_place_are_in_one_slot_and_none_stays_for_ever(store_client: redis.Redis):
    config = HistoryConfig()
    place = Place("tenant}{x/shared", Coordinate("w", 1, "{y}"))
    RedisHistory(store_client, config).observe(place, contexts_of(("a", "b"), 3), "c", "b1", NOW)

    found = store_client.keys("*")
    assert len(found) == 5
    assert len({key_slot(key) for key in found}) == 1
    for key in found:
        assert 0 < store_client.pttl(key) <= config.keep_ms


def test_each_place_has_keys_of_its_own():
    coordinate = Coordinate("w", 1, "p")
    places = (Place("a", coordinate), Place("b", coordinate), Place("a", Coordinate("w/1", 1, "p")))
    assert len({keys.history(place).key("contexts") for place in places}) == 3
