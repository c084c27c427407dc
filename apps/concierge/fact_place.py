"""Facts about one place, one aspect each, so that a reply says only what was asked."""

from collections.abc import Callable, Mapping, Sequence

from apps.concierge.fact_types import Fact, fact
from apps.concierge.hours import DAY_NAMES, is_open
from apps.concierge.requests import Request
from apps.concierge.wording import article, clock, joined, kind_noun, open_days, people_words, price_words
from apps.serving.names import Json

PlaceRow = Mapping[str, Json]
ALL_DAY = ("00:00", "24:00")


def ask_facts(asked: Request, place: PlaceRow) -> Sequence[Fact]:
    """One fact, and one more where a second aspect is asked."""
    return [ASPECTS[str(asked[key])](asked, place) for key in ("aspect", "also") if key in asked]


def unknown_words(place: PlaceRow) -> str:
    """Said as it stands: no fact of the place, but where to ask."""
    return f"I am sorry, I do not know that about {place['name']}. You can ask there on {place['phone']}."


def _place_fact(about: str, place: PlaceRow, text: str, *values: str) -> Fact:
    """Every value belongs to this place."""
    return fact(about, text, *values, name=str(place["name"]), service=place["service"])


def _overview(asked: Request, place: PlaceRow) -> Fact:
    name, noun, area = str(place["name"]), kind_noun(place), str(place["area"])
    rated = f"{place['rating']} out of 5"
    text = f"{name} is {article(noun)} {noun} in {area}, rated {rated}."
    return _place_fact("overview", place, text, name, noun, area, rated)


def _hours(asked: Request, place: PlaceRow) -> Fact:
    if "day" in asked:
        return _hours_on(asked, place)
    name, hours = str(place["name"]), place["hours"]
    if not hours:
        return _place_fact("never open", place, f"{name} is closed every day.", name)
    spans = list(dict.fromkeys(tuple(span) for span in hours.values()))
    if len(spans) == 1 and spans[0] == ALL_DAY:
        days = open_days(hours)
        return _place_fact("always open", place, f"{name} is open {days}, day and night.", name, days)
    if len(spans) == 1:
        days, (opens, closes) = open_days(hours), map(clock, spans[0])
        text = f"{name} is open {days} from {opens} to {closes}."
        return _place_fact("hours", place, text, name, days, opens, closes)
    listed = [_days_with(span, hours) for span in spans]
    return _place_fact("hours by day", place, f"{name} is open {joined(listed)}.", name, *listed)


def _days_with(span: tuple[str, ...], hours: Mapping[str, Sequence[str]]) -> str:
    """ "Monday to Friday 7:30 to 18:00": the days that have these hours"""
    days = open_days({day: times for day, times in hours.items() if tuple(times) == span})
    return f"{days} {clock(span[0])} to {clock(span[1])}"


def _hours_on(asked: Request, place: PlaceRow) -> Fact:
    name, day = str(place["name"]), str(asked["day"])
    on, span, time = DAY_NAMES[day], place["hours"].get(day), str(asked.get("time", ""))
    if span is None:
        return _place_fact("closed on day", place, f"No, {name} is closed on {on}.", name, on)
    if time:
        at = clock(time)
        if is_open(place["hours"], day, time):
            return _place_fact("open at time", place, f"Yes, {name} is open on {on} at {at}.", name, on, at)
        return _place_fact("closed at time", place, f"No, {name} is closed on {on} at {at}.", name, on, at)
    if tuple(span) == ALL_DAY:
        return _place_fact("open all day", place, f"Yes, {name} is open on {on}, day and night.", name, on)
    opens, closes = map(clock, span)
    text = f"Yes, {name} is open on {on} from {opens} to {closes}."
    return _place_fact("open on day", place, text, name, on, opens, closes)


def _price(asked: Request, place: PlaceRow) -> Fact:
    name = str(place["name"])
    if place["price"] == 0:
        return _place_fact("free", place, f"{name} is free for everyone.", name)
    cost = price_words(place)
    return _place_fact("price", place, f"{name} costs {cost}.", name, cost)


def _directions(asked: Request, place: PlaceRow) -> Fact:
    name, line, stop = str(place["name"]), str(place["line"]), str(place["stop"])
    minutes = "1 minute" if place["walk"] == 1 else f"{place['walk']} minutes"
    walk = f"{minutes} on foot"
    return _place_fact("directions", place, f"Take {line} to {stop}, {walk} from {name}.", line, stop, walk, name)


def _rating(asked: Request, place: PlaceRow) -> Fact:
    name, rated = str(place["name"]), f"{place['rating']} out of 5"
    return _place_fact("rating", place, f"{name} is rated {rated}.", name, rated)


def _features(asked: Request, place: PlaceRow) -> Fact:
    name, features = str(place["name"]), [str(f) for f in place["features"]]
    if not features:
        return _place_fact("no features", place, f"{name} has nothing special to mention.", name)
    return _place_fact("features", place, f"{name} offers {joined(features)}.", name, *features)


def _feature(asked: Request, place: PlaceRow) -> Fact:
    name, wanted = str(place["name"]), str(asked["feature"])
    if wanted in place["features"]:
        return _place_fact("has feature", place, f"Yes, {name} offers {wanted}.", name, wanted)
    return _place_fact("lacks feature", place, f"No, {name} does not offer {wanted}.", name, wanted)


def _phone(asked: Request, place: PlaceRow) -> Fact:
    name, phone = str(place["name"]), str(place["phone"])
    return _place_fact("phone", place, f"The phone number of {name} is {phone}.", name, phone)


def _address(asked: Request, place: PlaceRow) -> Fact:
    name, address, area = str(place["name"]), str(place["address"]), str(place["area"])
    return _place_fact("address", place, f"{name} is at {address} in {area}.", name, address, area)


def _capacity(asked: Request, place: PlaceRow) -> Fact:
    name, people = str(place["name"]), people_words(place["capacity"])
    return _place_fact("capacity", place, f"{name} has room for {people}.", name, people)


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
