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
    ("have no", "have"), ("only help", "help"), ("more than ", ""), ("more than", "up to"),
    ("So that is", "So you have"),
    ("I will get you", "You get"), (" is fully", " has you fully"), ("closes at", "closes on Friday from"),
    ("stopping at", "stopping from"), ("is free for", "has a charge for"),
)  # fmt: skip
CLAIMS = (
    " with parking", " in Paris", " and is cheap", " for children only", " and 2 more", ", which is popular",
    " or later", " except on holidays", ", breakfast included", " by car", " for members", " tomorrow", " for $5",
    " and the best in town", " approximately", " at half price",
)  # fmt: skip
ASSERTIONS = (
    "You can visit it on that day.", "We have a time for you on that day.", "It has that.", "It is very good.",
    "There is a day for you.", "We will be here on that day.", "You will enjoy this.", "It is here for you.",
)  # fmt: skip
NOUNS = {
    "restaurant": "meal", "hotel": "room", "event": "ticket", "museum": "ticket", "ride": "ride", "spa": "session",
}  # fmt: skip
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


def moved_denials(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    """The negator leaves what it denies, for a clause of its own."""
    for match in re.finditer(r"\b(?:no|not|cannot|without) ", said):
        told = said[: match.start()] + ("can " if match[0] == "cannot " else "") + said[match.end() :]
        yield from (f"No; {told}", f"Sorry, no, {told}", f"We do not, but {told}", f"{told[:-1]}, no{told[-1]}")
        if facts[0].name:
            yield told.replace(facts[0].name, f"not {facts[0].name}", 1)


def courteous(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    yield from ASSERTIONS


def asked(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    if not facts[0].text.endswith("?"):
        yield from (f"{said[:-1]}?", f"{said[:-1]}?!", said.replace(" ", "? ", 1))


def misled(said: str, facts: Sequence[Fact], others: Sequence[Fact], rng: random.Random) -> Iterator[str]:
    """The way starts where it should end; a price is that of another service."""
    about, values, name = facts[0].about, facts[0].values, facts[0].name
    if about == "directions":
        line, stop, walk = values[:3]
        yield said.replace(line, f"{line} from {name}")
        yield f"From {name}, {said[0].lower()}{said[1:]}"
        yield f"Board {line} at {stop}, {walk} from {name}."
        yield f"Take {line} from {stop}, {walk} to {name}."
        yield f"Take {line} to {name}, {walk} from {stop}."
    for noun in {noun for noun in NOUNS.values() if noun != NOUNS.get(facts[0].service)}:
        if about == "price":
            yield from (f"A {noun} at {name} costs {values[1]}.", f"The {noun} to {name} is {values[1]}.")
            yield f"For a {noun} you pay {values[1]} at {name}."
        if about == "free":
            yield f"A {noun} at {name} is free for everyone."


LIES: dict[str, Lie] = {
    "digits": changed_digits,
    "names": swapped_names,
    "flips": flipped,
    "swaps": swapped_values,
    "foreign": foreign_values,
    "dropped": dropped,
    "added": added,
    "moved": moved_denials,
    "courteous": courteous,
    "asked": asked,
    "misled": misled,
}
