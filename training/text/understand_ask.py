"""Questions about one place: named, one of those shown, or the one talked about."""

import random
import re

from apps.concierge.catalogue import SeedPlace
from apps.concierge.hours import DAYS
from apps.concierge.requests import request
from apps.serving.names import Json
from training.text import understand_ask_words as words
from training.text.example import Split
from training.text.grammar import expand, fill, pick
from training.text.meant import Meant
from training.text.slots import any_day, any_time
from training.text.talks import Talk, talk

_PRONOUNS = ("it", "it", "it", "this place", "that place", "that one", "this one")
_NAMED = ("start", "start", "list", "place", "place", "booking", "booked")
ASPECTS = (*words.ASPECTS, "feature")


def ask(rng: random.Random, split: Split, aspect: str) -> Meant:
    """A question about `aspect`: of a place by name (half), by order, by pronoun or with nothing but the talk."""
    how = rng.choice(("named", "named", "named", "short", "short", "pronoun", "order"))
    if how == "short":
        return _short(rng, split, aspect)
    state = {
        "named": rng.choice(_NAMED),
        "order": "list",
        "pronoun": rng.choice(("place", "place", "booked", "booking")),
    }
    here = talk(rng, split, state[how])
    place, said = _subject(rng, here, how)
    return _asked(rng, split, here, aspect, place, said, _phrase(rng, split, aspect))


def _subject(rng: random.Random, here: Talk, how: str) -> tuple[SeedPlace, str]:
    if how == "named":
        place = rng.choice(here.catalogue.places)
        return place, place.name if rng.random() < 0.85 else f"the {place.name.removeprefix('The ')}"
    if how == "order":
        index = rng.randrange(len(here.shown))
        order = ("the first one", "the second one", "the third one")[index]
        last = index == len(here.shown) - 1 and rng.random() < 0.3
        return here.shown[index], "the last one" if last else rng.choice((order, order, order.removesuffix(" one")))
    assert here.focus is not None
    service = "place" if here.focus.service == "event" else here.focus.service
    return here.focus, rng.choice((*_PRONOUNS, f"the {service}"))


def _phrase(rng: random.Random, split: Split, aspect: str) -> str:
    return pick(rng, split, words.FEATURE if aspect == "feature" else words.ASPECTS[aspect])


def _short(rng: random.Random, split: Split, aspect: str) -> Meant:
    here = talk(rng, split, rng.choice(("place", "place", "place", "booked")))
    assert here.focus is not None
    phrases = words.SHORT_FEATURE if aspect == "feature" else words.SHORT[aspect]
    return _asked(rng, split, here, aspect, here.focus, "it", pick(rng, split, phrases))


def _asked(
    rng: random.Random, split: Split, here: Talk, aspect: str, place: SeedPlace, said: str, phrase: str
) -> Meant:
    slots: dict[str, Json] = {}
    feature = _feature(rng, here, place) if aspect == "feature" else ""
    if feature in words.SAID and "{s}" in phrase and rng.random() < 0.6:
        special = expand(rng, pick(rng, split, words.SAID[feature]))
        # Without its name the place must be the one talked about.
        phrase = special if "{s}" in special or place == here.focus else phrase
    if feature:
        slots["feature"] = feature

    def value(name: str) -> str:
        if name == "day":
            day = any_day(rng, here.today)
            slots["day"] = DAYS[day.day.weekday()]
            return day.said
        if name == "time":
            time = any_time(rng)
            slots["time"] = time.value
            return time.said
        return said if name == "s" else feature

    if said in ("it", "the place") or (said.startswith("the ") and place == here.focus):
        phrase = re.sub(r"\b(at|to|into|in|of|on|about|for) \{s\}", r"\1 that place", phrase)
    text = fill(expand(rng, phrase), value)
    if text == "is it open now":
        slots["day"] = DAYS[here.today.weekday()]
    return Meant(here, f"ask {aspect}", text, request("ask", place=place.slug, aspect=aspect, **slots))


def _feature(rng: random.Random, here: Talk, place: SeedPlace) -> str:
    """Of the place, or of others of its service, so that the answer may be no."""
    other = rng.choice(here.catalogue.of(place.service))
    return rng.choice(place.features if rng.random() < 0.5 else other.features)
