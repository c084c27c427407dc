"""What the generator of `understand` examples promises, on the very code that the product runs."""

import json
import random
from collections import Counter
from dataclasses import asdict
from datetime import datetime

import pytest

from apps.concierge.requests import request
from apps.concierge.understand.gazetteer import gazetteer_of
from apps.concierge.understand.labels import LABELS
from apps.concierge.understand.prompt import understand_body
from apps.concierge.understand.reading import read
from training.text.catalogues import COUNTS, catalogue
from training.text.example import Split
from training.text.pools import POOLS
from training.text.understand import examples

COUNT = 700


def _names(key):
    split, _, index = key.rpartition("-")
    return gazetteer_of(asdict(place) for place in catalogue(Split(split), int(index)).places)


@pytest.fixture(scope="module")
def held_out():
    """Examples, each with how the product reads its text."""
    made = list(examples(random.Random(5), Split.HELD_OUT, COUNT))
    names = {example.meta["catalogue"]: _names(example.meta["catalogue"]) for example in made}
    return [(e, read(e.meta["text"], e.meta["context"], *_when_and(names, e))) for e in made]


def _when_and(names, example):
    return datetime.fromisoformat(example.meta["now"]), names[example.meta["catalogue"]]


def test_as_many_examples_are_made_as_asked_for_and_all_labels_occur(held_out):
    assert len(held_out) == COUNT
    assert {json.loads(example.answer) for example, _ in held_out} == set(LABELS)


def test_every_answer_is_one_label_as_a_json_string(held_out):
    for example, _ in held_out:
        assert json.loads(example.answer) in LABELS
        assert example.answer == f'"{json.loads(example.answer)}"'


def test_the_prompt_of_an_example_is_what_the_product_renders(held_out, settings):
    settings.PROMPTS = "terse"
    for example, reading in held_out:
        system, user = understand_body(reading.user)["messages"]
        assert (system["content"], user["content"]) == (example.task, example.user)


def test_the_gold_label_gives_the_gold_request_for_97_in_100(held_out):
    right = [dict(r.requests[json.loads(e.answer)]) == e.meta["request"] for e, r in held_out]

    assert sum(right) / COUNT >= 0.97


def test_what_the_rules_are_certain_of_is_what_was_meant_for_96_in_100(held_out):
    certain = [(e, r) for e, r in held_out if r.certain is not None]

    assert len(certain) > COUNT / 5
    assert sum(dict(r.certain) == e.meta["request"] for e, r in certain) / len(certain) >= 0.96


def test_a_seed_gives_the_same_bytes_and_another_seed_others():
    lines = [[e.line() for e in examples(random.Random(seed), Split.TRAIN, 60)] for seed in (3, 3, 4)]

    assert lines[0] == lines[1]
    assert not set(lines[0]) & set(lines[2])


def test_no_label_takes_a_quarter_of_the_examples():
    counts = Counter(e.answer for e in examples(random.Random(1), Split.TRAIN, 600))

    assert max(counts.values()) < 150


def test_the_splits_share_no_name_area_or_street():
    train, held_out = POOLS[Split.TRAIN], POOLS[Split.HELD_OUT]
    for words in ("firsts", "nouns", "others", "people", "areas", "streets"):
        assert not set(getattr(train, words)) & set(getattr(held_out, words))
    names = [
        {place.name for index in range(COUNTS[split]) for place in catalogue(split, index).places} for split in Split
    ]
    assert not names[0] & names[1]


def test_a_catalogue_has_every_service_and_no_name_twice():
    for index in range(COUNTS[Split.HELD_OUT]):
        places = catalogue(Split.HELD_OUT, index).places
        assert len({place.slug for place in places}) == len(places)
        assert len({place.service for place in places}) == 6


def test_a_follow_up_with_nothing_but_a_day_asks_about_the_place_talked_of():
    names = _names("held_out-0")
    place = names.places[0]
    context = {
        "focus": {"slug": place.slug, "name": place.name, "service": place.service, "area": place.area},
        "request": request("ask", place=place.slug, aspect="overview"),
    }

    reading = read("and is it open on Sunday?", context, datetime.fromisoformat("2026-11-30T06:30:00+00:00"), names)

    assert reading.user.startswith(f"about: {place.service}\n")
    assert dict(reading.requests["ask hours"]) == request("ask", place=place.slug, aspect="hours", day="sun")
