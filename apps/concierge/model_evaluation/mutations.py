"""Lies made of a text that was shown: each differs from it in one thing that a careless check could let through."""

import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from apps.concierge.model_evaluation.atoms import AtomKind, Placed, TextRead
from apps.concierge.model_evaluation.claims import Expected

K = AtomKind
DIGITS_EACH = 3  # places at which a text's digits are changed, at most
SWAPPED = (K.CLOCK, K.WEEKDAY, K.PEOPLE, K.DATE, K.MONEY, K.RATING, K.WALK)
FLIPS = (
    (r"^Yes\b", "No"),
    (r"^No\b", "Yes"),
    (r"\bis open\b", "is closed"),
    (r"\bis closed\b", "is open"),
    (r"\bdoes not offer\b", "offers"),
    (r"\boffers\b", "does not offer"),
    (r"\bdoes not have\b", "has"),
    (r"\bhas (?=room)", "has no "),
    (r"\bcosts\b", "does not cost"),
    (r"\bis free\b", "is not free"),
    (r"\bis rated\b", "is not rated"),
    (r"\bfully booked\b", "free"),
    (r"\bcannot\b", "can"),
    (r"\bof more than\b", "of"),
    (r"\bThere are no\b", "There are"),
    (r"\bwill (book|cancel|change)\b", r"will not \1"),
    (r"\bhave (booked|cancelled|changed)\b", r"have not \1"),
    (r"\bwill cancel\b", "will change"),
    (r"\bwill change\b", "will cancel"),
    (r"\bhave cancelled\b", "have changed"),
    (r"\bhave changed\b", "have cancelled"),
)


class Lie(StrEnum):
    DIGIT = "digit"
    NAME = "swapped_name"
    FLIP = "flipped"
    VALUE = "swapped_value"


@dataclass(frozen=True, slots=True)
class Mutation:
    lie: Lie
    text: str


@dataclass(frozen=True, slots=True)
class Strangers:
    """What other items' places are called and have: kind of atom -> values as written"""

    values: Mapping[AtomKind, Sequence[str]]

    def one(self, rng: random.Random, kind: AtomKind, known: str) -> str | None:
        """A value whose words the text's own facts do not share; None where there is none."""
        words = set(known.lower().split())
        others = [value for value in self.values.get(kind, ()) if not words & set(value.lower().split())]
        return rng.choice(others) if others else None


def mutations(text: str, read: TextRead, wanted: Expected, others: Strangers, rng: random.Random) -> list[Mutation]:
    """Every lie of these kinds that the text admits, at most DIGITS_EACH of digits; none equals the text."""
    made = [
        *(Mutation(Lie.DIGIT, one) for one in _digits(text, rng)),
        *(Mutation(Lie.NAME, one) for one in _names(text, read, wanted, others, rng)),
        *(Mutation(Lie.FLIP, one) for one in _flips(text)),
        *(Mutation(Lie.VALUE, one) for one in _values(text, read, others, rng)),
        *(Mutation(Lie.VALUE, one) for one in _ways(text, read, wanted)),
    ]
    return [one for one in dict.fromkeys(made) if one.text != text]


def _digits(text: str, rng: random.Random) -> Iterator[str]:
    places = [match.start() for match in re.finditer(r"\d", text)]
    for at in sorted(rng.sample(places, min(DIGITS_EACH, len(places)))):
        other = rng.choice([digit for digit in "0123456789" if digit != text[at]])
        yield text[:at] + other + text[at + 1 :]


def _names(text: str, read: TextRead, wanted: Expected, others: Strangers, rng: random.Random) -> Iterator[str]:
    """A stranger's name for each name; where names bind values, also each other's."""
    said = [one for one in read.atoms if one.atom.kind is K.NAME]
    for one in said:
        stranger = others.one(rng, K.NAME, " ".join(wanted.names))
        if stranger:
            yield _replaced(text, one, stranger)
    if sum(len(claim.values) > 1 for claim in wanted.claims if claim.name) > 1:
        for first, second in itertools.pairwise(said):
            yield _exchanged(text, first, second)


def _flips(text: str) -> Iterator[str]:
    for pattern, other in FLIPS:
        yield re.sub(pattern, other, text, count=1)


def _values(text: str, read: TextRead, others: Strangers, rng: random.Random) -> Iterator[str]:
    """Two values of a kind exchanged, and an area, street, stop, kind or feature of another place."""
    for kind in SWAPPED:
        said = [one for one in read.atoms if one.atom.kind is kind]
        for first, second in itertools.pairwise(said):
            if first.atom != second.atom:
                yield _exchanged(text, first, second)
    for one in read.atoms:
        if one.atom.kind in (K.PHRASE, K.TERM):
            stranger = others.one(rng, one.atom.kind, text)
            if stranger:
                yield _replaced(text, one, stranger)


def _ways(text: str, read: TextRead, wanted: Expected) -> Iterator[str]:
    """The line leads away from the place, and the stop and the place are exchanged."""
    if not any(value.kind is K.WALK for claim in wanted.claims for value in claim.values):
        return
    named = [one for one in read.atoms if one.atom.value in wanted.names]
    lines = [one for one in read.atoms if one.atom.kind is K.PHRASE and one.atom.value not in wanted.names]
    if named and len(lines) > 1:
        yield f"{text[: lines[0].end]} from {named[0].atom.value}{text[lines[0].end :]}"
        yield _exchanged(text, *sorted((named[0], lines[1]), key=lambda one: one.start))


def _replaced(text: str, one: Placed, other: str) -> str:
    return text[: one.start] + other + text[one.end :]


def _exchanged(text: str, first: Placed, second: Placed) -> str:
    a, b = text[first.start : first.end], text[second.start : second.end]
    return text[: first.start] + b + text[first.end : second.start] + a + text[second.end :]
