"""Ways to make a true sentence false, for the attack on the fact check."""

import random
import re
from collections.abc import Callable, Iterator, Sequence

from apps.concierge.fact_types import Fact

FLIPS = (
    ("Yes,", "No,"), ("No,", "Yes,"), ("Sorry,", "Yes,"), (" open", " closed"), (" closed", " open"),
    ("opens", "closes"), ("closes", "opens"), ("does not have", "does have"), ("does not offer", "offers"),
    ("there is no", "there is"), ("there is ", "there is no "), ("offers", "does not offer"), ("without", "with"),
    ("comes with ", "comes without "), (" has ", " has no "), (" is ", " is not "), ("There are no", "There are"),
    ("there are no", "there are"), (" found no ", " found "), ("could not", "could"), (" cannot ", " can "),
    ("of no ", "of some "), ("booked", "cancelled"), ("cancelled", "booked"), ("will then cancel", "have cancelled"),
    ("will book", "have booked"), ("nothing", "something"), ("is free", "is not free"), (" runs", " never runs"),
    ("fully booked", "not fully booked"), ("welcomes", "welcomes no"), ("starting", "stopping"),
    ("stopping", "starting"), ("would then be", "is now"), ("is now", "would be"), ("You have", "You had"),
    ("have no", "have"), ("only help", "help"),
)  # fmt: skip
CLAIMS = (
    " with parking", " in Paris", " and is cheap", " for children only", " and 2 more", ", which is popular",
    " or later", " except on holidays", ", breakfast included", " by car", " for members", " tomorrow", " for $5",
    " and the best in town", " approximately", " at half price",
)  # fmt: skip
Lie = Callable[[str, Sequence[Fact], Sequence[Fact], random.Random], Iterator[str]]


def changed_digits(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    """Every digit once changed, once doubled, once left out."""
    for match in re.finditer(r"\d", said):
        start, end = said[: match.start()], said[match.end() :]
        yield f"{start}{(int(match[0]) + rng.randint(1, 9)) % 10}{end}"
        yield f"{start}{match[0]}{rng.randint(0, 9)}{end}"
        yield start + end


def swapped_names(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    for name in {f.name for f in facts if f.name}:
        for other in {f.name for f in others if f.name} - {name}:
            yield said.replace(name, other)


def flipped(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    for old, new in FLIPS:
        if old in said:
            yield said.replace(old, new, 1)


def swapped_values(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    """Any two values of the facts trade places, within one fact and between two."""
    values = list(dict.fromkeys(v for f in facts for v in f.values))
    for number, one in enumerate(values):
        for two in values[number + 1 :]:
            if one in said and two in said and one not in two and two not in one:
                yield said.replace(one, "\0").replace(two, one).replace("\0", two)


def foreign_values(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    """Another place's value stands where this one's should: another feature, street, day, time, …"""
    own = {v for f in facts for v in f.values}
    foreign = [v for f in others for v in f.values if v not in own]
    for value in own:
        if foreign and value in said:
            yield said.replace(value, rng.choice(foreign), 1)


def dropped(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    for value in {v for f in facts for v in f.values}:
        if value in said:
            yield re.sub(r"\s+", " ", said.replace(value, "", 1)).replace(" .", ".").strip()


def added(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    """A claim at the end, one after some word, and another place's value."""
    claim, words = rng.choice(CLAIMS), said.split(" ")
    yield said[:-1] + claim + said[-1]
    place = rng.randint(1, len(words))
    yield " ".join([*words[:place], claim.strip(), *words[place:]])
    own = {v for f in facts for v in f.values}
    foreign = [v for f in others for v in f.values if v not in own and v not in said]
    if foreign:
        yield f"{said[:-1]} and {rng.choice(foreign)}{said[-1]}"


LIES: dict[str, Lie] = {
    "digits": changed_digits,
    "names": swapped_names,
    "flips": flipped,
    "swaps": swapped_values,
    "foreign": foreign_values,
    "dropped": dropped,
    "added": added,
}
