"""Bookings from what a message says: make, change, call off."""

from collections.abc import Mapping, Sequence

from apps.concierge.requests import Request, request
from apps.concierge.understand.assemble_find import find_some
from apps.concierge.understand.clean import says
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.seen import Seen
from apps.serving.names import Json

_IT = r"it|that one|this one"
_OTHER = r"other (?:one|booking|reservation|table|order|visit)"
_ALL = r"both|everything|(?:all|each|every)(?: one)?(?: of)? (?:my|the|our|them|those|bookings?|reservations?)"
_ONE_MORE = r"another|also|too|again|as well"
_SWITCHES = r"same|instead|then|rather|wrong|meant|switch|prefer|not|want"
_MEANT = r"meant|mean|said|wait|sorry|actually|oops|mistake|wrong"


def book(seen: Seen) -> dict[str, Json]:
    """A booking of the place meant; a search when the message wishes for some place of another sort."""
    if corrects(seen):
        return change(seen)
    place = _place(seen)
    if place is None:
        return find_some(seen)
    return _booking(seen, place)


def change(seen: Seen) -> dict[str, Json]:
    """Of the order under way, or of the booking meant; else the guest's bookings to choose from."""
    order = seen.order
    if order["op"] == "book" and not seen.says_ref and not _is_elsewhere(seen, order):
        place = seen.names.known(str(order["place"]))
        return _changed_order(seen, place) if place else request("bookings")
    ref = _own(seen, seen.booked)
    return _changed_booking(seen, ref) if ref else request("bookings")


def cancel(seen: Seen) -> dict[str, Json]:
    """Said again while a cancellation waits for a yes, it is that yes."""
    order = seen.order
    if order["op"] == "book" and not seen.says_ref and not _is_elsewhere(seen, order):
        return request("drop", place=order["place"])
    ref = _own(seen, _then(seen))
    if ref and order["op"] == "cancel" and order["ref"] == ref:
        return seen.agreed(otherwise=order)
    return request("cancel", ref=ref) if ref else request("bookings")


def amended(seen: Seen) -> Request:
    """The order under way, with what the message says of day, time and number."""
    order = seen.order
    return change(seen) if seen.says_when and order["op"] in ("book", "change") else order


def corrects(seen: Seen) -> bool:
    """Whether the message is about the booking that was made just now: "no wait, I meant 2 people"."""
    if seen.asked["op"] != "commit" or seen.before["op"] != "change" or not seen.says_when:
        return False
    if any(place.slug != seen.focus.get("slug") for place in seen.mentions.places) or says(seen.text, _ONE_MORE):
        return False
    new = seen.mentions.places or seen.mentions.services or seen.cues.intent == "book"
    return says(seen.text, _MEANT) or not new


def switches(seen: Seen) -> bool:
    """Whether the order under way is to be for another place of its sort, named now: "then Brine House instead"."""
    order, named = seen.order, seen.named
    if order["op"] != "book" or named is None or named.slug == order.get("place") or seen.cues.aspect:
        return False
    ordered = seen.names.known(str(order["place"]))
    return ordered is not None and ordered.service == named.service and says(seen.text, _SWITCHES)


def _own(seen: Seen, rows: Sequence[Mapping[str, Json]]) -> str:
    """The reference of the one of these bookings that is meant; "" leaves it open.

    It is the one said, listed in that order, at the place said, or else the one shown before.
    """
    if seen.says_ref:
        return seen.ref
    listed, index = seen.asked["op"] == "bookings", seen.cues.ordinal
    if listed and index is not None and not says(seen.mentions.masked, _IT):
        return str(seen.booked[index]["ref"]) if -len(seen.booked) <= index < len(seen.booked) else ""
    if says(seen.mentions.masked, _OTHER):
        rows = [row for row in rows if row["ref"] != seen.ref]
    elif _says_which(seen):
        rows = [row for row in rows if _fits(seen, row)]
    elif not seen.ref and len(rows) == len(seen.booked):
        return ""
    refs = [str(row["ref"]) for row in rows]
    if seen.ref in refs and not listed and not says(seen.mentions.masked, _ALL):
        return seen.ref
    return refs[0] if len(refs) == 1 else ""


def _then(seen: Seen) -> list[Mapping[str, Json]]:
    """The guest's bookings that are on the day and at the time said, if any is."""
    said = {"day": seen.day, "time": seen.moment.exact_time}
    return [row for row in seen.booked if all(not at or row.get(key, at) == at for key, at in said.items())]


def _says_which(seen: Seen) -> bool:
    """Whether a place or a sort of place is said. Beside "it" a sort is only what a change is for."""
    said = seen.mentions
    return bool(said.places or ((said.strong or said.kinds or said.area) and not says(said.masked, _IT)))


def _fits(seen: Seen, booked: Mapping[str, Json]) -> bool:
    """Whether the booking can be the one that the message names. A "table" or "tickets" can be had anywhere."""
    said, place = seen.mentions, seen.names.known(str(booked["place"]))
    if said.places:
        return booked["place"] in [one.slug for one in said.places]
    services, kind = said.strong or said.kinds, said.kinds.get(str(booked["service"]), "")
    if services and booked["service"] not in services:
        return False
    if place is None:
        return not kind and not said.area
    return kind in ("", place.kind) and said.area in ("", place.area)


def _is_elsewhere(seen: Seen, order: Request) -> bool:
    """Whether the message names another place than that of the order under way."""
    place = seen.names.known(str(order["place"]))
    row = {"place": order["place"], "service": place.service if place else ""}
    return _says_which(seen) and not _fits(seen, row)


def _changed_booking(seen: Seen, ref: str) -> dict[str, Json]:
    """What was to be changed already, and waits for a yes, is changed too. Of a day that has passed nothing is."""
    if seen.past:
        return request("change", ref=ref)
    order = seen.order
    kept = order if order["op"] == "change" and order.get("ref") == ref else {}
    row = next((row for row in seen.booked if row["ref"] == ref), {})
    people = _people(seen, kept.get("people"), row.get("people"))
    before = str(kept.get("time") or row.get("time") or "")
    time = seen.time_near(before) if seen.moment.exact_time else seen.moved_to or kept.get("time")
    return request("change", ref=ref, day=seen.day or kept.get("day"), time=time, people=people)


def _people(seen: Seen, kept: Json, present: Json) -> Json:
    """The number said, else the one kept; a sum is of those who come already, and unknown without them."""
    if seen.nobody:
        return None
    if seen.people_added:
        already = kept or present
        total = int(already) + seen.people_added if already else 0
        return total if total > 0 else None
    return seen.people or kept


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
    order = seen.order
    stays = order.get("place") == place.slug or switches(seen)
    kept = order if order["op"] == "book" and stays else {}
    time = seen.time_near(str(kept.get("time", ""))) or seen.moved_to or kept.get("time")
    day = seen.day or (None if seen.past else kept.get("day") or (seen.day_searched(place) if time else None))
    people = _people(seen, kept.get("people"), None)
    if people is None and not seen.nobody and day and time:
        people = 2 if seen.people_added < 0 or not seen.people else seen.people
    return request("book", place=place.slug, day=day, time=time, people=people)


def _changed_order(seen: Seen, place: Known) -> dict[str, Json]:
    """With a new day, time or number, the order so; without, the question when to come."""
    if seen.says_when:
        return _booking(seen, place)
    return request("book", place=place.slug, people=seen.order.get("people"))
