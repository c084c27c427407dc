"""A sentence is shown only if it says its facts whole, in order and of the right name, and nothing else."""

import re

import pytest

from apps.concierge.catalogue import seed_places
from apps.concierge.fact_check import check, is_foreign
from apps.concierge.fact_find import find_facts
from apps.concierge.fact_place import ASPECTS, ask_facts
from apps.concierge.fact_types import fact
from apps.concierge.requests import request

ROWS = [
    {
        "slug": s.slug, "name": s.name, "service": s.service, "area": s.area, "kind": s.kind, "price": s.price,
        "rating": s.rating, "hours": s.hours, "features": list(s.features), "phone": s.phone, "address": s.address,
        "capacity": s.capacity, "line": s.line, "stop": s.stop, "walk": s.walk,
    }
    for s in seed_places()
]  # fmt: skip


def facts_of(row):
    for aspect in ASPECTS:
        slots = {"feature": "parking"} if aspect == "feature" else {}
        yield ask_facts(request("ask", place=row["slug"], aspect=aspect, **slots), row)
    for day in ("mon", "sat"):
        yield ask_facts(request("ask", place=row["slug"], aspect="hours", day=day), row)
        yield ask_facts(request("ask", place=row["slug"], aspect="hours", day=day, time="11:00"), row)


EVERY = [facts for row in ROWS for facts in facts_of(row)]
OPEN = [
    fact(
        "open on day",
        "Yes, Oro e Sale is open on Sunday from 12:00 to 22:30.",
        *("Oro e Sale", "Sunday", "12:00", "22:30"),
        name="Oro e Sale",
        service="restaurant",
    )
]
TWO = [
    fact("price", "Brine House costs $42 per person.", "Brine House", "$42 per person", name="Brine House"),
    fact("price", "Masala Row costs $22 per person.", "Masala Row", "$22 per person", name="Masala Row"),
]


def test_every_plain_sentence_of_the_catalogue_passes_its_own_check():
    assert len(EVERY) > 800
    assert [f[0].text for f in EVERY if check(f[0].text, f).said != len(f)] == []


def test_no_changed_digit_passes_anywhere_in_the_catalogue():
    passed, tried = [], 0
    for facts in EVERY:
        text = facts[0].text
        for match in re.finditer(r"\d", text):
            changed = f"{text[: match.start()]}{(int(match[0]) + 3) % 10}{text[match.end() :]}"
            tried += 1
            if check(changed, facts).said is not None:
                passed.append(changed)
    assert tried > 2000
    assert passed == []


def test_no_other_name_passes_in_place_of_the_right_one():
    passed = [
        facts[0].text
        for facts, other in zip(EVERY, EVERY[25:], strict=False)
        if facts[0].name != other[0].name
        and check(facts[0].text.replace(facts[0].name, other[0].name), facts).said is not None
    ]
    assert passed == []


FLIPS = [
    ("Yes,", "No,"), ("No,", "Yes,"), (" open", " closed"), (" closed", " open"), ("does not offer", "does offer"),
    ("offers", "does not offer"), (" is ", " is not "), (" costs", " never costs"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), FLIPS)
def test_no_flipped_meaning_passes(old, new):
    flipped = [(f, f[0].text.replace(old, new, 1)) for f in EVERY if old in f[0].text]
    assert flipped
    assert [text for facts, text in flipped if check(text, facts).said is not None] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Brine House costs $22 per person.",
        "Masala Row costs $42 per person.",
        "Brine House costs $22 per person and Masala Row costs $42 per person.",
        "Masala Row costs $22 per person and Brine House costs $42 per person.",
        "Brine House and Masala Row costs $42 per person and $22 per person.",
        "Brine House costs $42.",
        "Brine House costs $42 per night.",
        "It costs $42 per person.",
        "Brine House costs $42 per person and is cheap.",
        "Brine House costs $42.50 per person.",
        "Brine House costs $142 per person.",
    ],
)
def test_a_value_stays_with_its_own_name_and_unit(sentence):
    assert check(sentence, TWO).said is None


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Brine House costs $42 per person.", 1),
        ("The lovely Brine House costs $42 per person!", 1),
        ("Brine House costs $42 per person and Masala Row costs $22 per person.", 2),
        ("I hope you enjoy your visit!", 0),
    ],
)
def test_free_words_that_state_nothing_are_welcome(sentence, said):
    assert check(sentence, TWO).said == said


@pytest.mark.parametrize(
    "sentence",
    [
        "Is Oro e Sale open on Sunday from 12:00 to 22:30?",
        "Yes, Oro e Sale is open on Sunday from 22:30 to 12:00.",
        "Yes, Oro e Sale is open on Monday from 12:00 to 22:30.",
        "Yes, Oro e Sale is open on Sunday.",
        "Yes, oro e sale is open on Sunday from 12:00 to 22:30.",
        "Yes, Oro e Sale is open on Sunday from 12:00 to 22:30, with parking.",
        "Yes, **Oro e Sale** is open on Sunday from 12:00 to 22:30.",
        "Yes, Oro e Sale is open on Sunday from 12:00 to 22:30 and 2 more.",
        "<b>Yes</b>, Oro e Sale is open on Sunday from 12:00 to 22:30.",
        "Oro e Sale is on Sunday from 12:00 to 22:30.",
        "You can visit Paris.",
        "",
        "I hope " * 60,
    ],
)
def test_what_is_not_exactly_known_is_refused(sentence):
    assert check(sentence, OPEN).said is None


def test_the_name_may_stand_elsewhere_when_it_is_the_only_one():
    assert check("Yes, on Sunday from 12:00 to 22:30, Oro e Sale is open.", OPEN).said == 1


def test_places_of_a_search_stay_whole_and_in_order():
    found = {"places": ROWS[:3], "given_up": [], "total": 14}
    facts = find_facts(request("find", service="restaurant"), found)
    names = [row["name"] for row in ROWS[:3]]

    assert check(f"The best restaurants are {names[0]}, {names[1]}, and {names[2]}.", facts).said == 1
    assert check(f"The best restaurants are {names[0]} and {names[2]}.", facts).said is None
    assert check(f"The best hotels are {names[0]}, {names[1]} and {names[2]}.", facts).said is None


def test_a_foreign_word_is_seen_before_the_sentence_ends():
    assert not is_foreign("Yes, Oro e Sale is op", OPEN)
    assert is_foreign("Yes, the restaurant in Paris is", OPEN)


@pytest.mark.parametrize("apostrophe", ["'", "’", "‘"])
def test_a_sentence_is_judged_alike_while_it_comes_and_when_it_is_there(apostrophe):
    facts = [fact("rating", "Brine House is rated 4.5 out of 5.", "Brine House", "4.5 out of 5", name="Brine House")]
    courtesy = f"It{apostrophe}s a lovely choice."

    assert not is_foreign(courtesy, facts)
    assert check(courtesy, facts).said == 0
