"""Days, times and numbers of people in a message."""

import re
from dataclasses import dataclass
from datetime import date

from apps.concierge.hours import DAYS
from apps.concierge.understand.days import DAY_WORDS, day_in
from apps.concierge.understand.people import PEOPLE_WORDS, people_in
from apps.concierge.understand.times import TIME_WORDS, time_in

_WORDS = [re.compile(words) for words in (*TIME_WORDS, *PEOPLE_WORDS, rf"\b(?:{DAY_WORDS})\b")]


@dataclass(frozen=True, slots=True)
class Moment:
    """day: a date, or None; time: "HH:MM" or ""; people: 0 when not said; vague: time only by a part of the day"""

    day: date | None
    time: str
    people: int
    vague: bool

    @property
    def weekday(self) -> str:
        return DAYS[self.day.weekday()] if self.day else ""

    @property
    def exact_time(self) -> str:
        return "" if self.vague else self.time


def moment(text: str, today: date) -> Moment:
    """What `text` (plain) says about when and how many."""
    time = time_in(text)
    return Moment(day_in(text, today), time.at, people_in(text), time.vague)


def without_moment(text: str) -> str:
    """`text` less the words of days, times and numbers of people."""
    for pattern in _WORDS:
        text = pattern.sub(" ", text)
    return " ".join(text.split())
