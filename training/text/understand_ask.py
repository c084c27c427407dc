"""Questions about one place: named, one of those shown, or the one talked about."""

import random
import re
from collections.abc import Mapping

from apps.concierge.catalogue import SeedPlace
from apps.concierge.hours import DAYS
from apps.concierge.requests import request
from apps.serving.names import Json
from training.text.example import Split
from training.text.grammar import expand, fill, pick
from training.text.meant import Meant
from training.text.slots import any_day, any_time
from training.text.talks import Talk, talk

# {s}: the place, by name or pronoun.
_ASPECTS: Mapping[str, tuple[str, ...]] = {
    "hours": (
        "when [is|does] {s} open",
        "[when|what time] does {s} [open|close|shut]",
        "[what are|tell me|give me|do you know] the [opening hours|opening times|hours] of {s}",
        "[opening hours|opening times|hours] [of|for|at] {s}",
        "is {s} open {day}",
        "is {s} open {day} {time}",
        "[how late|until when|till when] is {s} open [{day}|]",
        "what time does {s} [open|close] {day}",
        "is {s} closed {day}",
        "[can i|can we|could we] [go to|visit] {s} {day}",
        "will {s} be open {day}",
        "does {s} open {day}",
        "[what are|] the hours of {s} {day}",
        "{s} open {day}",
        "[from when|since what time] is {s} open",
        "{s} is open when",
        "what time {s} open",
        "are they open {day} at {s}",
        "when does {s} [start|begin|finish|end]",
        "is {s} still open {day} {time}",
        "what days is {s} open",
        "does {s} open early",
    ),
    "price": (
        "how much [is|does] {s} [cost|]",
        "how much do they charge at {s}",
        "what does {s} cost",
        "[what's|what is] the price [of|at|for] {s}",
        "is {s} [expensive|cheap|pricey|very expensive]",
        "[price|prices|cost] [of|for|at] {s}",
        "how expensive is {s}",
        "what [do i|do we|would i] pay at {s}",
        "what are the prices like at {s}",
        "how much for {s}",
        "[do you know|can you tell me] [what|how much] {s} costs",
        "how much money for {s}",
        "is {s} free",
        "[what will|how much will] {s} set [me|us] back",
        "can [i|we] afford {s}",
        "what's the damage at {s}",
        "entry fee for {s}",
    ),
    "address": (
        "where is {s}",
        "[what's|what is|give me|tell me|send me] the address of {s}",
        "address of {s}",
        "where exactly is {s}",
        "where can i find {s}",
        "where is {s} located",
        "[in which|which] street is {s} [on|in|]",
        "[location|exact location] of {s}",
        "[what|which] [part of town|area|district] is {s} in",
        "whereabouts is {s}",
        "where's {s}",
        "{s} is where",
    ),
    "directions": (
        "how do [i|we] get to {s}",
        "how [can|could|would] [i|we] get to {s}",
        "directions to {s}",
        "[which|what] [tram|bus|line] goes to {s}",
        "what's the [best|easiest|quickest] way to {s}",
        "how to get to {s}",
        "[i need|give me|can i have] directions to {s}",
        "how far is {s} from the [stop|tram|nearest station]",
        "can [i|we] walk to {s}",
        "what's the nearest [stop|tram stop|station] to {s}",
        "how do i reach {s}",
        "where do i get off for {s}",
        "the way to {s} please",
        "which stop for {s}",
        "[can i take|do i take] the [tram|bus] to {s}",
        "how i go to {s}",
        "show me the route to {s}",
    ),
    "phone": (
        "[what's|what is|give me|do you have] the [phone number|number|telephone number|phone] of {s}",
        "[phone number|phone|number|telephone] [of|for] {s}",
        "how can [i|we] [call|phone|contact|ring] {s}",
        "can i [call|phone|ring] {s}",
        "[contact|contact details] [of|for] {s}",
        "i need to call {s}",
        "what number do i [call|dial] for {s}",
        "i want to speak to someone at {s}",
        "how do i get hold of {s}",
        "do they have a phone at {s}",
        "i'd like to ring {s}",
    ),
    "rating": (
        "how is {s} rated",
        "is {s} [any good|good|worth it|worth a visit|nice]",
        "[what's|what is] the rating of {s}",
        "[rating|reviews|review] [of|for] {s}",
        "how good is {s}",
        "what do people [say|think] [about|of] {s}",
        "do people like {s}",
        "how many stars does {s} have",
        "does {s} have good reviews",
        "would you recommend {s}",
        "is {s} popular",
        "has {s} got a good name",
        "what score does {s} have",
    ),
    "capacity": (
        "how many people [fit in|fit into|can go to] {s}",
        "how big is {s}",
        "what's the capacity of {s}",
        "how many [guests|people|visitors] can {s} [take|hold|have]",
        "how large is {s}",
        "is {s} [big|large] enough for [a big group|twenty people|a party of 30|our group]",
        "is there room for [20|thirty|fifteen] at {s}",
        "capacity of {s}",
        "how many seats does {s} have",
        "does {s} have space for [a large group|many people]",
        "can {s} take [large|big] groups",
    ),
    "features": (
        "what does {s} [offer|have]",
        "what [features|facilities|amenities] does {s} have",
        "what can [i|we] do at {s}",
        "[features|facilities|amenities] [of|at] {s}",
        "what is there at {s}",
        "what do they have at {s}",
        "what's [included|special] at {s}",
        "what all does {s} have",
        "what's on offer at {s}",
        "anything special at {s}",
        "what services does {s} have",
        "what extras do you get at {s}",
    ),
    "overview": (
        "tell me [more|] about {s}",
        "[more|more info|information|details|info] [about|on] {s}",
        "what is {s}",
        "what's {s} [like|]",
        "describe {s}",
        "[i want|i'd like|we want] to know [more|] about {s}",
        "what kind of place is {s}",
        "[can you|could you] tell me [something|more] about {s}",
        "do you know {s}",
        "have you heard of {s}",
        "what [can|do] you [tell me|know] about {s}",
        "give me the [details|lowdown|basics] on {s}",
        "what sort of place is {s}",
        "{s} sounds interesting, tell me more",
        "[show me|let me see] {s}",
    ),
}
# After talk of a place its name or pronoun may be left out.
_SHORT: Mapping[str, tuple[str, ...]] = {
    "hours": (
        "[opening hours|hours|opening times]",
        "[and|what about|how about] {day}",
        "[when does it close|closing time|when do they shut]",
        "and is it open {day}",
        "open {day}",
        "[when can i go|when can we visit|when should we come]",
        "is it open {day}",
        "are they open {day} {time}",
        "is it open now",
    ),
    "price": ("how much", "[and|] the price", "price", "and how much is it", "what's the cost", "cost"),
    "address": ("[and|] where is it", "where", "address", "the address [please|]", "and the address", "where is that"),
    "directions": (
        "how do [i|we] get there",
        "directions",
        "which [tram|bus]",
        "how to go there",
        "how far is it from the stop",
        "can we walk there",
        "and how do we get there",
    ),
    "phone": ("phone number", "[and|] the phone number", "can i call them", "number please", "do they have a phone"),
    "rating": ("is it any good", "rating", "reviews", "and is it good", "is it worth it", "how many stars"),
    "capacity": ("how big is it", "how many people fit in", "is it big enough for [a group|us all]", "capacity"),
    "features": ("what do they offer", "what else do they have", "facilities", "what's included", "and what's there"),
    "overview": (
        "tell me more",
        "more [info|details|information] [please|]",
        "[more about it|about that one]",
        "what is it like",
        "sounds good, tell me more",
        "what's it like there",
        "go on, tell me more",
        "interesting, and what is it",
    ),
}
_FEATURE = (
    "does {s} have {f}",
    "is there {f} at {s}",
    "do they have {f} at {s}",
    "has {s} got {f}",
    "{f} at {s}",
    "does {s} offer {f}",
    "can i get {f} at {s}",
    "is {f} available at {s}",
    "i need {f}, does {s} have it",
    "what about {f} at {s}",
    "any {f} at {s}",
    "would there be {f} at {s}",
)
_SHORT_FEATURE = (
    "[and|what about|how about] {f}",
    "is there {f}",
    "do they have {f}",
    "does it have {f}",
    "any {f} there",
    "{f} there",
    "have they got {f}",
    "is there {f} there",
    "and do they have {f}",
    "{f} as well",
)
_SAID: Mapping[str, tuple[str, ...]] = {
    "pets welcome": ("can i bring my dog [to {s}|]", "are [dogs|pets] [allowed|ok] [at {s}|]", "dogs ok [at {s}|]"),
    "parking": ("can i park [the car|] [at {s}|there]", "where do i park [at {s}|]", "is there a car park [at {s}|]"),
    "wheelchair access": ("is {s} wheelchair accessible", "can i come to {s} in a wheelchair", "is {s} step-free"),
    "wifi": ("is there internet at {s}", "can i get online with wifi at {s}"),
    "outdoor seating": ("can we sit outside [at {s}|]", "is there a terrace [at {s}|]"),
    "kids friendly": ("can i bring the kids [to {s}|]", "is {s} ok for children"),
    "vegan menu": ("is there anything vegan at {s}", "do they do vegan food at {s}"),
    "takeaway": ("can i get takeout at {s}", "do they do takeaway at {s}"),
    "pool": ("can i swim at {s}", "is there a swimming pool at {s}"),
    "live music": ("is there a band at {s}",),
    "breakfast": ("do i get breakfast at {s}", "is breakfast included at {s}"),
    "guided tours": ("is there a guide at {s}", "can we get a guided tour of {s}"),
    "wine list": ("do they have good wine at {s}",),
}
_PRONOUNS = ("it", "it", "it", "this place", "that place", "that one", "this one")
_NAMED = ("start", "start", "list", "place", "place", "booking", "booked")
ASPECTS = (*_ASPECTS, "feature")


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
    return _asked(rng, split, here, aspect, place, said, _phrase(rng, split, aspect, here, place))


def _subject(rng: random.Random, here: Talk, how: str) -> tuple[SeedPlace, str]:
    if how == "named":
        place = rng.choice(here.catalogue.places)
        return place, place.name if rng.random() < 0.85 else f"the {place.name.removeprefix('The ')}"
    if how == "order":
        index = rng.randrange(len(here.shown))
        words = ("the first one", "the second one", "the third one")[index]
        last = index == len(here.shown) - 1 and rng.random() < 0.3
        return here.shown[index], "the last one" if last else rng.choice((words, words, words.removesuffix(" one")))
    assert here.focus is not None
    service = "place" if here.focus.service == "event" else here.focus.service
    return here.focus, rng.choice((*_PRONOUNS, f"the {service}"))


def _phrase(rng: random.Random, split: Split, aspect: str, here: Talk, place: SeedPlace) -> str:
    return pick(rng, split, _FEATURE if aspect == "feature" else _ASPECTS[aspect])


def _short(rng: random.Random, split: Split, aspect: str) -> Meant:
    here = talk(rng, split, rng.choice(("place", "place", "place", "booked")))
    assert here.focus is not None
    phrases = _SHORT_FEATURE if aspect == "feature" else _SHORT[aspect]
    return _asked(rng, split, here, aspect, here.focus, "it", pick(rng, split, phrases))


def _asked(
    rng: random.Random, split: Split, here: Talk, aspect: str, place: SeedPlace, said: str, phrase: str
) -> Meant:
    slots: dict[str, Json] = {}
    feature = _feature(rng, here, place) if aspect == "feature" else ""
    if feature in _SAID and "{s}" in phrase and rng.random() < 0.6:
        special = expand(rng, pick(rng, split, _SAID[feature]))
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
