"""Deterministic check of a model's sentence against the facts that it was given. No sentence is shown unchecked.

A sentence that states something must hold every value of one or more facts, complete, letter by letter and in
the order of the facts, so that no value can move to another name; whatever is left of it may only be words of those
facts and a few words that state nothing. Words that carry the meaning (open, closed, not, …) must all be
there if the facts have them, and cannot be added, since they are among neither. A leading "Yes," or "No," may be
left out, but only the fact's own may be said.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.concierge.fact_types import Fact

LINKING = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "are",
        "it",
        "its",
        "it's",
        "this",
        "that",
        "which",
        "there",
        "here",
        "you",
        "your",
        "our",
        "for",
        "at",
        "on",
        "in",
        "from",
        "to",
        "of",
        "and",
        "with",
        "has",
        "have",
        "lovely",
        "great",
        "wonderful",
        "nice",
        "good",
        "also",
        "located",
    ]
)
COURTESY = LINKING | frozenset(
    [
        "i",
        "we",
        "i'm",
        "we'll",
        "you'll",
        "will",
        "be",
        "can",
        "hope",
        "enjoy",
        "please",
        "happy",
        "glad",
        "visit",
        "stay",
        "news",
        "choice",
        "time",
        "day",
        "thank",
        "thanks",
        "very",
        "welcome",
        "us",
        "let",
        "me",
        "know",
        "if",
        "need",
        "anything",
        "else",
        "help",
    ]
)
BEARING = frozenset(
    [
        "open",
        "closed",
        "not",
        "no",
        "yes",
        "cannot",
        "fully",
        "booked",
        "book",
        "cancel",
        "cancelled",
        "change",
        "changed",
        "free",
        "nothing",
        "rated",
        "costs",
        "offers",
        "take",
        "walk",
        "room",
        "help",
        "did",
        "have",
        "understand",
        "sorry",
        "only",
        "choose",
        "tell",
    ]
)
LEAD = re.compile(r"(Yes|No|Sorry), ")
MARKUP = re.compile(r"[<>*_`#\[\]{}|\\~^]|[^\x20-\x7e’‘“”–]")
WORD = re.compile(r"[^\s,.;:!?\"“”()–]+")
MOST_CHARS = 320
MOST_COURTESY_WORDS = 12
LEAST_OVERLAP = 0.6
_MASK = "\x00"


@dataclass(frozen=True, slots=True)
class Verdict:
    """said: how many of the facts, in order, the sentence states; None if it must not be shown"""

    said: int | None


REFUSED = Verdict(None)


def check(sentence: str, facts: Sequence[Fact]) -> Verdict:
    """Judge one sentence against the facts not said yet."""
    if not sentence or len(sentence) > MOST_CHARS or MARKUP.search(sentence):
        return REFUSED
    for count in range(1, len(facts) + 1):
        if _states(sentence, facts[:count], facts):
            return Verdict(count)
    return Verdict(0) if _is_courtesy(sentence, facts) else REFUSED


def is_foreign(partial: str, facts: Sequence[Fact]) -> bool:
    """Whether an unfinished sentence already holds a word that no passing sentence can have."""
    known = COURTESY.union(*(map(str.lower, _words(f.text)) for f in facts))
    complete = partial.rpartition(" ")[0]
    return any(word.lower() not in known for word in _words(complete))


def _states(sentence: str, claimed: Sequence[Fact], facts: Sequence[Fact]) -> bool:
    if sentence.endswith("?") != claimed[-1].text.endswith("?"):
        return False
    lead = LEAD.match(sentence)
    if lead and not claimed[0].text.startswith(lead[0]):
        return False
    sentence = LEAD.sub("", sentence, count=1)
    phrases = {value for f in facts for value in f.values}
    found, rest = _mask(sentence, phrases)
    expected = [value for f in claimed for value in f.values]
    names = {f.name for f in claimed if f.name}
    if not names <= set(found):
        return False
    if len({f.name for f in facts}) == 1:
        # With one name in all facts, a value cannot be bound to another: the name may stand anywhere.
        found, expected = ([v for v in seq if v not in names] for seq in (found, expected))
    own = _rest_words(claimed, phrases)
    if found != expected or not rest <= LINKING | own:
        return False
    return own & BEARING <= rest and (bool(expected or names) or _overlaps(rest, own))


def _overlaps(rest: frozenset[str], own: frozenset[str]) -> bool:
    """For a fact without values: most of its words are there."""
    return len(rest & own) >= LEAST_OVERLAP * len(own)


def _rest_words(facts: Sequence[Fact], phrases: set[str]) -> frozenset[str]:
    return frozenset[str]().union(*(_mask(LEAD.sub("", f.text, count=1), phrases)[1] for f in facts))


def _mask(text: str, phrases: set[str]) -> tuple[list[str], frozenset[str]]:
    """The phrases found, in order of place, and the other words in lower case."""
    text = _plain(text)
    places: list[tuple[int, str]] = []
    for phrase in sorted(phrases, key=lambda p: (-len(p), p)):
        for match in re.finditer(rf"(?<![\w$.:]){re.escape(phrase)}(?![\w$]|[.:,]\d)", text):
            places.append((match.start(), phrase))
        text = "".join(_blank(text, phrase))
    return [phrase for _, phrase in sorted(places)], frozenset(w.lower() for w in _words(text))


def _blank(text: str, phrase: str) -> str:
    pattern = rf"(?<![\w$.:]){re.escape(phrase)}(?![\w$]|[.:,]\d)"
    return re.sub(pattern, lambda m: _MASK * len(m[0]), text)


def _words(text: str) -> list[str]:
    return WORD.findall(_plain(text).replace(_MASK, " "))


def _plain(text: str) -> str:
    """With the one apostrophe, whichever the model types: a word is known or not however its sentence is cut."""
    return text.replace("’", "'").replace("‘", "'")


def _is_courtesy(sentence: str, facts: Sequence[Fact]) -> bool:
    words = [word.lower() for word in _words(sentence)]
    return 0 < len(words) <= MOST_COURTESY_WORDS and set(words) <= COURTESY and not sentence.endswith("?")
