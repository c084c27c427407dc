"""Facts about one place, one aspect each, so that a reply says only what was asked."""

from collections.abc import Callable, Mapping, Sequence

from apps.concierge.fact_types import Fact, fact
from apps.concierge.hours import DAY_NAMES, is_open
from apps.concierge.requests import Request
from apps.concierge.wording import article, clock, joined, kind_noun, open_days, price_words
from apps.serving.names import Json

PlaceRow = Mapping[str, Json]


def ask_facts(asked: Request, place: PlaceRow) -> Sequence[Fact]:
    return [ASPECTS[str(asked["aspect"])](asked, place)]


def _overview(asked: Request, place: PlaceRow) -> Fact:
    name, noun, area = str(place["name"]), kind_noun(place), str(place["area"])
    rated = f"{place['rating']} out of 5"
    text = f"{name} is {article(noun)} {noun} in {area}, rated {rated}."
    return fact(text, name, noun, area, rated, name=name)


def _hours(asked: Request, place: PlaceRow) -> Fact:
    if "day" in asked:
        return _hours_on(asked, place)
    name, hours = str(place["name"]), place["hours"]
    spans = {tuple(span) for span in hours.values()}
    days = open_days(hours) if hours else ""
    if not hours:
        return fact(f"{name} is closed every day.", name, "every day", name=name)
    if len(spans) > 1:
        listed = [f"{DAY_NAMES[d]} {clock(a)} to {clock(b)}" for d, (a, b) in hours.items()]
        return fact(f"{name} is open {joined(listed)}.", name, *listed, name=name)
    return _open(f"{name} is open", name, days, *spans.pop())


def _open(start: str, name: str, days: str, opens: str, closes: str) -> Fact:
    if (opens, closes) == ("00:00", "24:00"):
        return fact(f"{start} {days}, day and night.", name, days, "day and night", name=name)
    span = f"{clock(opens)} to {clock(closes)}"
    return fact(f"{start} {days} from {span}.", name, days, span, name=name)


def _hours_on(asked: Request, place: PlaceRow) -> Fact:
    name, day = str(place["name"]), str(asked["day"])
    on, span, time = DAY_NAMES[day], place["hours"].get(day), str(asked.get("time", ""))
    if span is None:
        return fact(f"No, {name} is closed on {on}.", name, on, name=name)
    if not time:
        return _open(f"Yes, {name} is open on", name, on, *span)
    if is_open(place["hours"], day, time):
        return fact(f"Yes, {name} is open on {on} at {clock(time)}.", name, on, clock(time), name=name)
    return fact(f"No, {name} is closed on {on} at {clock(time)}.", name, on, clock(time), name=name)


def _price(asked: Request, place: PlaceRow) -> Fact:
    name = str(place["name"])
    if place["price"] == 0:
        return fact(f"{name} is free for everyone.", name, "free for everyone", name=name)
    cost = price_words(place)
    return fact(f"{name} costs {cost}.", name, cost, name=name)


def _directions(asked: Request, place: PlaceRow) -> Fact:
    name, line, stop = str(place["name"]), str(place["line"]), str(place["stop"])
    minutes = "1 minute" if place["walk"] == 1 else f"{place['walk']} minutes"
    walk = f"{minutes} on foot"
    return fact(f"Take {line} to {stop}, {walk} from {name}.", line, stop, walk, name, name=name)


def _rating(asked: Request, place: PlaceRow) -> Fact:
    name, rated = str(place["name"]), f"{place['rating']} out of 5"
    return fact(f"{name} is rated {rated}.", name, rated, name=name)


def _features(asked: Request, place: PlaceRow) -> Fact:
    name, features = str(place["name"]), [str(f) for f in place["features"]]
    if not features:
        return fact(f"{name} has nothing special to mention.", name, name=name)
    return fact(f"{name} offers {joined(features)}.", name, *features, name=name)


def _feature(asked: Request, place: PlaceRow) -> Fact:
    name, wanted = str(place["name"]), str(asked["feature"])
    if wanted in place["features"]:
        return fact(f"Yes, {name} offers {wanted}.", name, wanted, name=name)
    return fact(f"No, {name} does not offer {wanted}.", name, "not offer", wanted, name=name)


def _phone(asked: Request, place: PlaceRow) -> Fact:
    name, phone = str(place["name"]), str(place["phone"])
    return fact(f"The phone number of {name} is {phone}.", name, phone, name=name)


def _address(asked: Request, place: PlaceRow) -> Fact:
    name, address, area = str(place["name"]), str(place["address"]), str(place["area"])
    return fact(f"{name} is at {address} in {area}.", name, address, area, name=name)


def _capacity(asked: Request, place: PlaceRow) -> Fact:
    name, people = str(place["name"]), f"{place['capacity']} people"
    return fact(f"{name} has room for {people}.", name, people, name=name)


ASPECTS: Mapping[str, Callable[[Request, PlaceRow], Fact]] = {
    "overview": _overview,
    "hours": _hours,
    "price": _price,
    "directions": _directions,
    "rating": _rating,
    "features": _features,
    "feature": _feature,
    "phone": _phone,
    "address": _address,
    "capacity": _capacity,
}
