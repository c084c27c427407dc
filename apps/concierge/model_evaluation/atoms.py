"""The judge's reading of a text: every number, time, price, day, name and term in it, typed, with its place.

Nothing here is shared with the product's fact check, which compares letters; this compares meanings.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from apps.concierge.hours import DAY_NAMES


class AtomKind(StrEnum):
    NAME = "name"  # of a place
    PHRASE = "phrase"  # an area, a street, a line, a stop: kept as written
    CODE = "code"  # a reference or a phone number
    MONEY = "money"
    RATING = "rating"
    WALK = "walk"  # minutes
    PEOPLE = "people"
    CLOCK = "clock"  # HH:MM
    DATE = "date"  # DD-MM
    WEEKDAY = "weekday"  # mon … sun, or "all"
    NUMBER = "number"  # of which the text does not say what it counts
    TERM = "term"  # a feature, kind, service or price word
    PROPER = "proper"  # a capitalised word of no known name


K = AtomKind


@dataclass(frozen=True, slots=True)
class Atom:
    kind: AtomKind
    value: str

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"


@dataclass(frozen=True, slots=True)
class Placed:
    """An atom at text[start:end]."""

    atom: Atom
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextRead:
    """atoms in order; rest: the text with all of them blanked, in lower case, of the same length"""

    atoms: tuple[Placed, ...]
    rest: str


MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")  # fmt: skip
_UNDER_TWENTY = """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred"
# "one" is no figure in "one of the best"; it counts only before a unit.
NUMBER_WORDS = {
    **{word: number for number, word in enumerate(_UNDER_TWENTY.split(), 2)},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), 2)},
}
_NUMBER = rf"(?:\d+(?:[.,]\d+)?|\b(?:one|{'|'.join(NUMBER_WORDS)})\b)"
_MONTH = "|".join(MONTHS)
_DAY = "|".join(name.lower() for name in DAY_NAMES.values())
_PATTERNS: tuple[tuple[AtomKind, str], ...] = (
    (K.CODE, r"\bvb[a-z0-9]{6}\b|\b\d+(?:-\d+)+\b"),
    (K.MONEY, rf"\$ ?{_NUMBER}|{_NUMBER} (?:dollars|bucks|euros)"),
    (K.RATING, rf"{_NUMBER} ?(?:out of (?:5|five)|/ ?5|stars?\b)"),
    (K.WALK, rf"{_NUMBER}[ -]min(?:ute)?s?\b"),
    (K.DATE, rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})\b|\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b"),
    (K.CLOCK, r"\b\d{1,2}:\d\d(?: ?[ap]m\b)?|\b\d{1,2} ?[ap]m\b|\bnoon\b|\bmidday\b|\bmidnight\b"),
    (K.PEOPLE, rf"{_NUMBER} (?:people|persons?|guests?|visitors?|seats?|tickets?)\b"),
    (K.WEEKDAY, rf"\b(?:{_DAY})s?\b|\bevery day\b|\bdaily\b|\ball week\b"),
    (K.NUMBER, rf"{_NUMBER.replace('one|', '')}"),
)
# Words that begin sentences and are no names.
_STARTERS = """\
a all an and any as at book both but by call can choose come dear do doors each enjoy entry every expect find
first for free from get getting good goodbye great guests have head hello here hi how however i i'll i'm i've if in
instead is it it's its just let no none not nothing now of ok okay on once only open opening our people perfect please
prices rated ratings reach right room rooms seats shall so sorry sure take tell thank thanks that the their then there
there's these they this those to today try unfortunately until up very visit visitors walk we we're welcome well what
when which while will with yes you you'll your yours afraid also among besides board canceled cancelled catch dial done
eating i'd keep lovely my nice other others pay reserve reserved riding ring sadly seeing some staying still suggest
they'll together top under was what's where wonderful would"""
STARTERS = frozenset(_STARTERS.split())


def read_text(text: str, names: Iterable[str], phrases: Iterable[str], terms: Iterable[str]) -> TextRead:
    """Names and phrases count as written, longest first; terms in any case, singular or plural."""
    placed: list[Placed] = []
    masked = text.translate(str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-"}))
    kinds = {**dict.fromkeys(phrases, K.PHRASE), **dict.fromkeys(names, K.NAME)}
    for phrase in sorted(filter(None, kinds), key=lambda p: (-len(p), p)):
        pattern = rf"(?<!\w){re.escape(phrase)}(?!\w)"
        masked = _take(masked, pattern, placed, lambda _, p=phrase: Atom(kinds[p], p), 0)
    for kind, pattern in _PATTERNS[:1]:
        masked = _take(masked, pattern, placed, lambda found, k=kind: Atom(k, found.upper()))
    for term in sorted({t.lower() for t in terms if t}, key=lambda t: (-len(t), t)):
        masked = _take(masked, rf"(?<!\w){re.escape(term)}(?:s|es)?(?!\w)", placed, lambda _, t=term: Atom(K.TERM, t))
    for kind, pattern in _PATTERNS[1:]:
        masked = _take(masked, pattern, placed, lambda found, k=kind: Atom(k, _value(k, found)))
    masked = _take(masked, r"(?<![\w'])[^\W\d_a-z][\w'-]*", placed, _proper, 0)
    return TextRead(tuple(sorted(placed, key=lambda one: one.start)), masked.lower())


def _proper(found: str) -> Atom | None:
    return None if found.lower() in STARTERS else Atom(K.PROPER, found)


def _take(
    text: str, pattern: str, placed: list[Placed], atom_of: Callable[[str], Atom | None], flags: int = re.IGNORECASE
) -> str:
    """The text with each match blanked, and its atom added; a match of no atom stays."""
    for match in re.finditer(pattern, text, flags):
        atom = atom_of(match[0])
        if atom is not None:
            placed.append(Placed(atom, *match.span()))
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return text


def _value(kind: AtomKind, found: str) -> str:
    found = found.lower()
    if kind is K.WEEKDAY:
        return "all" if found in ("every day", "daily", "all week") else found[:3]
    if kind is K.CLOCK:
        return _clock(found)
    if kind is K.DATE:
        month = next(number for number, name in enumerate(MONTHS, 1) if name in found)
        return f"{int(re.sub(r'[^0-9]', '', found)):02d}-{month:02d}"
    words = {"one": 1, **NUMBER_WORDS}
    number = re.search(r"\d+(?:[.,]\d+)?", found)
    word = next((words[one] for one in re.findall(r"[a-z]+", found) if one in words), 0)
    return plain_number(number[0].replace(",", ".") if number else word)


def _clock(found: str) -> str:
    if found in ("noon", "midday"):
        return "12:00"
    if found == "midnight":
        return "24:00"
    digits = re.findall(r"\d+", found)
    hour, minute = int(digits[0]), digits[1] if len(digits) > 1 else "00"
    if found.endswith("m"):
        hour = hour % 12 + (12 if found.endswith("pm") else 0)
    return f"{hour:02d}:{minute}"


def plain_number(value: object) -> str:
    """4.0 and 4 are one number."""
    return f"{float(str(value)):g}"
