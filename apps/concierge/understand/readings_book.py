"""Messages about bookings: make, change, cancel, list, and answers to "when?"."""

import re

from apps.concierge.requests import request
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.seen import Option, Seen, option
from apps.serving.names import Json

_REF = re.compile(r"\bvb[2-9a-z]{6}\b")


def book_options(seen: Seen) -> list[Option]:
    """Empty when the message is not about a booking."""
    ref = _REF.search(seen.text)
    wanted = ref[0].upper() if ref else seen.context.get("ref")
    intent = seen.cues.intent
    if intent == "bookings":
        return [option("see my bookings", request("bookings"))]
    if intent == "cancel" or (ref and not intent):
        return [_cancel(seen, wanted)]
    if intent == "change" and (wanted or seen.before["op"] not in ("book", "find", "ask")):
        return [_change(seen, wanted)]
    if intent in ("book", "change"):
        return _book(seen)
    return _answer_to_when(seen, wanted)


def _cancel(seen: Seen, ref: Json) -> Option:
    if ref:
        return option("cancel my booking", request("cancel", ref=ref))
    if seen.before["op"] == "book":
        return option("drop this", request("drop", place=seen.before["place"]))
    return option("see my bookings", request("bookings"))


def _change(seen: Seen, ref: Json) -> Option:
    if not ref:
        return option("see my bookings", request("bookings"))
    when = seen.moment
    day, time = (when.day.isoformat() if when.day else None), ("" if when.vague else when.time)
    return option("change my booking", request("change", ref=ref, day=day, time=time, people=seen.people))


def _book(seen: Seen) -> list[Option]:
    """A named place, else a service to look for, else the place in focus."""
    if seen.named:
        return [_booking(seen, known) for known in seen.named]
    wishes = seen.mentions
    elsewhere = wishes.services and (not seen.focus or seen.focus["service"] not in wishes.services)
    if (elsewhere or wishes.kind or wishes.area) and not (seen.cues.refers and seen.focus):
        return []
    if seen.place:
        return [_booking(seen, known) for known in seen.place]
    return []


def _booking(seen: Seen, known: Known) -> Option:
    when, same = seen.moment, seen.before.get("place") == known.slug and seen.before["op"] == "book"
    before = seen.before if same else {}
    day = when.day.isoformat() if when.day else before.get("day")
    time = when.time or before.get("time")
    # A day and a time say enough to be confirmed; two is what most parties are.
    people = seen.people or before.get("people") or (2 if day and time else None)
    asked = request("book", place=known.slug, day=day, time=time, people=people)
    return option(f"book at {known.name}", asked)


def _answer_to_when(seen: Seen, ref: Json) -> list[Option]:
    """ "tomorrow at 8", "for 4" after a booking was talked about."""
    when = seen.moment
    if not (when.day or when.time or when.people) or seen.mentions.places or seen.mentions.services or seen.cues.aspect:
        return []
    if seen.before["op"] == "book" and seen.place:
        return [_booking(seen, known) for known in _of(seen, str(seen.before["place"]))]
    return [_change(seen, ref)] if seen.before["op"] == "change" and ref else []


def _of(seen: Seen, slug: str) -> list[Known]:
    return [known for known in seen.place if known.slug == slug]
