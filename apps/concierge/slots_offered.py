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


def slots_asked(place: Mapping[str, Json], asked: Mapping[str, Json], today: str) -> list[Slot]:
    """As `default_slots`, but first what is nearest to a day and a time that were asked for."""
    usual, wish = default_slots(place, today), str(asked.get("time", ""))
    slots = [Slot(slot.day, _nearest(place, slot.day, wish, slot.time)) for slot in usual]
    slots.sort(key=lambda slot: bool(wish) and slot.time != wish)
    day = str(asked.get("day", ""))
    if day < today or _span(place, day) is None:
        return slots
    at = next((slot.time for slot in usual if slot.day == day), "") or _usual(place, day)
    return [Slot(day, _nearest(place, day, wish, at)), *(slot for slot in slots if slot.day != day)]


def _nearest(place: Mapping[str, Json], day: str, wish: str, otherwise: str) -> str:
    """The time wished for on that day; opening when it is earlier, and else `otherwise`."""
    opens, closes = _span(place, day) or ("", "")
    if not wish or wish >= closes:
        return otherwise
    return max(wish, opens)


def default_slots(place: Mapping[str, Json], today: str) -> list[Slot]:
    """From tomorrow on, every open day of the next two weeks; at its opening when the usual time is outside."""
    first = date.fromisoformat(today)
    slots = []
    for ahead in range(1, DAYS_AHEAD + 1):
        day = (first + timedelta(days=ahead)).isoformat()
        if _span(place, day):
            slots.append(Slot(day, _usual(place, day)))
    return slots


def _usual(place: Mapping[str, Json], day: str) -> str:
    """The service's usual time on a day when the place is open, or its opening then."""
    usual, key = USUAL[str(place["service"])], DAYS[date.fromisoformat(day).weekday()]
    return usual if is_open(place["hours"], key, usual) else str(place["hours"][key][0])


def _span(place: Mapping[str, Json], day: str) -> tuple[str, str] | None:
    """When it opens and closes on that day; None when it does not open, or there is no such day."""
    span = place["hours"].get(DAYS[date.fromisoformat(day).weekday()]) if day else None
    return (str(span[0]), str(span[1])) if span else None


def booking_label(place: Mapping[str, Json], slot: Slot, people: int, today: str) -> Offered:
    """The offer to book exactly this."""
    when = f"{near_day(slot.day, today)} at {slot.time}"
    asked = request("book", place=place["slug"], day=slot.day, time=slot.time, people=people)
    return offered(f"Book {place['name']} for {people_words(people)} {when}", asked)
