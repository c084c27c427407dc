"""The time of day that a message names."""

import re
from dataclasses import dataclass

from apps.concierge.understand.clean import says
from apps.concierge.understand.people import HEADS, NUMBER, number

# A bare hour up to this one is in the afternoon or evening: nobody books a table for four in the morning.
_LAST_PM_HOUR = 9
# A clock with minutes from this hour on ("8:45") stands as written, unless these words say otherwise.
_FIRST_AM_HOUR = 7
_LATE = r"evening|tonight|tonite|2nite|night|pm|p\.m|dinner|supper|table"
_EARLY = r"breakfast|brunch"
_MINUTES = r"5|10|15|20|25|five|ten|twenty"
# "for ten to eight", "from 5 to 9": there the number is of people or an hour of its own; only "past" is sure.
_SPOKEN = re.compile(
    rf"\b(?:(half)(?: past)?|(quarter|{_MINUTES}) past|(quarter|(?<!for )(?<!from )(?<!of )(?:{_MINUTES}))"
    rf" (to|before|after)) {NUMBER}\b(?! (?:{HEADS}))"
)
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.h](\d\d))? ?(a\.?m|p\.?m)\b|\b(\d{1,2})[:.h](\d\d)\b(?! ?euros?)")
_HOUR = re.compile(
    rf"\b(?:at|around|about|by|after|from|before|until|till|@)(?: about| around)? {NUMBER}(?: ?o'?clock)?\b"
    r"(?! (?:\w+ )?(?:street|row|lane|walk|people|persons|guests|of us|nights?|euros?|dollars?|minutes?|days?))"
)
_OCLOCK = re.compile(rf"\b{NUMBER} ?(?:o'?clock|ish|uhr)\b|\b(\d{{1,2}})ish\b")
_IN_PART = re.compile(rf"\b{NUMBER} (?:in the (?:morning|afternoon|evening)|at night)\b")
_GREETING = re.compile(r"\bgood (?:morning|afternoon|evening)\b")
_NIGHT = re.compile(r"\b(\w+day|tomorrow) night\b")
EXACT_PARTS = {"noon": "12:00", "midday": "12:00"}
PARTS = {"after dinner": "21:00", "before dinner": "17:00", "dinner ?time": "19:00", "before lunch": "11:00",
         "after lunch": "14:00", "lunch ?time": "12:30", "morning": "10:00", "afternoon": "15:00", "evening": "19:00",
         "tonight": "19:00", "tonite": "19:00", "2nite": "19:00"}  # fmt: skip
TIME_WORDS = (
    _CLOCK.pattern,
    _OCLOCK.pattern,
    _IN_PART.pattern,
    _SPOKEN.pattern,
    _HOUR.pattern,
    rf"(?:in the |at )?(?:{'|'.join([*EXACT_PARTS, *PARTS])})",
)


@dataclass(frozen=True, slots=True)
class Time:
    """at: "HH:MM" or ""; vague: known only by a part of the day"""

    at: str
    vague: bool


def time_in(text: str) -> Time:
    """What `text` (plain) says about the time."""
    text = _GREETING.sub(" ", text)
    exact = _exact(text)
    if exact:
        return Time(exact, False)
    text = _NIGHT.sub(r"\1 evening", text)
    part = next((at for word, at in PARTS.items() if says(text, word)), "")
    return Time(part, bool(part))


def _exact(text: str) -> str:
    morning = says(text, "morning")
    if match := _CLOCK.search(text):
        if match[3]:
            hour = int(match[1]) % 12 + (12 if match[3][0] == "p" else 0)
            return _clock(hour, int(match[2] or 0))
        return _clock(_written_hour(match[4], text, morning), int(match[5]))
    spoken = (_spoken(match, morning) for match in _SPOKEN.finditer(text))
    hours = (
        _clock(_hour(next(part for part in match.groups() if part), morning), 0)
        for pattern in (_OCLOCK, _IN_PART, _HOUR)
        for match in pattern.finditer(text)
    )
    if said := next(filter(None, (*spoken, *hours)), ""):
        return said
    return next((at for word, at in EXACT_PARTS.items() if says(text, word)), "")


def _hour(said: str, morning: bool) -> int:
    """The hour meant by a number without am or pm; "09" is meant as it stands."""
    hour = number(said)
    return hour + 12 if 1 <= hour <= _LAST_PM_HOUR and not morning and said[0] != "0" else hour


def _written_hour(said: str, text: str, morning: bool) -> int:
    """The hour of a clock with minutes ("8:45") that has neither am nor pm."""
    as_written = number(said) >= _FIRST_AM_HOUR and (not says(text, _LATE) or says(text, _EARLY))
    return number(said) if as_written else _hour(said, morning)


def _spoken(match: re.Match[str], morning: bool) -> str:
    """ "half past seven", "half seven", "quarter to 8", "ten past six" """
    half, past_minutes, minutes, way, said = match.groups()
    hour, count = _hour(said, morning), half or past_minutes or minutes
    after_hour = {"half": 30, "quarter": 15}.get(count) or number(count)
    return _clock(hour - 1, 60 - after_hour) if way in ("to", "before") else _clock(hour, after_hour)


def _clock(hour: int, minute: int) -> str:
    return f"{hour:02d}:{minute:02d}" if 0 <= hour < 24 and 0 <= minute < 60 else ""
