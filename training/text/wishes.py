"""Wishes for places as guests word them, each with the slots that a careful listener takes from it."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.concierge.hours import DAYS
from apps.serving.names import Json
from training.text.catalogues import Catalogue
from training.text.grammar import expand
from training.text.slots import any_day, any_time
from training.text.talks import Talk

# Words that always mean the service, singular and plural.
NOUNS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "restaurant": (
        ("a restaurant", "restaurants"),
        ("a restaurant", "restaurants"),
        ("a place to eat", "places to eat"),
        ("somewhere to eat", "places to eat"),
        ("a place for dinner", "dinner places"),
        ("somewhere for lunch", "lunch places"),
        ("a spot for dinner", "restaurants"),
        ("an eatery", "eateries"),
    ),
    "hotel": (
        ("a hotel", "hotels"),
        ("a hotel", "hotels"),
        ("a place to stay", "places to stay"),
        ("somewhere to stay", "places to sleep"),
        ("accommodation", "hotels"),
        ("a hotel room", "hotel rooms"),
        ("somewhere to sleep", "hotels"),
    ),
    "event": (
        ("an event", "events"),
        ("some event", "events"),
        ("a show or event", "shows"),
        ("entertainment", "events"),
        ("an event to go to", "events to go to"),
    ),
    "museum": (
        ("a museum", "museums"),
        ("a museum", "museums"),
        ("an exhibition", "exhibitions"),
        ("a gallery", "galleries"),
        ("a museum to visit", "museums to visit"),
    ),
    "ride": (
        ("a ride", "rides"),
        ("a ride", "rides"),
        ("transport", "rides"),
        ("some transport", "rides"),
        ("a ride around town", "rides around town"),
    ),
    "spa": (
        ("a spa", "spas"),
        ("a spa", "spas"),
        ("a wellness place", "wellness places"),
        ("a spa to relax in", "spas"),
        ("some pampering", "spas"),
    ),
}
# Said for a service without its name; they carry no other wish.
HINTS: Mapping[str, tuple[str, ...]] = {
    "restaurant": (
        "[i'm|we're|i am] [so|really|very|] [hungry|starving]",
        "[i could|i can] eat a [horse|cow]",
        "where can [i|we] [eat|have dinner|get dinner|get lunch|grab a bite|get some food]",
        "[i need|we need|get me|i want] [food|dinner|something to eat|a bite to eat|a good meal]",
        "my stomach is [growling|empty]",
        "[we haven't eaten|i haven't eaten] all day",
        "[what about|how about|any ideas for] dinner",
        "[fancy|i fancy] a [nice|good] meal",
        "[the whole family|my friend|everybody here] wants [food|to eat]",
        "is there anything to eat around here",
        "[could you|can you] [recommend|suggest] somewhere for dinner",
    ),
    "hotel": (
        "where can [i|we] [sleep|stay|stay overnight|spend the night|crash]",
        "[i need|we need|looking for] a [bed|room] for [the night|a few nights|two nights|a week]",
        "[i need|we need] somewhere to [sleep|crash|stay the night]",
        "we have nowhere to [stay|sleep]",
        "our [room|place|apartment] fell through and we need a bed",
        "[tired|exhausted] and need a bed",
        "[any|do you know a] place we can stay overnight",
        "[we are|i'm] staying three nights and have no [room|place] yet",
        "where do people stay in this town",
        "[find|get] us a roof for the night",
    ),
    "event": (
        "[i want|we want|i'd like|looking for|show me|is there] something fun",
        "[we're|i'm|my friends are] bored",
        "what's [on|going on|happening] [in town|around here|here|]",
        "[anything|something] fun going on",
        "[i want to|let's|we'd like to] [go out|have some fun|party]",
        "where's the [party|action]",
        "[i'm|we are] in the mood for [a night out|some fun|entertainment]",
        "what is there to do in the evening",
        "[entertain me|surprise me with something fun]",
        "what can we do [for fun|in the evening|at night]",
        "is anything happening",
        "i want to see [a performance|something on stage]",
    ),
    "museum": (
        "[i want|we want|i'd like] [some culture|to see some art|to learn some history]",
        "where can [i|we] see [paintings|old things|some art]",
        "something cultural [for a rainy day|please|]",
        "[i'm|we're] into [art|history]",
        "[something|anything] educational [for us|please|]",
        "where do you keep the old masters in this city",
        "[i would like to|want to|can we] look at [art|paintings|sculptures]",
        "[we'd|i'd] like to learn about the [city's history|past]",
        "[show me|is there] any [art|culture|history] [here|in this town|]",
    ),
    "ride": (
        "how do [i|we] get around [here|town|the city]",
        "[i need|we need] [a lift|wheels|a driver]",
        "my feet [hurt|are killing me], [i don't want to walk|no more walking]",
        "[what's|what is] the best way to get around",
        "[can someone|who can] drive [me|us] [home|across town|to the station]",
        "[i want to|we'd like to] [cycle|paddle|be driven] around",
        "[we need|i need] to get across town [fast|quickly]",
        "too tired to walk",
        "[can i|can we|where can i] rent something to ride",
        "how can we cross the water",
    ),
    "spa": (
        "[i need|we need|i want] to [relax|unwind|de-stress]",
        "my back [hurts|is killing me]",
        "somewhere to [relax|unwind|chill and sweat]",
        "[i'm|we are] so stressed",
        "[my muscles are|i am] sore after all that walking",
        "[something|anything] relaxing [please|for two|]",
        "[i want|treat me to] a day of [wellness|doing nothing in hot water]",
        "where can [i|we] [get pampered|have a soak|sweat a bit|have a treatment]",
        "i could use some me time",
    ),
}
KIND_WORDS: Mapping[str, tuple[str, ...]] = {
    "Italian": ("pizza", "pasta"),
    "Japanese": ("sushi", "ramen"),
    "Mexican": ("tacos", "burritos"),
    "Indian": ("curry",),
    "Chinese": ("noodles", "dumplings"),
    "seafood": ("fish", "oysters"),
    "grill": ("steak", "burgers"),
    "vegetarian": ("vegan food", "veggie food"),
    "cafe": ("coffee",),
    "Spanish": ("tapas", "paella"),
    "Greek": ("gyros",),
    "Korean": ("bibimbap",),
    "Lebanese": ("falafel",),
    "concert": ("jazz",),
    "cinema": ("movie", "film"),
    "comedy": ("stand-up",),
    "tour": ("walking tour",),
    "taxi": ("cab",),
    "bike hire": ("bike", "bicycle"),
    "kayak hire": ("kayak",),
    "scooter hire": ("scooter",),
    "massage spa": ("massage",),
    "yoga studio": ("yoga class",),
}
PRICE_WORDS: Mapping[str, tuple[str, ...]] = {
    "cheap": ("cheap", "cheap", "affordable", "inexpensive", "budget", "not too expensive"),
    "moderate": ("mid-range", "moderately priced", "reasonably priced"),
    "expensive": ("fancy", "upscale", "luxury", "expensive", "posh"),
}
FEATURE_WORDS: Mapping[str, tuple[str, ...]] = {
    "outdoor seating": ("a terrace", "tables outside", "outdoor seating"),
    "pets welcome": ("dogs allowed", "room for my dog", "pets welcome"),
    "wheelchair access": ("wheelchair access", "step-free access"),
    "kids friendly": ("something for kids", "fun for children"),
    "kids menu": ("a kids menu", "a menu for kids"),
    "wifi": ("wifi", "good wifi", "internet"),
    "pool": ("a pool", "a swimming pool"),
    "parking": ("parking", "a car park", "parking space"),
    "gym": ("a gym", "a fitness room"),
    "breakfast": ("breakfast", "breakfast included"),
    "guided tours": ("guided tours", "a guide"),
    "takeaway": ("takeaway", "takeout"),
    "live music": ("live music", "a live band"),
    "wine list": ("good wine", "a wine list"),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """one, many: the wish with a singular and a plural noun; bare: that plural alone

    strong: the service is named outright"""

    one: str
    many: str
    service: str
    slots: Mapping[str, Json] = field(default_factory=dict)
    strong: bool = True
    bare: str = ""


def any_wish(rng: random.Random, talk: Talk, service: str) -> Wish:
    """A noun of the service, or a kind of it, with up to three wishes more."""
    slots: dict[str, Json] = {}
    one, many, strong = _noun(rng, talk.catalogue, service, slots)
    price = ""
    if rng.random() < 0.25:
        slots["price"] = rng.choice(("cheap", "cheap", "cheap", "moderate", "expensive"))
        price = rng.choice(PRICE_WORDS[str(slots["price"])])
    tail = _tail(rng, talk, service, slots)
    return Wish(f"{_priced(one, price)} {tail}".strip(), f"{price} {many} {tail}".strip(), service, slots, strong, many)


def _noun(rng: random.Random, places: Catalogue, service: str, slots: dict[str, Json]) -> tuple[str, str, bool]:
    if rng.random() < 0.55:
        one, many = rng.choice(NOUNS[service])
        return one, many, True
    kind = rng.choice(sorted({place.kind for place in places.of(service)}))
    slots["kind"] = kind
    if kind in KIND_WORDS and rng.random() < 0.4:
        word = rng.choice(KIND_WORDS[kind])
        if service == "restaurant":
            return expand(rng, f"[some|good|] {word}"), f"places for {word}", False
        return f"{_article(word)} {word}", f"{word} places" if service == "spa" else word, False
    if service == "restaurant" and kind not in ("cafe", "bistro"):
        noun = rng.choice(("restaurant", "restaurant", "place to eat"))
        return f"{_article(kind)} {kind} {noun}", f"{kind} {noun.replace('restaurant', 'restaurants')}", True
    return f"{_article(kind)} {kind}", kind if kind.endswith(("s", "comedy")) else f"{kind}s", False


def _article(word: str) -> str:
    return "" if word.endswith("s") else "an" if word[0].lower() in "aeiou" else "a"


def _priced(one: str, price: str) -> str:
    """ "a hotel" and "affordable" as "an affordable hotel" """
    if not price:
        return one
    first, _, rest = one.partition(" ")
    if first in ("a", "an"):
        return f"{_article(price + ' x')} {price} {rest}"
    if first in ("somewhere", "some"):
        return f"{first} {price} {rest}"
    return f"{price} {one}"


def _tail(rng: random.Random, talk: Talk, service: str, slots: dict[str, Json]) -> str:
    parts: list[str] = []
    if rng.random() < 0.22:
        places = talk.catalogue.of(service)
        feature = rng.choice(rng.choice(places).features)
        # A word of the feature that is also one of the kind would say both or neither.
        if feature not in str(slots.get("kind", "")):
            slots["feature"] = feature
            parts.append(f"with {rng.choice(FEATURE_WORDS.get(feature, (feature,)))}")
    if rng.random() < 0.33:
        slots["area"] = rng.choice(talk.catalogue.areas)
        parts.append(f"{rng.choice(('in', 'in', 'in', 'near', 'around', 'close to'))} {slots['area']}")
    if rng.random() < (0.35 if service == "event" else 0.12):
        day = any_day(rng, talk.today)
        slots["day"] = DAYS[day.day.weekday()]
        said = day.said if service == "event" else f"open {day.said}"
        if rng.random() < 0.15:
            time = any_time(rng)
            slots["time"], said = time.value, f"{said} {time.said}"
        parts.append(said)
    return " ".join(parts)


def any_hint(rng: random.Random, talk: Talk, service: str) -> Wish:
    """A service that is meant, not named, sometimes with an area or a day."""
    slots: dict[str, Json] = {}
    words = [expand(rng, rng.choice(HINTS[service]))]
    chance = rng.random()
    if chance < 0.2:
        slots["area"] = rng.choice(talk.catalogue.areas)
        words.append(f"in {slots['area']}")
    elif chance < 0.4 and service == "event":
        day = any_day(rng, talk.today)
        slots["day"] = DAYS[day.day.weekday()]
        words.append(day.said)
    return Wish(" ".join(words), "", service, slots, strong=False)
