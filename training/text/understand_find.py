"""Messages that look for places: with a service, without one, and for other places than those shown."""

import random
from collections.abc import Mapping

from apps.concierge.catalogue import SERVICES
from apps.concierge.requests import request
from apps.serving.names import Json
from training.text.example import Split
from training.text.grammar import expand, fill, pick
from training.text.meant import Meant
from training.text.slots import any_day
from training.text.talks import Talk, talk
from training.text.wishes import FEATURE_WORDS, PRICE_WORDS, Wish, any_hint, any_wish

KEPT = ("area", "kind", "feature", "price", "day", "time")
_FRAMES = (
    "{one}",
    "{one} [please|pls|]",
    "{many}",
    "{many} [please|]",
    "[i want|i need|i'd like|i would like|we want|we need|we'd like] {one}",
    "[find|get|show|give] [me|us] {one}",
    "[show me|list|show us|let me see|let's see] [all|the|some|] {many}",
    "[looking for|i'm looking for|we are looking for|searching for|in search of] {one}",
    "[can|could|would] you [find|show|recommend|suggest] [me|us|] {one}",
    "[any|are there any|have you got any|do you have any|got any|do you know any] [good|nice|decent|] {many}",
    "is there [a good way to find|] {one}",
    "[do you know|do you have|have you got] {one}",
    "where can [i|we] find {one}",
    "where is there {one}",
    "[what|which] {many} [are there|do you have|can you recommend|would you recommend|are good]",
    "i [was wondering if|hope] you could find me {one}",
    "[what about|how about] {one}",
    "[we fancy|i fancy|i feel like|in the mood for|dying for] {one}",
    "[i want find|please to find|i search|i am search for|need find] {one}",
    "[recommend|suggest] {one}",
    "[recommendations|tips|ideas|suggestions] for {one}",
    "[anything like|something like] {one}",
    "[we're after|i'm after|after] {one}",
    "[need|want] {one} [asap|right now|quick|]",
    "would it be possible to find {one}",
    "[my wife|my husband|my friend|my boss|my mum] wants {one}",
    "[book|reserve] [me|us|] {one}",
    "[i'd like to|i want to|can i|can we|help me] book {one}",
    "the [best|top] {best}",
    "what's the [best|top rated|highest rated] {best}",
    "which is the best {best}",
)
_SWITCHES = (
    "[ok|and|now|next|also|great, now|alright, and] {one}",
    "[and|also] [i need|we need|show me|find me] {one}",
    "[then|after that] [we want|i want|we need] {one}",
    "[any|are there] {many} [near|near there|nearby|around there|close by|near it]{near}",
    "{many} [near there|nearby|around there|close to it|in the same area]{near}",
    "[forget that|never mind that|scrap that], [find me|show me|i want] {one}",
    "[actually|hmm actually|on second thought] [i'd rather have|i want|let's do] {one}",
    "i [said|meant|asked for] {one}",
    "not that, {one}",
)
_SOME = (
    "something with {feature}",
    "[anything|any place|somewhere|a place|someplace] with {feature}",
    "[anything|something] in {area}",
    "what is [there|good|interesting] in {area}",
    "[what's|what do you have] [around|near|in] {area}",
    "[somewhere|something|anything] {price}",
    "[somewhere|something|any place|anywhere] {price} in {area}",
    "show me what's in {area}",
    "[i need|we want|looking for] [something|somewhere] with {feature} in {area}",
    "[i'm|we are] [in|near] {area}, what's [good|there|close]",
    "[where|which place] has {feature}",
    "who has {feature}",
    "[places|place] with {feature}",
    "[stuff|things] in {area} [please|]",
)
_REFINE = (
    "[only|just] the {price} ones",
    "[only|just] [the ones|those] in {area}",
    "[only|just] [the ones|those|ones] with {feature}",
    "in {area} [please|]",
    "[and|what about|how about] in {area}",
    "[which|which ones|which of them|what ones] have {feature}",
    "[which|which ones|which of these] are open {day}",
    "[which ones|which of them|any of them] [are|is] {price}",
    "with {feature} [please|]",
    "[it should|they should|must] have {feature}",
    "[something|somewhere] {price} [please|]",
    "[something|one|any] in {area}",
    "[any|one|do any] with {feature}",
    "[make it|i'd prefer|preferably] {price}",
    "[i prefer|i'd rather be|better] in {area}",
    "i said {price}",
    "{price} [please|ones|]",
)
_OTHERS = (
    "[show me|give me|any|are there any|have you got] [others|other ones|more|more options|alternatives|other options]",
    "[others|more|another one|another|other options|next ones|show more|more please]",
    "[what|which] others [are there|do you have|have you got]",
    "[something|anything] similar",
    "[something|anything|one|places] like [this|that|it]",
    "[i don't like|don't like|not] [these|those|that one|any of these|it]",
    "[i don't like it|not for me|not my thing|we've been there|been there already], [what else|any others|show me"
    " others]",
    "other {nouns}",
    "[show me|are there|any|do you have] other {nouns}",
    "[another|a different] {noun}",
    "[can you show|could you find|can you suggest|find] [me|us] another {noun}",
    "[not these|none of these], [show me different ones|other ones please|different {nouns}]",
    "[keep looking|look for more|keep going|go on, more]",
    "[is that all|is that it|are those the only ones], [any more|anything else like it|no other {nouns}]",
    "what other {nouns} [are there|do you have|can you recommend]",
    "[hmm|no|nah] [show me|any] [different|other] {nouns}",
    "[anything|something] similar but {price}",
    "[a|any] {price} alternative",
    "[other|more] {nouns} [nearby|near there|in the same area]{near}",
    "[other|different] {nouns} in {area}",
    "[what else is there|what else have you got|what else do you have]",
    "[next|the next ones|show me the rest|the rest please]",
)
_PLURAL_OF_KEEP = ("start", "list", "list", "place", "place", "booking", "booked", "confirm")


def find(rng: random.Random, split: Split) -> Meant:
    """A wish with a service, named or hinted at; in a talk about something else it is a change of subject."""
    here = talk(rng, split, rng.choice(_PLURAL_OF_KEEP))
    service = rng.choice(list(SERVICES))
    if rng.random() < 0.33:
        if here.state != "start" and here.focus and here.focus.service == service:
            here = talk(rng, split, "start")
        return _found(here, any_hint(rng, here, service), "", {})
    wish = any_wish(rng, here, service)
    frames = _FRAMES
    if here.focus is not None and here.focus.service != service and rng.random() < 0.45:
        frames = _SWITCHES
    return _worded(rng, split, here, wish, pick(rng, split, frames))


def _worded(rng: random.Random, split: Split, here: Talk, wish: Wish, frame: str) -> Meant:
    near: dict[str, Json] = {}
    wording = expand(rng, frame)
    if "{near}" in wording:
        assert here.focus is not None
        wish = Wish(wish.one, wish.bare, wish.service, {"kind": wish.slots.get("kind", "")}, wish.strong)
        near = {"area": here.focus.area}
    if "{best}" in wording:
        one, slots = _best(wish)
        wish = Wish(one, wish.many, wish.service, slots, wish.strong)
    texts = {"one": wish.one, "many": wish.many, "best": wish.one, "near": ""}
    return _found(here, wish, fill(wording, texts.__getitem__), near)


def _best(wish: Wish) -> tuple[str, dict[str, Json]]:
    words = wish.one.removeprefix("a ").removeprefix("an ").removeprefix("some ")
    words = words.replace("somewhere to ", "place to ").replace("somewhere for ", "place for ")
    return words, {**wish.slots, "best": True}


def _found(here: Talk, wish: Wish, text: str, more: Mapping[str, Json]) -> Meant:
    """Wishes of the search just before stay when the service is not named again."""
    goes_on = here.before["op"] == "find" and here.before["service"] == wish.service and not wish.strong
    kept = {key: here.before[key] for key in KEPT if goes_on and key in here.before}
    if "day" in wish.slots:
        kept.pop("time", None)
    gold = request("find", service=wish.service, **{**kept, **wish.slots, **more})
    return Meant(here, f"find {wish.service}", text or wish.one, gold)


def find_some(rng: random.Random, split: Split) -> Meant:
    """A wish without a service: of the talk's, or of the one that most places with the feature have."""
    here = talk(rng, split, rng.choice(("start", "list", "list", "place")))
    frames = _REFINE if here.state == "list" else _SOME
    slots: dict[str, Json] = {}
    text = fill(expand(rng, pick(rng, split, frames)), lambda name: _slot(rng, here, name, slots))
    talked = here.focus.service if here.focus else ""
    service = _serving(here, str(slots.get("feature", "")), talked)
    kept = {k: here.before[k] for k in KEPT if here.before["op"] == "find" and service == talked and k in here.before}
    if "day" in slots:
        kept.pop("time", None)
    return Meant(here, "find", text, request("find", service=service, **{**kept, **slots}))


def _slot(rng: random.Random, here: Talk, name: str, slots: dict[str, Json]) -> str:
    if name == "feature":
        places = here.catalogue.of(here.focus.service) if here.focus else here.catalogue.places
        feature = rng.choice(rng.choice(places).features)
        slots["feature"] = feature
        return rng.choice(FEATURE_WORDS.get(feature, (feature,)))
    if name == "area":
        slots["area"] = rng.choice(here.catalogue.areas)
        return str(slots["area"])
    if name == "day":
        day = any_day(rng, here.today)
        slots["day"] = f"{day.day:%a}".lower()
        return day.said
    slots["price"] = rng.choice(("cheap", "cheap", "moderate", "expensive"))
    return rng.choice(PRICE_WORDS[str(slots["price"])])


def _serving(here: Talk, feature: str, talked: str) -> str:
    if not feature:
        return talked or "restaurant"
    having = {s: sum(feature in place.features for place in here.catalogue.of(s)) for s in SERVICES}
    return talked if talked and having[talked] else max(having, key=lambda service: having[service])


def others(rng: random.Random, split: Split) -> Meant:
    """Other places of the sort talked about; those shown are left out."""
    here = talk(rng, split, rng.choice(("list", "list", "list", "place", "place", "booking")))
    assert here.focus is not None
    service, slots = here.focus.service, {}
    names = {"noun": SERVICES[service].one, "nouns": SERVICES[service].many}
    text = fill(expand(rng, pick(rng, split, _OTHERS)), lambda n: names.get(n) or _near_or(rng, here, n, slots))
    search = here.context.get("search") or {}
    kept = {key: search[key] for key in KEPT if key in search}
    skip: list[Json] = [place.slug for place in here.shown]
    if here.focus.slug not in skip:
        skip.append(here.focus.slug)
    return Meant(here, "others", text, request("find", service=service, **{**kept, **slots}, skip=skip))


def _near_or(rng: random.Random, here: Talk, name: str, slots: dict[str, Json]) -> str:
    if name == "near":
        assert here.focus is not None
        slots["area"] = here.focus.area
        return ""
    return _slot(rng, here, name, slots)
