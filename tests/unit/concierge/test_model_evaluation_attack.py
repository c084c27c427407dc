"""Lies made of true texts: each is one, the product's fact check stops them, and a check that sleeps is found out."""

import asyncio
import random

import pytest

from apps.concierge import fact_check, speaking
from apps.concierge.facts import sheet
from apps.concierge.model_evaluation.attack import Attacked, Reciter, attack, strangers
from apps.concierge.model_evaluation.evaluate import judge_of
from apps.concierge.model_evaluation.expected import expected
from apps.concierge.model_evaluation.items import load_set, speech_items
from apps.concierge.model_evaluation.mutations import Lie, mutations
from apps.concierge.model_evaluation.stages import Said, say

ITEMS = list(speech_items(load_set("reply_free")))
JUDGE = judge_of(ITEMS)


def plain(item) -> str:
    return " ".join(fact.text for fact in sheet(item.request, item.found).facts)


def shown(item) -> Said:
    """What is shown of the item when the model says the plain sentences."""
    tail = sheet(item.request, item.found).tail
    return Said(item, f"{plain(item)} {tail}".strip(), False, 1.0)


@pytest.fixture(scope="module")
def everything() -> list[Said]:
    return [shown(item) for item in ITEMS]


@pytest.fixture(scope="module")
def found(everything) -> Attacked:
    return asyncio.run(attack(everything, JUDGE, 7))


def test_the_product_lets_no_lie_through(found):
    assert found.let_through == []
    assert found.caught_share == 1
    assert set(found.told) == set(Lie)
    assert min(found.told.values()) >= 40


def test_hardly_any_mutation_is_left_out_as_no_lie(found):
    assert found.true.total() <= 0.03 * found.told.total()


def test_true_texts_are_shown_again_as_they_were(found):
    assert found.texts == len(ITEMS)
    assert found.refused == []


async def test_a_check_that_lets_everything_through_is_found_out(everything, monkeypatch):
    monkeypatch.setattr(speaking, "check", lambda sentence, facts: fact_check.Verdict(len(facts)))
    monkeypatch.setattr(speaking, "is_foreign", lambda partial, facts: False)

    found = await attack(everything, JUDGE, 7)

    assert found.caught_share < 0.1
    assert len(found.let_through) > 300


async def test_a_check_that_refuses_everything_is_found_out(everything, monkeypatch):
    monkeypatch.setattr(speaking, "check", lambda sentence, facts: fact_check.REFUSED)

    found = await attack([one for one in everything if one.item.op == "bookings"], JUDGE, 7)

    assert found.caught_share == 1
    assert found.false_alarms == 1  # though the plain sentences that stand in are the same, word for word


async def test_no_lie_is_made_of_a_text_that_is_wrong_itself(everything):
    wrong = [Said(one.item, one.text.replace("4.6", "4.7"), False, 1.0) for one in everything[:1]]

    found = await attack(wrong, JUDGE, 7)

    assert (found.texts, found.told.total(), found.caught_share, found.false_alarms) == (0, 0, None, None)


def test_equal_seeds_make_equal_lies(everything):
    others, one = strangers(ITEMS), everything[0]
    wanted = expected(one.item.request, one.item.found)
    read = JUDGE.reading(one.text, wanted)

    made = [mutations(one.text, read, wanted, others, random.Random(3)) for _ in range(2)]

    assert made[0] == made[1]
    assert all(mutation.text != one.text for mutation in made[0])
    assert {mutation.lie for mutation in made[0]} >= {Lie.DIGIT, Lie.NAME, Lie.VALUE}


async def test_the_reciter_says_its_text_and_nothing_else():
    told = await say(ITEMS[0], Reciter(plain(ITEMS[0])))

    assert (told.text, told.fallback) == (plain(ITEMS[0]), False)
