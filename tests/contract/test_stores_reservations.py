"""Slots and KV of an engine pool, on memory and on Redis."""

import random
from concurrent.futures import ThreadPoolExecutor

from tests.contract.stores_bench import LATER, NOW


def reserve(store, reservation_id, slots=1, kv_tokens=100, lease_until_ms=LATER, now_ms=NOW):
    return store.reservations.reserve(reservation_id, slots, kv_tokens, 4, 1000, lease_until_ms, now_ms)


def test_a_pool_lends_up_to_both_of_its_limits(store):
    assert [reserve(store, f"r{i}") for i in range(5)] == [True] * 4 + [False]
    assert store.reservations.held(NOW) == (4, 400)


def test_what_does_not_fit_takes_neither_slots_nor_kv(store):
    assert not reserve(store, "slots", slots=5)
    assert not reserve(store, "kv", kv_tokens=1001)
    assert store.reservations.held(NOW) == (0, 0)
    assert reserve(store, "all", slots=4, kv_tokens=1000)


def test_a_reservation_is_released_once(store):
    reserve(store, "r")
    assert store.reservations.release("r") is True
    assert store.reservations.release("r") is False
    assert store.reservations.held(NOW) == (0, 0)


def test_a_repeated_reservation_is_held_once_and_keeps_its_amounts(store):
    assert reserve(store, "r", slots=2)
    assert reserve(store, "r", slots=4, kv_tokens=900)
    assert store.reservations.held(NOW) == (2, 100)


def test_a_repeat_does_not_shorten_a_lease(store):
    reserve(store, "r", lease_until_ms=NOW + 50)
    reserve(store, "r", lease_until_ms=NOW + 10)
    assert store.reservations.held(NOW + 49) == (1, 100)
    reserve(store, "r", lease_until_ms=NOW + 80)
    assert store.reservations.held(NOW + 79) == (1, 100)


def test_a_reservation_whose_lease_ran_out_makes_room(store):
    reserve(store, "dead", slots=4, lease_until_ms=NOW + 10)
    assert not reserve(store, "next", now_ms=NOW + 9)
    assert reserve(store, "next", now_ms=NOW + 10)
    assert store.reservations.held(NOW + 10) == (1, 100)
    assert store.reservations.release("dead") is False


def test_a_lease_is_renewed_while_it_is_held(store):
    reserve(store, "r", lease_until_ms=NOW + 10)
    assert store.reservations.renew("r", NOW + 100) is True
    assert store.reservations.held(NOW + 99) == (1, 100)
    assert store.reservations.held(NOW + 100) == (0, 0)
    assert store.reservations.renew("r", NOW + 200) is False


def test_racing_owners_never_hold_more_than_there_is_and_give_all_back(store):
    def owner(number: int) -> int:
        dice, taken = random.Random(number), 0
        for step in range(25):
            reservation_id = f"{number}.{step}"
            if reserve(store, reservation_id, slots=dice.randint(1, 3), kv_tokens=dice.randint(1, 600)):
                taken += 1
                slots, kv_tokens = store.reservations.held(NOW)
                assert 0 < slots <= 4
                assert 0 < kv_tokens <= 1000
                assert store.reservations.release(reservation_id)
        return taken

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(owner, range(8))) > 0
    assert store.reservations.held(NOW) == (0, 0)


def test_holding_is_what_was_taken_less_what_ended_in_any_order(store):
    dice, live = random.Random(7), {}
    for step in range(300):
        now_ms = NOW + step
        live = {i: held for i, held in live.items() if held[2] > now_ms}
        if dice.random() < 0.6:
            asked = (dice.randint(0, 2), dice.randint(0, 500), now_ms + dice.randint(1, 40))
            fits = sum(h[0] for h in live.values()) + asked[0] <= 4
            fits = fits and sum(h[1] for h in live.values()) + asked[1] <= 1000
            taken = reserve(store, f"r{step}", *asked[:2], lease_until_ms=asked[2], now_ms=now_ms)
            assert taken is fits
            if taken:
                live[f"r{step}"] = asked
        elif live:
            gone = dice.choice(sorted(live))
            assert store.reservations.release(gone)
            del live[gone]
        assert store.reservations.held(now_ms) == (
            sum(h[0] for h in live.values()),
            sum(h[1] for h in live.values()),
        )
