"""Messages about bookings: make one, go on with one, change, call off, list."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from apps.concierge.catalogue import SERVICES, SeedPlace
from apps.concierge.requests import request
from apps.serving.names import Json
from training.text.example import Split
from training.text.grammar import expand, fill, pick
from training.text.meant import Meant
from training.text.slots import any_day, any_people, any_time, bare_people
from training.text.talks import Talk, talk

# {s}: the place; {what}: what its booking gives ("a table").
_BOOK = (
    "book {s}",
    "[i want to|i'd like to|i would like to|can i|can we|could you|please|let's|we want to] book {s}",
    "book {s} {people} {day} {time}",
    "[reserve|book|get me|get us|i need|i want|we need] {what} at {s} {people} {day} {time}",
    "[book|reserve] {what} at {s} [please|]",
    "[book|reserve] {what} at {s} {people}",
    "[book|reserve] {what} at {s} {day}",
    "[can i get|could i have|can we have|i'd like] {what} at {s} {day} {time} {people}",
    "[can i|can we|is it possible to] [book|reserve] {what} at {s} {day} [{time}|]",
    "{what} at {s} {people} {day} {time}",
    "{s} {people} {day} {time}",
    "{what} {people} at {s} {time} {day}",
    "[make a reservation|make a booking|a booking|reservation] at {s} {people} {day} [{time}|]",
    "[put me down|put us down|sign us up] for {s} {day} [{time}|]",
    "i want [reservation|to make reservation|booking] in {s} {day} {time}",
    "[we'd like to go|we want to go|i want to go] to {s} {day} {time}, can you book [it|that|us in]",
    "[arrange|organise|fix|sort out] {what} at {s} {people} {day}",
    "hold {what} for us at {s} {day} {time}",
    "book me in at {s} {time} {day}",
    "do they have {what} free at {s} {day} {time} {people}? [book it|if so book it]",
    "my [boss|wife|husband] wants {what} at {s} {day} {time}, please book",
    "could you squeeze [me|us] in at {s} {day} {people}",
    "[reserve|book] {s} {day} {time}",
    "i'll take {s} {people} {day} {time}",
)
_BOOK_IT = (
    "book it",
    "[book|reserve|take] it {people} [please|]",
    "[book|reserve] it {day} {time}",
    "[book|reserve] it {day} {time} {people}",
    "[book|reserve|get] {what} [there|] {people}",
    "[book|reserve|get|i want|i'd like|can i have|can we get] {what} [there|] {day} {time} {people}",
    "[can i|can we|could i] book [there|it|this place|{what} there]",
    "[i want to|i'd like to|we'd like to] [book|reserve|make a reservation|make a booking] [there|]",
    "[ok|great|perfect|sounds good|nice|lovely], [book it|book that|let's book|book me in]",
    "[let's do that|let's go with that one|we'll take it|i'll take it], book it [{people}|{day}|]",
    "[get|book] [me|us] in {day} [{time}|]",
    "{what} {people} {day} [{time}|please]",
    "[a|make a] [reservation|booking] {people} {day} {time}",
    "can we come {day} {time}? [book it|we'd like to book|please book]",
    "[do you do bookings|can you book it for me|can you book that for us|would you book it]",
    "reserve [please|it please|that one]",
    "i [want|need] book this",
    "[i think|ok] we book this one {people}",
)
_WHEN = (
    "{day} {time}",
    "{day}",
    "{time}",
    "{people}",
    "{day} {time} {people}",
    "{people} {day}",
    "{day} [please|would be great|works|is best|is fine|then]",
    "{time} [please|would be great|works|is best|if possible]",
    "[how about|what about|maybe|let's say|say] {day} [{time}|]",
    "[can we do|could we do|can we make it|is it possible] {day} {time}",
    "we are {barepeople}",
    "{barepeople} [please|]",
    "[we would come|we'd come|we'll come|i'll come|coming] {day} {time}",
    "{day} [and|] {people}",
    "[it's|its|it will be] {barepeople} {day}",
    "[ideally|preferably] {day} {time}",
    "[uh|hmm|well|ok] {day} {time} then",
)
_CHANGE = (
    "[change|move|switch] it to {day}",
    "[change|move|switch|push] it to {day} {time}",
    "[change|move] [the time|the booking|my booking|the reservation|my reservation] to {to}",
    "[can you|could you|can we|could we|please|i want to|i need to] [move|change|switch|push] it to {day}",
    "[can you|could you|can we|could we] make it {barepeople} [instead|]",
    "make it {barepeople}",
    "make it {to}",
    "make it {day} [instead|]",
    "[reschedule|postpone] [it|] to {day}",
    "[i need to|can i|i want to|we have to|can we|i'd like to] reschedule",
    "[i need to|can i|i want to|i'd like to|help me] [change|modify|amend] [it|my booking|my reservation|the booking]",
    "[change|modify|edit|update] [my|the] [booking|reservation]",
    "change the [time|day|date|number of people]",
    "[can we come|could we come] [later|earlier] [instead|please]",
    "[push|move] it [back|forward] to {to}",
    "[there will be|now there are|we are now] {barepeople}, [can you change it|please change the booking|update it]",
    "[something came up|i'm running late], [move it to|can we make it] {day}",
    "[is it possible to|would it be possible to] [move|change] it to {day} {time}",
    "[instead of that|actually], make it {to}",
    "[the day|the time|that day|that time] [doesn't work|is no good] any more, change it to {day}",
    "{day} instead [please|]",
    "please to change for {day}",
    "i made a mistake, [change it to|it should be changed to|make it] {barepeople}",
)
_CHANGE_REF = (
    "[change|move|reschedule] {ref} to {day}",
    "[change|modify|update|reschedule] [booking|reservation|] {ref}",
    "[can you|please|i want to|i need to] [change|move|reschedule] {ref} to {day} {time}",
    "[change|move] {ref} to {to}",
    "{ref} [should be|needs to be] moved to {day}",
    "make {ref} {day} instead, change it please",
    "[can you|] change [my booking|my reservation] {ref} to {barepeople}",
)
_CANCEL = (
    "cancel [it|that|this|]",
    "cancel [my|the] [booking|reservation|table]",
    "[i need to|i want to|can you|please|can i|i'd like to|could you|i have to] cancel [it|the booking|my"
    " reservation|my booking|that]",
    "[call it off|call the whole thing off]",
    "[delete|drop|scrap] [my|the|that] [booking|reservation]",
    "[i can't|we can't|we cannot|i cannot] [make it|come] [after all|any more|], [cancel it|please cancel|cancel the"
    " booking]",
    "[we no longer need|i no longer want|we don't need] [the|that|my] [booking|table|reservation|room] any more,"
    " cancel it",
    "[plans changed|my plans changed|something came up|i got sick], [cancel it|please cancel]",
    "get rid of [my|the|that] [booking|reservation]",
    "[annul|undo] [the|my] [booking|reservation]",
    "i'd like to call off [the booking|my reservation|our visit]",
    "[we're|we are] not coming [any more|after all], cancel please",
    "pls cancel",
    "cancellation please",
)
_CANCEL_REF = (
    "cancel {ref}",
    "[please|can you|i want to|i need to|could you] cancel {ref}",
    "cancel [booking|reservation|my booking|my reservation] {ref}",
    "{ref} [cancel it|cancel please|please cancel]",
    "[delete|drop] my booking {ref}",
    "i want cancel {ref}",
)
_BOOKINGS = (
    "[show|list|see|view|check] [me|] my [bookings|reservations]",
    "my [bookings|reservations]",
    "what have [i|we] booked [so far|already|]",
    "[what|which] [bookings|reservations] do [i|we] have",
    "do [i|we] have [any|a] [bookings|reservations|booking|reservation]",
    "[have|did] [i|we] [book|booked] [anything|something]",
    "[where|when] are my [bookings|reservations]",
    "[can i see|let me see|i want to see|can you show me] my [bookings|reservations]",
    "[what's|what is] [on my schedule|in my plan], i mean my bookings",
    "[when|what time] was my [booking|reservation] again",
    "[i forgot|remind me] what i booked",
    "am i booked anywhere",
    "is my [booking|reservation|table] confirmed",
    "what is my [booking reference|reservation number]",
    "overview of my bookings",
    "tell me about my [bookings|reservations]",
    "did the booking go through",
)


@dataclass
class _Filled:
    """The slots that a wording took, and the function that fills them."""

    rng: random.Random
    here: Talk
    place: SeedPlace | None = None
    said: str = ""
    day: date | None = None
    time: str = ""
    vague: str = ""
    people: int | None = None
    texts: dict[str, str] = field(default_factory=dict)

    def value(self, name: str) -> str:
        makers: Mapping[str, Callable[[], str]] = {
            "day": self._day,
            "time": self._time,
            "to": self._clock,
            "people": self._people,
            "barepeople": self._bare_people,
            "s": lambda: self.said,
            "what": lambda: _what(self.rng, self.place),
            "ref": lambda: _ref_said(self.rng, self.here.ref),
        }
        return makers[name]()

    def _day(self) -> str:
        day = any_day(self.rng, self.here.today)
        self.day, self.vague = day.day, day.vague_time
        return day.said

    def _time(self) -> str:
        time = any_time(self.rng)
        self.time = time.value
        return time.said

    def _clock(self) -> str:
        """A time without a preposition; never a bare hour, which would be a number of people."""
        said = self._time().partition(" ")[2]
        return said if ":" in said or said.endswith("m") else self.time

    def _people(self) -> str:
        people = any_people(self.rng)
        self.people = people.value
        return people.said

    def _bare_people(self) -> str:
        people = bare_people(self.rng)
        self.people = people.value
        return people.said


def _what(rng: random.Random, place: SeedPlace | None) -> str:
    """ "a table" for a restaurant, "tickets" for a museum"""
    return SERVICES[place.service].booked if place and rng.random() < 0.85 else "a reservation"


def _ref_said(rng: random.Random, ref: str) -> str:
    return ref.lower() if rng.random() < 0.3 else ref


def _order(filled: _Filled, before: Mapping[str, Json]) -> dict[str, Json]:
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
    phrases = {"it": _BOOK_IT, "when": _WHEN}.get(how, _BOOK)
    filled = _Filled(rng, here, place, said)
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
    filled = _Filled(rng, here, here.focus, "it")
    phrases = _CHANGE_REF if by_ref else _WHEN if here.state == "change" and rng.random() < 0.4 else _CHANGE
    text = fill(expand(rng, pick(rng, split, phrases)), filled.value)
    if here.state == "start":
        return Meant(here, "change", text, request("bookings"))
    if here.state == "confirm":
        return Meant(here, "change", text, _changed(filled))
    before = here.before if here.before["op"] == "change" else {}
    day = filled.day.isoformat() if filled.day else before.get("day")
    wanted = {"day": day, "time": filled.time or before.get("time"), "people": filled.people or before.get("people")}
    return Meant(here, "change", text, request("change", ref=here.ref, **wanted))


def _changed(filled: _Filled) -> dict[str, Json]:
    if filled.day or filled.time or filled.people:
        return _order(filled, filled.here.before)
    assert filled.place is not None
    return request("book", place=filled.place.slug, people=filled.here.before.get("people"))


def cancel(rng: random.Random, split: Split) -> Meant:
    here = talk(
        rng, split, rng.choice(("booked", "booked", "booked", "change", "confirm", "confirm cancel", "start", "place"))
    )
    by_ref = here.state == "booked" and rng.random() < 0.3
    text = fill(expand(rng, pick(rng, split, _CANCEL_REF if by_ref else _CANCEL)), _Filled(rng, here).value)
    if here.state == "confirm":
        assert here.focus is not None
        return Meant(here, "cancel", text, request("drop", place=here.focus.slug))
    if here.state == "confirm cancel":
        return Meant(here, "cancel", text, request("commit", order={"do": "cancel", "ref": here.ref}))
    if not here.ref:
        return Meant(here, "cancel", text, request("bookings"))
    return Meant(here, "cancel", text, request("cancel", ref=here.ref))


def bookings(rng: random.Random, split: Split) -> Meant:
    here = talk(rng, split, rng.choice(("start", "start", "list", "place", "booked", "booking")))
    return Meant(here, "bookings", expand(rng, pick(rng, split, _BOOKINGS)), request("bookings"))
