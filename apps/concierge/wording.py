"""Small pieces of English that sentences and labels share."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from apps.concierge.catalogue import SERVICES
from apps.concierge.hours import DAY_NAMES, DAYS


def joined(words: Sequence[str]) -> str:
    """ "a, b and c" """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def article(noun: str) -> str:
    return "an" if noun[0].lower() in "aeiou" else "a"


def kind_noun(place: Mapping[str, object]) -> str:
    """ "Italian restaurant", "maritime museum", "inn" """
    kind = str(place["kind"])
    return f"{kind} restaurant" if place["service"] == "restaurant" and kind != "cafe" else kind


def clock(time: str) -> str:
    """As people write it: 6:30, not 06:30."""
    return "midnight" if time == "24:00" else time.removeprefix("0") if time[:2] != "00" else time


def long_day(day: str) -> str:
    """ "2026-12-01" as "Tuesday 1 December" """
    when = date.fromisoformat(day)
    return f"{DAY_NAMES[DAYS[when.weekday()]]} {when.day} {when:%B}"


def near_day(day: str, today: str) -> str:
    """ "tonight" is left to the speaker: "today", "tomorrow", "on Saturday", else "on Saturday 12 December" """
    when, now = date.fromisoformat(day), date.fromisoformat(today)
    if when == now:
        return "today"
    if when == now + timedelta(days=1):
        return "tomorrow"
    if now < when < now + timedelta(days=7):
        return f"on {DAY_NAMES[DAYS[when.weekday()]]}"
    return f"on {long_day(day)}"


def people_words(people: object) -> str:
    return "1 person" if people == 1 else f"{people} people"


def price_words(place: Mapping[str, object]) -> str:
    return f"${place['price']} {SERVICES[str(place['service'])].unit}"


def open_days(hours: Mapping[str, Sequence[str]]) -> str:
    """ "every day", "Tuesday to Sunday", "Monday and Friday": the days with hours"""
    days = [day for day in DAYS if day in hours]
    if len(days) == 7:
        return "every day"
    starts = [day for day in days if DAYS[DAYS.index(day) - 1] not in hours]
    if len(starts) == 1 and len(days) > 2:
        last = DAYS[(DAYS.index(starts[0]) + len(days) - 1) % 7]
        return f"{DAY_NAMES[starts[0]]} to {DAY_NAMES[last]}"
    return joined([DAY_NAMES[day] for day in days])
