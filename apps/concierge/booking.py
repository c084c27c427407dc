"""What an order does to the rows. Only `services.run_operation` calls this, in its transaction."""

import hashlib
from collections.abc import Mapping
from datetime import date

from django.db.models import QuerySet, Sum

from apps.concierge.catalogue import SERVICES
from apps.concierge.hours import DAYS, is_open
from apps.concierge.models import Booking, Place

MOST_PEOPLE = 12


def new_ref(place: Place) -> str:
    """Short booking reference; letters and digits that are hard to confuse.

    Made from the locked place's version, which every booking there raises, so no two are equal and the same
    run of bookings gives the same references. It opens nothing: a booking belongs to its session.
    """
    alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
    number = int.from_bytes(hashlib.blake2b(f"{place.slug}/{place.version}".encode(), digest_size=8).digest())
    digits = []
    for _ in range(6):
        number, rest = divmod(number, len(alphabet))
        digits.append(alphabet[rest])
    return "VB" + "".join(digits)


def touched(session: str, order: Mapping[str, object]) -> list[str]:
    """Slugs of the places whose free seats the order changes."""
    if order["do"] == "book":
        return [str(order["place"])]
    booking = _own(session, str(order["ref"])).first()  # no lock: no transaction has begun
    return [booking.place.slug] if booking else []


def perform(operation: str, session: str, order: Mapping[str, object]) -> dict[str, object]:
    """Carry the order out. {"ok": true, "booking": {...}} or {"ok": false, "why": ..., "place": ...}."""
    if order["do"] == "book":
        return _book(operation, session, order)
    booking = _own(session, str(order["ref"])).select_for_update().first()  # the place too: its seats
    if booking is None:
        return {"ok": False, "why": "no such booking", "do": order["do"]}
    if order["do"] == "cancel":
        booking.status = Booking.Status.CANCELLED
    else:
        why = refusal(booking.place, order, leaving_out=booking.ref)
        if why:
            return {"ok": False, "why": why, "do": "change", "booking": described(booking)}
        booking.day = date.fromisoformat(str(order["day"]))
        booking.time, booking.people = str(order["time"]), int(str(order["people"]))
    booking.version += 1
    booking.save()
    return {"ok": True, "do": order["do"], "booking": described(booking)}


def _book(operation: str, session: str, order: Mapping[str, object]) -> dict[str, object]:
    place = Place.objects.select_for_update().filter(slug=order["place"]).first()
    if place is None:
        return {"ok": False, "why": "no such place", "do": "book"}
    why = refusal(place, order)
    if why:
        return {"ok": False, "why": why, "do": "book", "place": _as_offered(place), "name": place.name}
    booking = Booking.objects.create(
        ref=new_ref(place),
        session=session,
        place=place,
        day=date.fromisoformat(str(order["day"])),
        time=str(order["time"]),
        people=int(str(order["people"])),
        operation=operation,
    )
    return {"ok": True, "do": "book", "booking": described(booking)}


def _as_offered(place: Place) -> dict[str, object]:
    """What offers and later words use of a place."""
    return {
        "slug": place.slug,
        "name": place.name,
        "service": place.collection_id,
        "area": place.area,
        "hours": place.hours,
    }


def refusal(place: Place, order: Mapping[str, object], leaving_out: str = "") -> str:
    """Why the place cannot take this order: "closed", "full" or "too many"; "" if it can."""
    day, time, people = date.fromisoformat(str(order["day"])), str(order["time"]), int(str(order["people"]))
    if not 1 <= people <= MOST_PEOPLE:
        return "too many"
    if not is_open(place.hours, DAYS[day.weekday()], time):
        return "closed"
    taken = Booking.objects.filter(place=place, day=day, time=time, status=Booking.Status.CONFIRMED)
    booked = taken.exclude(ref=leaving_out).aggregate(people=Sum("people"))["people"] or 0
    return "full" if booked + people > place.capacity else ""


def described(booking: Booking) -> dict[str, object]:
    """The booking as stages see it, JSON."""
    return {
        "ref": booking.ref,
        "place": booking.place.slug,
        "name": booking.place.name,
        "service": booking.place.collection_id,
        "area": booking.place.area,
        "booked": SERVICES[booking.place.collection_id].booked,
        "day": booking.day.isoformat(),
        "time": booking.time,
        "people": booking.people,
        "status": booking.status,
    }


def _own(session: str, ref: str) -> QuerySet[Booking]:
    """The session's own confirmed booking; another session's is as if it did not exist."""
    own = Booking.objects.select_related("place")
    return own.filter(session=session, ref=ref, status=Booking.Status.CONFIRMED)
