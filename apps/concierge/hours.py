"""Opening hours: a weekday's key -> [opens, closes], "HH:MM" each ("24:00" is midnight); a closed day is absent."""

import re
from collections.abc import Mapping

Hours = dict[str, list[str]]
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_NAMES = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}
_PART = re.compile(r"(daily|(?P<a>[a-z]{3})(?:-(?P<b>[a-z]{3}))?) (?P<open>\d\d:\d\d)-(?P<close>\d\d:\d\d)")


def parse_hours(text: str) -> Hours:
    """ "thu-tue 11:00-21:00, wed 12:00-15:00" as hours; a span may wrap round the week's end.

    Raises ValueError on text of another form.
    """
    hours: Hours = {}
    for part in text.split(", "):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError(f"opening hours {part!r}; expected like 'tue-sun 10:00-18:00'")
        for day in _span(match["a"], match["b"]):
            hours[day] = [match["open"], match["close"]]
    return hours


def _span(first: str | None, last: str | None) -> tuple[str, ...]:
    if first is None:
        return DAYS
    start, end = DAYS.index(first), DAYS.index(last or first)
    return tuple(DAYS[(start + step) % 7] for step in range((end - start) % 7 + 1))


def is_open(hours: Mapping[str, list[str]], day: str, time: str) -> bool:
    """Whether `time` ("HH:MM") lies in the day's hours; closing time itself does not."""
    span = hours.get(day)
    return span is not None and span[0] <= time < span[1]


def problem(hours: object) -> str | None:
    """Why `hours` cannot be stored, for the admin's form; None if it can."""
    if not isinstance(hours, dict) or not set(hours) <= set(DAYS):
        return 'use weekdays "mon" to "sun" as keys'
    for day, span in hours.items():
        times = isinstance(span, list) and len(span) == 2
        if not times or not all(isinstance(t, str) and re.fullmatch(r"\d\d:\d\d", t) for t in span):
            return f'{day}: use ["10:00", "18:00"]'
        if not "00:00" <= span[0] < span[1] <= "24:00":
            return f"{day}: must open before it closes, within 00:00 to 24:00"
    return None
