"""The speaking stages ask in the dialect that the settings name, in few tokens, constant part first."""

import json

import pytest

from apps.concierge.fact_types import Fact
from apps.concierge.facts import sheet
from apps.concierge.prompts import MOST_TOKENS, speech_body
from apps.concierge.requests import request
from tests.unit.concierge.test_fact_check import ROWS

PRICE = sheet(request("ask", place="brine-house", aspect="price"), {"place": ROWS[0]})
THANKS = sheet(request("chat", about="thanks"), {"services": []})
BOOKING = {
    "name": "Brine House", "service": "restaurant", "day": "2026-12-03", "time": "19:00", "people": 2,
    "ref": "VB7K2M9Q", "booked": "a table",
}  # fmt: skip
BOOKED = sheet(request("commit", order={}), {"ok": True, "do": "book", "booking": BOOKING})


def contents(body):
    return [(m["role"], m["content"]) for m in body["messages"]]


@pytest.mark.parametrize(
    ("said", "task", "user"),
    [
        (PRICE, "reply", "price restaurant: Brine House; $42 per person"),
        (THANKS, "reply", "thanks"),
        (
            BOOKED,
            "confirm",
            "booked restaurant: Brine House; 2 people; Thursday 3 December; 19:00\nreference: VB7K2M9Q",
        ),
    ],
)
def test_the_trained_model_reads_its_task_and_one_line_for_each_fact(settings, said, task, user):
    settings.PROMPTS = "terse"

    assert contents(speech_body(task, said)) == [("system", task), ("user", user)]


@pytest.mark.parametrize("task", ["reply", "confirm"])
def test_any_other_model_repeats_the_plain_sentences_after_a_constant_beginning(settings, task):
    settings.PROMPTS = "instructed"
    one, other = contents(speech_body(task, PRICE)), contents(speech_body(task, BOOKED))

    assert one[:-1] == other[:-1]
    assert one[-1] == ("user", 'Repeat: "Brine House costs $42 per person."')


@pytest.mark.parametrize("dialect", ["terse", "instructed"])
def test_an_answer_may_be_longer_than_the_plain_sentences_but_not_by_much(settings, dialect):
    settings.PROMPTS = dialect
    long = sheet(request("bookings"), {"bookings": [BOOKING] * 5})

    assert len(PRICE.facts[0].text) // 4 < speech_body("reply", PRICE)["max_tokens"] <= 40
    assert speech_body("reply", long)["max_tokens"] == MOST_TOKENS
    assert speech_body("reply", PRICE)["temperature"] == 0


@pytest.mark.parametrize("said", [PRICE, THANKS, BOOKED])
def test_a_fact_comes_out_of_a_stages_input_as_it_went_in(said):
    assert [Fact.from_json(json.loads(json.dumps(fact.as_json()))) for fact in said.facts] == list(said.facts)
    assert {fact.service for fact in said.facts} <= {"", "restaurant"}
