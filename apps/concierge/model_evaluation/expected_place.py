"""What answers about one place must say, aspect by aspect."""

from collections.abc import Callable, Mapping

from apps.concierge.hours import is_open
from apps.concierge.model_evaluation.atoms import Atom, AtomKind, plain_number
from apps.concierge.model_evaluation.claims import (
    DENIED_TWICE,
    DENIES,
    REFUSES,
    Claim,
    Expected,
    Row,
    about_place,
    clock,
    named,
    people,
    phrase,
    term,
    weekday,
)
from apps.concierge.requests import Request

K = AtomKind
ROUND_THE_CLOCK = r"\bday and (?:all )?night\b|\bclock\b|\b(?:any|every|all) hours?\b|\balways\b"
SHUT = r"\b(?:closed|shut)\b|\bnot (?:be )?open\b|n't open\b|\bnever open\b"
WELCOMES = r"\bopen|\bcome\b|\bwelcom|\bruns?\b|\brunning\b|\bvisit|\bguests\b|\bhours\b|\btakes?\b|\btimetable\b"


def expected_of_place(asked: Request, place: Row) -> Expected:
    return ASPECTS[str(asked["aspect"])](asked, place)


def _told(place: Row, *values: Atom, words: tuple[str, ...] = (), never: tuple[str, ...] = (DENIES,)) -> Expected:
    name = str(place["name"])
    return Expected((Claim(name, frozenset({named(name), *values}), words, never),), about_place(place))


def _rating_of(place: Row) -> Atom:
    return Atom(K.RATING, plain_number(place["rating"]))


def _overview(asked: Request, place: Row) -> Expected:
    return _told(place, term(place["kind"]), phrase(place["area"]), _rating_of(place))


def _rating(asked: Request, place: Row) -> Expected:
    return _told(place, _rating_of(place))


def _price(asked: Request, place: Row) -> Expected:
    if place["price"] == 0:
        return _told(
            place, words=(r"\bfree\b|\bnothing\b|\bno (?:charge|fee|entry)",), never=(r"\b(?:not|never)\b|n't\b",)
        )
    return _told(place, Atom(K.MONEY, plain_number(place["price"])), never=(DENIES, r"\bfree\b"))


def _directions(asked: Request, place: Row) -> Expected:
    walk = Atom(K.WALK, plain_number(place["walk"]))
    return _told(place, phrase(place["line"]), phrase(place["stop"]), walk)


def _phone(asked: Request, place: Row) -> Expected:
    return _told(place, phrase(place["phone"]))


def _address(asked: Request, place: Row) -> Expected:
    return _told(place, phrase(place["address"]), phrase(place["area"]))


def _capacity(asked: Request, place: Row) -> Expected:
    return _told(place, people(place["capacity"]))


def _features(asked: Request, place: Row) -> Expected:
    if not place["features"]:
        return _told(place, words=(REFUSES,), never=())
    return _told(place, *(term(feature) for feature in place["features"]))


def _feature(asked: Request, place: Row) -> Expected:
    wanted = asked["feature"]
    if wanted in place["features"]:
        return _told(place, term(wanted))
    return _told(place, term(wanted), words=(REFUSES,), never=(r"^\W*yes\b", DENIED_TWICE))


def _hours(asked: Request, place: Row) -> Expected:
    if "day" in asked:
        return _hours_on(asked, place)
    hours = place["hours"]
    told = _told(place, words=(WELCOMES,)) if hours else _told(place, words=(SHUT,), never=(DENIED_TWICE,))
    spans = (clock(time) for span in hours.values() for time in span)
    days = (weekday(day) for day in ("all", *hours)) if hours else (weekday("all"),)
    return Expected(told.claims, told.may | {*spans, *days}, hours=hours or None)


def _hours_on(asked: Request, place: Row) -> Expected:
    day = str(asked["day"])
    on, span, time = weekday(day), place["hours"].get(day), str(asked.get("time", ""))
    closed = {"words": (SHUT,), "never": (r"^\W*yes\b", DENIED_TWICE)}
    if span is None:
        told = _told(place, on, **closed)
        return Expected(told.claims, told.may | ({clock(time)} if time else frozenset()))
    if time and not is_open(place["hours"], day, time):
        return _told(place, on, clock(time), **closed)
    if time:
        return _told(place, on, clock(time), words=(WELCOMES,))
    told = _told(place, on, words=(WELCOMES,))
    return Expected(told.claims, told.may | {clock(at) for at in span}, hours={day: span})


ASPECTS: Mapping[str, Callable[[Request, Row], Expected]] = {
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
