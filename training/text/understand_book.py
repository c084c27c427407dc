"""Messages about bookings: make one, go on with one, change, call off, list."""

import random
from collections.abc import Mapping

from apps.concierge.requests import request
from apps.concierge.understand.clean import cleaned
from apps.concierge.understand.consent import agrees
from apps.serving.names import Json
from training.text import understand_book_words as words
from training.text.example import Split
from training.text.grammar import expand, fill, pick
from training.text.meant import Meant
from training.text.talks import talk
from training.text.understand_book_slots import Filled


def _order(filled: Filled, before: Mapping[str, Json]) -> dict[str, Json]:
    """The booking meant: what is said now, then what was said before; two people when only they are missing."""
    day = filled.day.isoformat() if filled.day else before.get("day")
    time = filled.time or filled.vague or before.get("time")
    people = filled.people or before.get("people") or (2 if day and time else None)
    assert filled.place is not None
    return request("book", place=filled.place.slug, day=day, time=time, people=people)


def book(rng: random.Random, split: Split) -> Meant:
    """Of a place by name, of one shown, or of the one talked about; or the answer to "when?"."""
    how = rng.choice(("named", "named", "it", "it", "order", "when", "when"))
    state = {
        "named": rng.choice(("start", "list", "place", "booked")),
        "it": "place",
        "order": "list",
        "when": "booking",
    }
    here = talk(rng, split, state[how])
    place, said = here.focus, "it"
    if how == "named":
        place = rng.choice(here.catalogue.places)
        said = place.name
    elif how == "order":
        index = rng.randrange(len(here.shown))
        place, said = here.shown[index], ("the first one", "the second one", "the third one")[index]
    phrases = {"it": words.BOOK_IT, "when": words.WHEN}.get(how, words.BOOK)
    filled = Filled(rng, here, place, said)
    text = fill(expand(rng, pick(rng, split, phrases)), filled.value)
    return Meant(here, "book", text, _order(filled, here.before if how == "when" else {}))


def change(rng: random.Random, split: Split) -> Meant:
    """Of a booking made, of the one being made, or with none to change: then the bookings are shown."""
    here = talk(
        rng,
        split,
        rng.choice(("booked", "booked", "booked", "change", "confirm", "confirm", "confirm change", "start")),
    )
    by_ref = here.state == "booked" and rng.random() < 0.25
    filled = Filled(rng, here, here.focus, "it")
    answers = not by_ref and here.state == "change" and rng.random() < 0.4
    phrases = words.CHANGE_REF if by_ref else words.WHEN if answers else words.CHANGE
    text = fill(expand(rng, pick(rng, split, phrases)), filled.value)
    if here.state == "start":
        return Meant(here, "change", text, request("bookings"))
    if here.state == "confirm":
        return Meant(here, "change", text, _changed(filled))
    before = here.before if here.before["op"] == "change" else {}
    day = filled.day.isoformat() if filled.day else before.get("day")
    wanted = {"day": day, "time": filled.time or before.get("time"), "people": filled.people or before.get("people")}
    return Meant(here, "change", text, request("change", ref=here.ref, **wanted))


def _changed(filled: Filled) -> dict[str, Json]:
    if filled.day or filled.time or filled.people:
        return _order(filled, filled.here.before)
    assert filled.place is not None
    return request("book", place=filled.place.slug, people=filled.here.before.get("people"))


def cancel(rng: random.Random, split: Split) -> Meant:
    here = talk(
        rng, split, rng.choice(("booked", "booked", "booked", "change", "confirm", "confirm cancel", "start", "place"))
    )
    by_ref = here.state == "booked" and rng.random() < 0.3
    text = fill(expand(rng, pick(rng, split, words.CANCEL_REF if by_ref else words.CANCEL)), Filled(rng, here).value)
    if here.state == "confirm":
        assert here.focus is not None
        return Meant(here, "cancel", text, request("drop", place=here.focus.slug))
    if here.state == "confirm cancel":
        # Short of a clear yes the order is said again.
        agreed = request("commit", order={"do": "cancel", "ref": here.ref})
        return Meant(here, "cancel", text, agreed if agrees(cleaned(text), "cancel") else here.before)
    if not here.ref:
        return Meant(here, "cancel", text, request("bookings"))
    return Meant(here, "cancel", text, request("cancel", ref=here.ref))


def bookings(rng: random.Random, split: Split) -> Meant:
    here = talk(rng, split, rng.choice(("start", "start", "list", "place", "booked", "booking")))
    return Meant(here, "bookings", expand(rng, pick(rng, split, words.BOOKINGS)), request("bookings"))
