"""Days and times that are worth offering for a booking: the next open days at the service's usual time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from apps.concierge.hours import DAYS, is_open
from apps.concierge.offer_types import Offered, offered
from apps.concierge.requests import request
from apps.concierge.wording import near_day, people_words
from apps.serving.names import Json

USUAL = {"restaurant": "19:00", "hotel": "15:00", "event": "", "museum": "11:00", "ride": "10:00", "spa": "15:00"}
DAYS_AHEAD = 14


@dataclass(frozen=True, slots=True)
class Slot:
    day: str
    time: str


def default_slots(place: Mapping[str, Json], today: str) -> list[Slot]:
    """From tomorrow on, every open day of the next two weeks; at its opening when the usual time is outside."""
    first, hours = date.fromisoformat(today), place["hours"]
    usual, slots = USUAL[str(place["service"])], []
    for ahead in range(1, DAYS_AHEAD + 1):
        day = first + timedelta(days=ahead)
        key = DAYS[day.weekday()]
        if key in hours:
            slots.append(Slot(day.isoformat(), usual if is_open(hours, key, usual) else hours[key][0]))
    return slots


def booking_label(place: Mapping[str, Json], slot: Slot, people: int, today: str) -> Offered:
    """The offer to book exactly this."""
    when = f"{near_day(slot.day, today)} at {slot.time}"
    asked = request("book", place=place["slug"], day=slot.day, time=slot.time, people=people)
    return offered(f"Book {place['name']} for {people_words(people)} {when}", asked)
