"""Bookings from what a message says: make, change, call off."""

from apps.concierge.requests import request
from apps.concierge.understand.assemble_find import find_some
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.seen import Seen
from apps.serving.names import Json


def book(seen: Seen) -> dict[str, Json]:
    """A booking of the place meant; a search when the message wishes for some place of another sort."""
    place = _place(seen)
    if place is None:
        return find_some(seen)
    return _booking(seen, place)


def change(seen: Seen) -> dict[str, Json]:
    """Of the booking shown or named, or of the one that is being made; else the guest's bookings to choose from."""
    before, ref = seen.before, seen.ref or str(seen.before.get("ref", ""))
    if ref and (seen.says_ref or before["op"] != "book"):
        # What was to be changed already, and waits for a yes, is changed too.
        kept = before if before["op"] == "change" and before.get("ref") == ref else {}
        when = seen.moment
        day = when.day.isoformat() if when.day else kept.get("day")
        time = when.exact_time or kept.get("time")
        return request("change", ref=ref, day=day, time=time, people=seen.people or kept.get("people"))
    if before["op"] == "book":
        place = seen.names.known(str(before["place"]))
        return _changed_order(seen, place) if place else request("bookings")
    return request("bookings")


def cancel(seen: Seen) -> dict[str, Json]:
    """Said again while a cancellation waits for a yes, it is that yes."""
    before = seen.before
    if before["op"] == "book" and not seen.says_ref:
        return request("drop", place=before["place"])
    ref = seen.ref or str(before.get("ref", ""))
    if before["op"] == "cancel" and before["ref"] == ref:
        return seen.agreed(otherwise=before)
    return request("cancel", ref=ref) if ref else request("bookings")


def _place(seen: Seen) -> Known | None:
    if seen.named:
        return seen.named
    said = seen.mentions
    elsewhere = said.strong and (not seen.focus or seen.focus["service"] not in said.strong)
    wishes = said.area or (said.kinds and not said.strong and seen.focus.get("service") not in said.kinds)
    if (elsewhere or wishes) and not (seen.cues.refers and seen.focus):
        return None
    return seen.place


def _booking(seen: Seen, place: Known) -> dict[str, Json]:
    """What was said before of the same booking stays. A day and a time are enough to be confirmed, for two people."""
    when, before = seen.moment, seen.before
    same = before.get("place") == place.slug and before["op"] == "book"
    day = when.day.isoformat() if when.day else before.get("day") if same else None
    time = when.time or (before.get("time") if same else None)
    people = seen.people or (before.get("people") if same else None) or (2 if day and time else None)
    return request("book", place=place.slug, day=day, time=time, people=people)


def _changed_order(seen: Seen, place: Known) -> dict[str, Json]:
    """With a new day, time or number, the order so; without, the question when to come."""
    when = seen.moment
    if when.day or when.time or when.people:
        return _booking(seen, place)
    return request("book", place=place.slug, people=seen.before.get("people"))
