"""What the model learns to say is what the product's check lets through, whole; and no lie made of it passes."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from apps.concierge.fact_check import check
from apps.concierge.fact_types import Fact
from apps.concierge.fact_words import WORDINGS
from apps.concierge.facts import sheet
from apps.concierge.prompts import speech_body
from apps.concierge.sentences import Sentences
from tests.unit.training.lies import LIES
from training.text import confirm, reply
from training.text.example import Example, Split

TASKS = {"reply": reply, "confirm": confirm}
PER_SPLIT = {"reply": 1900, "confirm": 500}
MOST_WORDS = 70
"""A reply with three bookings; everything else is far shorter."""


def made(task: str, split: Split, seed: int = 1, count: int = 0) -> list[Example]:
    return list(TASKS[task].examples(random.Random(seed), split, count or PER_SPLIT[task]))


ALL = [example for split in Split for task in TASKS for example in made(task, split)]


def facts_of(example: Example) -> tuple[Fact, ...]:
    return sheet(example.meta["request"], example.meta["found"]).facts


def sentences_of(example: Example) -> list[str]:
    cutter = Sentences()
    complete = cutter.add(example.answer)
    return [*complete, *([rest] if (rest := cutter.rest()) else [])]


def pairs(examples: Sequence[Example]) -> list[tuple[str, tuple[Fact, ...]]]:
    """Each sentence with the facts that are unsaid when it comes."""
    found = []
    for example in examples:
        facts = facts_of(example)
        found += [(said, facts[number:]) for number, said in enumerate(sentences_of(example))]
    return found


PAIRS = pairs(ALL)
ATTACKED = PAIRS[::4]


def test_every_sentence_to_learn_states_its_one_fact_and_none_is_left_for_the_plain_sentence():
    assert [said for said, facts in PAIRS if check(said, facts).said != 1] == []
    assert [e.user for e in ALL if len(sentences_of(e)) != len(facts_of(e))] == []


def test_the_plain_sentence_of_every_fact_passes_too():
    facts = {fact for example in ALL for fact in facts_of(example)}
    assert [fact.text for fact in facts if check(fact.text, [fact]).said != 1] == []


def test_every_kind_of_fact_is_learned_and_every_worded_kind_occurs():
    kinds = Counter(fact.about for example in ALL for fact in facts_of(example))
    assert set(kinds) == set(WORDINGS)
    assert min(kinds.values()) >= 10


@pytest.mark.parametrize("task", TASKS)
def test_a_seed_gives_the_same_lines_again_and_another_gives_others(task):
    first, again, other = (made(task, Split.TRAIN, seed, 200) for seed in (3, 3, 4))
    assert [e.line() for e in first] == [e.line() for e in again]
    assert [e.line() for e in first] != [e.line() for e in other]


def test_the_input_is_what_the_product_asks_the_engine(settings):
    settings.PROMPTS = "terse"
    for example in ALL[::7]:
        body = speech_body(example.task, sheet(example.meta["request"], example.meta["found"]))
        assert body["messages"] == [
            {"role": "system", "content": example.task},
            {"role": "user", "content": example.user},
        ]


def test_a_refusal_is_learned_only_where_the_fact_is_absent():
    for said, facts in PAIRS:
        if facts[0].about == "lacks feature":
            assert any(word in said for word in ("not have", "not offer", "not find", "without"))
        if facts[0].about == "has feature":
            assert not any(word in said.removesuffix(facts[0].values[1]) for word in (" not ", " without "))


def test_no_name_of_the_held_out_split_is_learned():
    names = {split: {f.name for e in made("reply", split) for f in facts_of(e) if f.name} for split in Split}
    assert names[Split.TRAIN].isdisjoint(names[Split.HELD_OUT])


def test_answers_are_short():
    lengths = [len(example.answer.split()) for example in ALL]
    assert max(lengths) <= MOST_WORDS
    assert sum(length > 35 for length in lengths) < 0.03 * len(lengths)


@pytest.mark.parametrize("kind", LIES)
def test_a_lie_made_of_a_true_sentence_is_caught(kind):
    rng, tried, passed = random.Random(kind), 0, []
    for number, (said, facts) in enumerate(ATTACKED):
        others = ATTACKED[(number + 11) % len(ATTACKED)][1]
        for lie in LIES[kind](said, facts, others, rng):
            if lie != said:
                tried += 1
                passed += [lie] if check(lie, facts).said is not None else []
    assert tried > 400
    assert passed == []
