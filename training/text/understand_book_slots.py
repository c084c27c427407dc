"""The slots of a wording about a booking, filled as guests say them."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from apps.concierge.catalogue import SERVICES, SeedPlace
from training.text.slots import any_day, any_people, any_time, bare_people
from training.text.talks import Talk


@dataclass
class Filled:
    """The slots that a wording took, and the function that fills them. said: the place, by name or pronoun"""

    rng: random.Random
    here: Talk
    place: SeedPlace | None = None
    said: str = ""
    day: date | None = None
    time: str = ""
    vague: str = ""
    people: int | None = None

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
