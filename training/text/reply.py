"""Examples of the `reply` stage: facts as the product renders them, and the sentences to say."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from apps.concierge.facts import Sheet, sheet
from apps.concierge.prompts import kind, terse_text
from training.text import situations
from training.text.example import Example, Split
from training.text.phrases import phrase
from training.text.situations import Maker, Situation

# How often each comes, in parts: what guests ask most, and what is hardest to copy, more often.
SHARES: Mapping[Maker, int] = {
    situations.find: 22,
    situations.ask("overview"): 5,
    situations.ask("hours"): 7,
    situations.ask_hours_on: 13,
    situations.ask("price"): 5,
    situations.ask("directions"): 6,
    situations.ask("rating"): 3,
    situations.ask("features"): 6,
    situations.ask("feature"): 6,
    situations.ask("phone"): 5,
    situations.ask("address"): 5,
    situations.ask("capacity"): 3,
    situations.ask_rare: 10,
    situations.when: 4,
    situations.what_change: 2,
    situations.own_bookings: 4,
    situations.done: 8,
    situations.not_done: 3,
    situations.drop: 2,
    situations.plain: 10,
}
MOST_REPEATS = 8
"""How often one input may come: those without any value would come too often by chance."""
DRAFTS = 4
"""The one of so many whose kinds were rarest so far is taken, so that rare kinds are learned too."""


def examples(rng: random.Random, split: Split, count: int) -> Iterator[Example]:
    """`count` examples; the same for the same state of `rng`."""
    return drawn("reply", SHARES, rng, split, count)


def drawn(task: str, shares: Mapping[Maker, int], rng: random.Random, split: Split, count: int) -> Iterator[Example]:
    """Like `examples`, of several makers, each as often as its share says."""
    seen: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    makers, parts = list(shares), list(shares.values())
    while count:
        make = rng.choices(makers, parts)[0]
        drafts = [example_of(task, make(rng, split)) for _ in range(DRAFTS)]
        example = min(drafts, key=lambda draft: min(kinds[one] for one in draft.meta["kinds"]))
        seen[example.user] += 1
        if seen[example.user] <= MOST_REPEATS:
            count -= 1
            kinds.update(example.meta["kinds"])
            yield example


def example_of(task: str, situation: Situation) -> Example:
    said = sheet(situation.asked, situation.found)
    meta = {
        "op": situation.asked["op"],
        "aspect": situation.asked.get("aspect", ""),
        "kinds": [kind(fact) for fact in said.facts],
        "request": dict(situation.asked),
        "found": dict(situation.found),
    }
    return Example(task, terse_text(said), answer_of(said), meta)


def answer_of(said: Sheet) -> str:
    """One sentence for each fact, in order; the sheet's tail is not the model's to say."""
    sentences: Sequence[str] = [phrase(fact) for fact in said.facts]
    return " ".join(sentences)
