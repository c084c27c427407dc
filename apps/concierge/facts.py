"""What a reply must say: plain sentences, and in each the values that must survive any rewording.

The plain sentence is what is shown when no sentence of the model passes the fact check.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from apps.concierge.catalogue import CITY, SERVICES
from apps.concierge.fact_find import find_facts
from apps.concierge.fact_order import order_fact, refusal_fact
from apps.concierge.fact_place import ask_facts, unknown_words
from apps.concierge.fact_types import Fact, fact
from apps.concierge.requests import Request, is_confirmed_first
from apps.concierge.wording import joined, people_words
from apps.serving.names import Json

PLACE_GONE = fact("place gone", "I cannot find that place any more.")
BOOKING_GONE = fact("booking gone", "I cannot find that booking any more.")
GO_AHEAD = "Shall I go ahead?"
ENGLISH_ONLY = "I am sorry, I speak only English."
SHOWN_BOOKINGS = 3
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
    if constant := _constant(asked, found):
        return Sheet((), constant)
    makers: dict[str, Callable[[Request, Mapping[str, Json]], Sequence[Fact]]] = {
        "find": find_facts,
        "ask": _ask,
        "compare": _compare,
        "book": _when,
        "change": _what_change,
        "bookings": _bookings,
        "commit": _done,
        "drop": _drop,
        "chat": _chat,
    }
    maker = makers.get(str(asked["op"]), _menu)
    return Sheet(tuple(maker(asked, found)))


def _constant(asked: Request, found: Mapping[str, Json]) -> str:
    """What is said as it stands, since the model has learned no words for it; "" for anything else."""
    if asked["op"] == "ask" and asked["aspect"] == "unknown" and found["place"]:
        return unknown_words(found["place"])
    if asked["op"] == "outside" and asked.get("about") == "language":
        return f"{ENGLISH_ONLY} I can help with {joined(_many(found))} in {CITY}."
    return ""


def _compare(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    return [one for place in found["places"] for one in ask_facts(asked, place)] or [PLACE_GONE]


def _ask(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    return ask_facts(asked, found["place"]) if found["place"] else [PLACE_GONE]


def _confirm(asked: Request, found: Mapping[str, Json]) -> Sheet:
    if found.get("booking", found.get("place")) is None:
        return Sheet((BOOKING_GONE if "ref" in asked else PLACE_GONE,))
    if asked["op"] == "cancel":
        return Sheet((order_fact("to cancel", "I will cancel your booking", found["booking"]),), GO_AHEAD)
    if found["refusal"]:
        return Sheet((refusal_fact(found["place"]["name"], str(found["refusal"]), found.get("wanted", asked)),))
    if asked["op"] == "change":
        order = {**found["booking"], **found["wanted"]}
        return Sheet((order_fact("to change", "I will change your booking", order),), GO_AHEAD)
    service = str(found["place"]["service"])
    order = {**asked, "name": found["place"]["name"], "service": service}
    return Sheet((order_fact("to book", f"I will book {SERVICES[service].booked}", order),), GO_AHEAD)


def _when(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    if not found["place"]:
        return [PLACE_GONE]
    name, service, people = str(found["place"]["name"]), found["place"]["service"], asked.get("people")
    if people:
        words = people_words(people)
        text = f"Please choose a day and time for {words} at {name}."
        return [fact("choose time", text, words, name, name=name, service=service)]
    text = f"Please choose a day and time for your visit to {name}."
    return [fact("choose visit", text, name, name=name, service=service)]


def _what_change(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    booking = found["booking"]
    if not booking:
        return [BOOKING_GONE]
    return [_own_booking(booking), fact("choose change", "Please tell me what to change.")]


def _own_booking(row: Mapping[str, Json]) -> Fact:
    return order_fact("your booking", "You have a booking", row)


def _bookings(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    rows = found["bookings"]
    if not rows:
        return [fact("no bookings", "You have no bookings yet.")]
    facts = [_own_booking(row) for row in rows[:SHOWN_BOOKINGS]]
    rest = len(rows) - len(facts)
    if rest > 0:
        facts.append(fact("more bookings", f"There {'is' if rest == 1 else 'are'} {rest} more.", f"{rest} more"))
    return facts


def _done(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    if not found["ok"]:
        return [_not_done(asked["order"], found)]
    booking = found["booking"]
    if found["do"] == "cancel":
        return [order_fact("cancelled", "I have cancelled your booking", booking)]
    if found["do"] == "change":
        done = order_fact("changed", "I have changed your booking", booking)
    else:
        done = order_fact("booked", f"I have booked {booking['booked']}", booking)
    ref = str(booking["ref"])
    return [done, fact("reference", f"Your reference is {ref}.", ref)]


def _not_done(order: Mapping[str, Json], found: Mapping[str, Json]) -> Fact:
    if found["why"] in ("no such booking", "no such place"):
        return fact("nothing done", "Nothing was done, since I cannot find it any more.")
    name = found.get("name") or found["booking"]["name"]
    return refusal_fact(str(name), str(found["why"]), order)


def _drop(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    place = found.get("place")
    if not place:
        return [fact("left as it is", "All right, I will leave it as it is.")]
    name = str(place["name"])
    return [fact("nothing changed", f"All right, I will change nothing for {name}.", name, name=name)]


def _chat(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    said = {
        "thanks": fact("thanks", "You are very welcome."),
        "bye": fact("goodbye", f"Goodbye, and enjoy your time in {CITY}.", CITY),
        "hello": fact("hello", f"Hello, and welcome to {CITY}.", CITY),
    }
    return [said[str(asked["about"])]]


def _many(found: Mapping[str, Json]) -> list[str]:
    return [SERVICES[str(key)].many for key in found["services"]] or ["places"]


def _menu(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    many = _many(found)
    if asked["op"] == "else":
        return [fact("something else", "What would you like to do instead?")]
    if asked["op"] == "outside":
        return [fact("outside", f"I can only help with {joined(many)} in {CITY}.", *many, CITY)]
    if asked["op"] == "unclear":
        return [fact("unclear", f"I did not understand that, but I can help with {joined(many)}.", *many)]
    return [fact("menu", f"I can help you find {joined(many)} in {CITY}.", *many, CITY)]
