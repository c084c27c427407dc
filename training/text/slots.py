"""Days, times and numbers of people as guests say them, each with what it means."""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Generic, TypeVar

from apps.concierge.hours import DAY_NAMES, DAYS

T = TypeVar("T")
_HOURS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_KIN = ("wife", "husband", "girlfriend", "boyfriend", "partner", "mum", "dad", "friend", "sister")


@dataclass(frozen=True, slots=True)
class Day:
    """said: with its preposition; vague_time: what "tonight" says about the time, else "" """

    said: str
    day: date
    vague_time: str = ""


@dataclass(frozen=True, slots=True)
class Said(Generic[T]):
    said: str
    value: T


def any_day(rng: random.Random, today: date, evening: bool = True) -> Day:
    """evening: "tonight" and the like are allowed"""
    chance = rng.random()
    if evening and chance < 0.14:
        return Day(rng.choice(("tonight", "tonight", "this evening", "tonite")), today, "19:00")
    if chance < 0.2:
        return Day("today", today)
    if chance < 0.4:
        return Day(rng.choice(("tomorrow", "tomorrow", "tomorrow", "tmrw")), today + timedelta(days=1))
    if evening and chance < 0.46:
        return Day(rng.choice(("tomorrow night", "tomorrow evening")), today + timedelta(days=1), "19:00")
    if chance < 0.52:
        return Day(rng.choice(("this weekend", "at the weekend")), today + timedelta(days=(5 - today.weekday()) % 7))
    return _dated(rng, today) if chance > 0.9 else _weekday(rng, today)


def _weekday(rng: random.Random, today: date) -> Day:
    key = rng.choice(DAYS)
    index, name = DAYS.index(key), DAY_NAMES[key]
    if rng.random() < 0.12:
        monday = today - timedelta(days=today.weekday())
        return Day(f"next {name}", monday + timedelta(days=7 + index))
    short = "thurs" if key == "thu" else key
    said = rng.choice((f"on {name}", f"on {name}", f"on {name}", f"this {name}", name, f"on {short.capitalize()}"))
    return Day(said, today + timedelta(days=(index - today.weekday()) % 7))


def _dated(rng: random.Random, today: date) -> Day:
    day = today + timedelta(days=rng.randint(3, 26))
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day not in (11, 12, 13) else 0, "th")
    forms = (f"on the {day.day}{ending}", f"on {day.day} {day:%B}", f"on {day:%B} {day.day}", f"on {day.day} {day:%b}")
    return Day(rng.choice(forms), day)


def any_time(rng: random.Random) -> Said[str]:
    """Said with "at" or the like; "HH:MM". A bare hour up to nine means the evening, as the product takes it."""
    hour, minute = rng.randint(10, 22), rng.choice((0, 0, 0, 30, 30, 15, 45))
    value, twelve = f"{hour:02d}:{minute:02d}", hour % 12 or 12
    at = rng.choice(("at", "at", "at", "around", "about", "for"))
    half = "pm" if hour >= 12 else "am"
    exact = (f"{at} {value}", f"{at} {twelve}:{minute:02d} {half}", f"{at} {twelve}:{minute:02d}{half}")
    if minute:
        words = _spoken(hour, minute)
        return Said(
            f"at {words}" if 1 <= twelve <= 9 and hour > 12 and rng.random() < 0.5 else rng.choice(exact), value
        )
    forms = [*exact, f"{at} {twelve}{half}", f"{at} {twelve} {half}", f"{at} {twelve}{half}"]
    if hour > 12 and twelve <= 9:
        forms += [f"at {twelve}", f"at {_HOURS[twelve]}", f"at {twelve} o'clock", f"around {twelve}", f"{twelve}ish"]
        forms += [f"at {_HOURS[twelve]} in the {'evening' if hour > 17 else 'afternoon'}"]
    if hour == 12:
        forms += ["at noon", "at midday"]
    if hour < 12:
        forms += [f"at {_HOURS[twelve]} in the morning", f"at {twelve} in the morning"]
    return Said(rng.choice(forms), value)


def _spoken(hour: int, minute: int) -> str:
    """ "half past seven", "quarter to eight" """
    this, following = _HOURS[hour % 12 or 12], _HOURS[(hour + 1) % 12 or 12]
    return {30: f"half past {this}", 15: f"quarter past {this}", 45: f"quarter to {following}"}[minute]


def any_people(rng: random.Random) -> Said[int]:
    """Said with "for"."""
    count = rng.choice((1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 10))
    word = _HOURS[count]
    if count == 1:
        return Said(rng.choice(("just for me", "for one", "for one person", "just me", "for 1", "for myself")), 1)
    forms = [f"for {count}", f"for {word}", f"for {count} people", f"for {word} people", f"for {word} of us"]
    forms += [
        f"for a party of {word}",
        f"for a group of {count}",
        f"we are {word}",
        f"for {count} ppl",
        f"{count} people",
    ]
    if count == 2:
        forms += ["for the two of us", "for two", f"for me and my {rng.choice(_KIN)}", "for a couple", "for two"]
    if count == 4:
        forms += ["for a family of four", "for 2 adults and 2 kids"]
    return Said(rng.choice(forms), count)


def bare_people(rng: random.Random) -> Said[int]:
    """A number for "make it ..." """
    count = rng.randint(2, 8)
    return Said(
        rng.choice((f"{count} people", f"{_HOURS[count]} people", f"{count} persons", f"{_HOURS[count]} of us")), count
    )
