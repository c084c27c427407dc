"""Facts about an order: what would be booked, what is, and why it cannot be."""

from collections.abc import Mapping

from apps.concierge.fact_types import Fact, fact
from apps.concierge.wording import clock, long_day, people_words
from apps.serving.names import Json


def order_fact(about: str, start: str, order: Mapping[str, Json]) -> Fact:
    """`order` has name, service, people, day and time."""
    name, people = str(order["name"]), people_words(order["people"])
    day, time = long_day(str(order["day"])), clock(str(order["time"]))
    text = f"{start} at {name} for {people} on {day} at {time}."
    return fact(about, text, name, people, day, time, name=name, service=order["service"])


def refusal_fact(name: str, why: str, order: Mapping[str, Json]) -> Fact:
    """`why` is one of `booking.refusal`; the kind names no service, since a failed commit knows none."""
    day, time = long_day(str(order["day"])), clock(str(order["time"]))
    if why == "closed":
        return fact("closed then", f"Sorry, {name} is closed on {day} at {time}.", name, day, time, name=name)
    if why == "full":
        return fact("full then", f"Sorry, {name} is fully booked on {day} at {time}.", name, day, time, name=name)
    most = "12 people"
    return fact("too many", f"Sorry, {name} cannot take groups of more than {most}.", name, most, name=name)
