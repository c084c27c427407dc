"""Days, times and numbers of people in a message."""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from apps.concierge.hours import DAY_NAMES, DAYS

NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_NUMBER = rf"(\d{{1,3}}|{'|'.join(NUMBERS)})"
_PEOPLE = [
    re.compile(rf"\b{_NUMBER} (?:people|persons?|guests?|adults?|friends|of us|seats?|tickets?|pax)\b"),
    re.compile(rf"\b(?:party|group|table|room|tickets?|seats?) (?:of|for) {_NUMBER}\b(?! ?(?:am|pm|:|o'clock))"),
    re.compile(rf"\bfor {_NUMBER}\b(?! ?(?:am|pm|:|o'clock|hours?|nights?|days?))"),
    re.compile(rf"\bwe(?:'re| are) {_NUMBER}\b"),
    re.compile(rf"\bmake it {_NUMBER}\b(?! ?(?:am|pm|:|o'clock))(?=$| people)"),
]
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d\d))? ?(am|pm)\b|\b(\d{1,2}):(\d\d)\b")
_AT = re.compile(rf"\bat {_NUMBER}\b(?! (?:\w+ )?(?:street|row|lane|walk|people))")
_PARTS = {"noon": "12:00", "midday": "12:00", "lunchtime": "12:30", "morning": "10:00", "afternoon": "15:00",
          "evening": "19:00", "tonight": "19:00"}  # fmt: skip


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


def moment(text: str, today: date) -> Moment:
    """What `text` (plain) says about when and how many."""
    time = _time(text)
    part = next((at for word, at in _PARTS.items() if re.search(rf"\b{word}\b", text)), "")
    return Moment(_day(text, today), time or part, _people(text), not time and bool(part))


def _number(text: str) -> int:
    return NUMBERS.get(text) or int(text)


def _people(text: str) -> int:
    for pattern in _PEOPLE:
        if match := pattern.search(text):
            return _number(match[1])
    if re.search(r"\b(just me|for me|myself|alone)\b", text):
        return 1
    return 2 if re.search(r"\b(couple|my wife and i|my husband and i|both of us)\b", text) else 0


def _time(text: str) -> str:
    if match := _CLOCK.search(text):
        hour, minute = int(match[1] or match[4]), int(match[2] or match[5] or 0)
        if match[3]:
            hour = hour % 12 + (12 if match[3] == "pm" else 0)
        return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else ""
    if match := _AT.search(text):
        hour = _number(match[1])
        # A bare "at 8" is the evening; nobody books a table for four in the morning.
        return f"{hour + 12 if 1 <= hour <= 9 else hour:02d}:00" if hour < 24 else ""
    return ""


def _day(text: str, today: date) -> date | None:
    if "day after tomorrow" in text:
        return today + timedelta(days=2)
    if re.search(r"\b(tomorrow|tmrw)\b", text):
        return today + timedelta(days=1)
    if re.search(r"\b(today|tonight|this evening|this afternoon|now)\b", text):
        return today
    for index, key in enumerate(DAYS):
        if re.search(rf"\b({DAY_NAMES[key].lower()}s?|{key})\b", text):
            return today + timedelta(days=(index - today.weekday()) % 7)
    if re.search(r"\bweekend\b", text):
        return today + timedelta(days=(5 - today.weekday()) % 7)
    return _calendar_day(text, today)


def _calendar_day(text: str, today: date) -> date | None:
    if match := re.search(r"\b(\d{4})-(\d\d)-(\d\d)\b", text):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    names = "|".join(MONTHS)
    forward = re.search(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({names})\b", text)
    backward = re.search(rf"\b({names}) (\d{{1,2}})(?:st|nd|rd|th)?\b", text)
    if not forward and not backward:
        return None
    number, name = (forward[1], forward[2]) if forward else (backward[2], backward[1])
    day = _date(today.year, MONTHS.index(name) + 1, int(number))
    return _date(today.year + 1, day.month, day.day) if day and day < today else day


def _date(year: int, month: int, day: int) -> date | None:
    """None for a day that does not exist."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
