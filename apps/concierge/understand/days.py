"""The day that a message names."""

import re
from datetime import date, timedelta
from functools import lru_cache

from rapidfuzz import fuzz, process

from apps.concierge.hours import DAY_NAMES
from apps.concierge.understand.clean import says, whole
from apps.concierge.understand.people import HEADS

_LIKE = 79.0
_SPELT = ("today", "tonight", "tomorrow", "weekend", *(name.lower() for name in DAY_NAMES.values()))
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
_WEEKDAYS = (
    r"mondays?|mon|monady",
    r"tuesdays?|tues?|tusday|teusday",
    r"wednesdays?|wed(?! (?:like|love|want|prefer|rather|need|fancy))|weds|wensday|wednsday|wendesday",
    r"thursdays?|thurs?|thrusday|thursaday",
    r"fridays?|fri|firday|frid",
    r"saturdays?|sat|saterday|satuday|satruday",
    r"sundays?|(?<!the )sun|sundy|suday",
)
TODAY = r"today|tonight|tonite|2nite|2day|this (?:evening|afternoon|morning)|open (?:right )?now"
TOMORROW = r"tomorrow|tomorow|tommorow|tommorrow|tomorrows|tmrw|tmr|tmw|2moro|2morrow"
AFTER_TOMORROW = rf"(?:the )?day after (?:{TOMORROW})"
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_NAMED_MONTH = "|".join(rf"{month}|{month[:3]}" for month in MONTHS)
_AHEAD = re.compile(r"\bin (a|one|two|three|four|five|six|seven|\d{1,2}) (day|week)s?\b")
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
# "may" is a verb in "may 2 people come" and "we 2 may come".
_DAY_MONTH = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({_NAMED_MONTH})\b(?<!may(?= (?:come|go|be|bring|have|stay|not|i|we)\b))"
)
_MONTH_DAY = re.compile(rf"\b({_NAMED_MONTH}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?!:| (?:more )?(?:{HEADS})\b)")
_ORDINAL = re.compile(r"\b(?:on )?the (\d{1,2})(?:st|nd|rd|th)\b")
DAY_WORDS = rf"(?:this |next |coming |on )*(?:{AFTER_TOMORROW}|{TOMORROW}|{TODAY}|weekends?|{'|'.join(_WEEKDAYS)})"
# After these stands the day that is wanted now; after the others one that is not.
_RATHER = re.compile(r"\b(?:what about|how about|instead|then)\b")
_CLAUSE = re.compile(r"\b(?:if|because|since|unless|as)\b")
_REFUSED = re.compile(rf"\b(?:instead of|rather than|(?<!why )(?<!if )not)(?: for)? {DAY_WORDS}\b")


def day_in(text: str, today: date) -> date | None:
    """The day said, or None when none is or the day does not exist.

    Of several, the one after "what about" and the like, else the last that is not refused ("not sunday").
    """
    text = _REFUSED.sub(" ", _well_spelt(text))
    after = (text[match.end() :] for match in reversed(list(_RATHER.finditer(text))))
    asked_for = (_day(_CLAUSE.split(said)[0], today) for said in after)
    return next(filter(None, asked_for), None) or _day(text, today)


def _day(text: str, today: date) -> date | None:
    """The first way of naming a day that fits."""
    if says(text, AFTER_TOMORROW):
        return today + timedelta(days=2)
    if says(text, TOMORROW):
        return today + timedelta(days=1)
    return _calendar_day(text, today) or _weekday(text, today) or _relative(text, today)


def _well_spelt(text: str) -> str:
    """Days' names with a slip of the finger as they are meant."""
    return " ".join(_meant(word) if len(word) > 3 else word for word in text.split())


@lru_cache(maxsize=4096)
def _meant(word: str) -> str:
    best = process.extractOne(word, _SPELT, scorer=fuzz.ratio, score_cutoff=_LIKE)
    return best[0] if best and word[0] == best[0][0] else word


def _weekday(text: str, today: date) -> date | None:
    """The next such day, today included; with "next", that of the week after this one, which begins on Monday.

    Of several the last; a weekend, which begins on its Saturday, only when no day of it is said.
    """
    days = [(match, index) for index, words in enumerate(_WEEKDAYS) for match in _with_next(words).finditer(text)]
    days = days or [(match, 5) for match in _with_next("weekends?").finditer(text)]
    if not days:
        return None
    match, weekday = max(days, key=lambda day: day[0].start())
    if match[1]:
        return today - timedelta(days=today.weekday()) + timedelta(days=7 + weekday)
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def _with_next(words: str) -> re.Pattern[str]:
    return whole(rf"(next )?(?:{words})")


def _relative(text: str, today: date) -> date | None:
    if match := _AHEAD.search(text):
        count = _COUNTS.get(match[1]) or int(match[1])
        return today + timedelta(days=count * (7 if match[2] == "week" else 1))
    return today if says(text, TODAY) else None


def _calendar_day(text: str, today: date) -> date | None:
    if match := _ISO.search(text):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    forward = _DAY_MONTH.search(text)
    backward = _MONTH_DAY.search(text)
    if forward or backward:
        number, name = (forward[1], forward[2]) if forward else (backward[2], backward[1])
        month = next(i for i, known in enumerate(MONTHS, 1) if known.startswith(name[:3]))
        return _coming(today, month, int(number))
    if match := _ORDINAL.search(text):
        return _next_with(today, int(match[1]))
    return None


def _coming(today: date, month: int, number: int) -> date | None:
    day = _date(today.year, month, number)
    return _date(today.year + 1, month, number) if day and day < today else day


def _next_with(today: date, number: int) -> date | None:
    """The next day with this number in its month."""
    days = (today + timedelta(days=ahead) for ahead in range(62))
    return next((day for day in days if day.day == number), None)


def _date(year: int, month: int, day: int) -> date | None:
    """None for a day that does not exist."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
