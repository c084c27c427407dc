"""What a reply must say: plain sentences, and in each the values that must survive any rewording.

The plain sentence is at once the model's input, the measure of the fact check and what is shown when it fails.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from apps.concierge.catalogue import CITY, SERVICES
from apps.concierge.fact_find import find_facts
from apps.concierge.fact_place import ask_facts
from apps.concierge.fact_types import Fact, fact
from apps.concierge.requests import Request, is_confirmed_first
from apps.concierge.wording import clock, joined, long_day, people_words
from apps.serving.names import Json

GONE = "I cannot find that place any more."
GREETING = (
    f"Welcome to {CITY}! I can find and book restaurants, hotels, events, museums, rides and spas. "
    "What would you like to do?"
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """facts in the order to be said; tail: said after them exactly as it stands"""

    facts: tuple[Fact, ...]
    tail: str = ""

    def as_json(self) -> dict[str, Json]:
        return {"facts": [f.as_json() for f in self.facts], "tail": self.tail}


def sheet(asked: Request, found: Mapping[str, Json]) -> Sheet:
    """The facts that answer `asked`, given what its lookup or commit found."""
    if is_confirmed_first(asked):
        return _confirm(asked, found)
    makers: dict[str, Callable[[Request, Mapping[str, Json]], Sequence[Fact]]] = {
        "find": find_facts,
        "ask": _ask,
        "book": _when,
        "change": _what_change,
        "bookings": _bookings,
        "commit": _done,
        "drop": _drop,
        "chat": _chat,
    }
    maker = makers.get(str(asked["op"]), _menu)
    return Sheet(tuple(maker(asked, found)))


def _ask(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    return ask_facts(asked, found["place"]) if found["place"] else [fact(GONE)]


def _confirm(asked: Request, found: Mapping[str, Json]) -> Sheet:
    if found.get("booking", found.get("place")) is None:
        return Sheet((fact("I cannot find that booking any more." if "ref" in asked else GONE),))
    if asked["op"] == "cancel":
        return Sheet((_order_fact("I will cancel your booking", found["booking"]),), "Shall I go ahead?")
    if found["refusal"]:
        return Sheet((_refusal(found["place"]["name"], str(found["refusal"]), found.get("wanted", asked)),))
    if asked["op"] == "change":
        order = {**found["booking"], **found["wanted"]}
        return Sheet((_order_fact("I will change your booking", order),), "Shall I go ahead?")
    booked = SERVICES[str(found["place"]["service"])].booked
    order = {**asked, "name": found["place"]["name"]}
    return Sheet((_order_fact(f"I will book {booked}", order),), "Shall I go ahead?")


def _order_fact(start: str, order: Mapping[str, Json]) -> Fact:
    name, people = str(order["name"]), people_words(order["people"])
    day, time = long_day(str(order["day"])), clock(str(order["time"]))
    return fact(f"{start} at {name} for {people} on {day} at {time}.", name, people, day, time, name=name)


def _refusal(name: str, why: str, order: Mapping[str, Json]) -> Fact:
    day, time = long_day(str(order["day"])), clock(str(order["time"]))
    if why == "closed":
        return fact(f"Sorry, {name} is closed on {day} at {time}.", name, day, time, name=name)
    if why == "full":
        return fact(f"Sorry, {name} is fully booked on {day} at {time}.", name, day, time, name=name)
    return fact(f"Sorry, {name} cannot take groups of more than 12 people.", name, "12 people", name=name)


def _when(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    if not found["place"]:
        return [fact(GONE)]
    name = str(found["place"]["name"])
    people = asked.get("people")
    if people:
        words = people_words(people)
        return [fact(f"Please choose a day and time for {words} at {name}.", words, name, name=name)]
    return [fact(f"Please choose a day and time for your visit to {name}.", name, name=name)]


def _what_change(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    booking = found["booking"]
    if not booking:
        return [fact("I cannot find that booking any more.")]
    return [_order_fact("You have a booking", booking), fact("Please tell me what to change.")]


def _bookings(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    rows = found["bookings"]
    if not rows:
        return [fact("You have no bookings yet.")]
    return [_order_fact("You have a booking", row) for row in rows[:3]]


def _done(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    if not found["ok"]:
        return [_not_done(asked["order"], found)]
    booking = found["booking"]
    if found["do"] == "cancel":
        return [_order_fact("I have cancelled your booking", booking)]
    verb = "changed your booking" if found["do"] == "change" else f"booked {booking['booked']}"
    ref = str(booking["ref"])
    return [_order_fact(f"I have {verb}", booking), fact(f"Your reference is {ref}.", f"reference is {ref}")]


def _not_done(order: Mapping[str, Json], found: Mapping[str, Json]) -> Fact:
    if found["why"] in ("no such booking", "no such place"):
        return fact("Nothing was done, since I cannot find it any more.")
    name = found.get("name") or found["booking"]["name"]
    return _refusal(str(name), str(found["why"]), order)


def _drop(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    place = found.get("place")
    if not place:
        return [fact("All right, I will leave it as it is.")]
    name = str(place["name"])
    return [fact(f"All right, I will change nothing for {name}.", name, name=name)]


def _chat(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    said = {
        "thanks": "You are very welcome.",
        "bye": f"Goodbye, and enjoy your time in {CITY}.",
        "hello": f"Hello, and welcome to {CITY}.",
    }
    return [fact(said[str(asked["about"])], *([] if asked["about"] == "thanks" else [CITY]))]


def _menu(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    many = [SERVICES[str(key)].many for key in found["services"]] or ["places"]
    if asked["op"] == "else":
        return [fact("What would you like to do instead?")]
    if asked["op"] == "outside":
        return [fact(f"I can only help with {joined(many)} in {CITY}.", *many, CITY)]
    if asked["op"] == "unclear":
        return [fact(f"I did not understand that, but I can help with {joined(many)}.", *many)]
    return [fact(f"I can help you find {joined(many)} in {CITY}.", *many, CITY)]
