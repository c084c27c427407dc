"""How many people a message is about."""

import re

from apps.concierge.understand.clean import says

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
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "twenty": 20,
}
NUMBER = rf"(\d{{1,3}}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_NO_TIME = (
    r"(?! ?(?:am|pm|a\.m|p\.m|:|\.\d|o'?clock|ish|hours?|nights?|days?|weeks?|minutes?|euros?|dollars?|bucks|past"
    r"|in the|(?:st|nd|rd|th)\b))"
)
HEADS = r"people|persons?|ppl|guests?|adults?|friends|of us|seats?|tickets?|tix|pax|diners|heads|folks|men|women|places"
_CHILDREN = r"kids?|children|babies|toddlers?"
_END = r"(?: (?:please|pls|then|now|instead))?$"
_FEWER = ("less", "fewer", "remove", "minus")
_COUNT = rf"(?P<count>an?|another|{NUMBER})"
_MORE = r"(?P<way>more|extra|additional|less|fewer)"
# Numbers that are to be added to those who come already, or taken from them.
_SUMS = [
    re.compile(rf"\b{_COUNT} {_MORE} (?:{HEADS}|{_CHILDREN})\b"),
    re.compile(rf"\b{_COUNT} (?:{HEADS}|{_CHILDREN}) {_MORE}\b(?! than)"),
    re.compile(rf"\b(?P<way>add|plus|remove|minus) {_COUNT} (?:{HEADS}|{_CHILDREN})\b"),
    re.compile(
        r"\b(?:add|bring|plus|with|make (?:it|that)|we(?:'re| are| will be)|there(?:'s| is| are| will be)) "
        rf"{_COUNT} {_MORE}{_END}"
    ),
    re.compile(rf"^(?:(?:and|also|oh|ok|no|sorry|for|with) )*{_COUNT} {_MORE}{_END}"),
    re.compile(rf"^(?:(?:and|also|oh|ok|no|sorry|for|with) )*(?P<way>another|plus) {_COUNT}{_END}"),
    re.compile(r"\b(?P<count>another) (?P<way>person|guest|adult|friend)\b"),
]
_NOBODY = (
    rf"(?:0|zero) (?:{HEADS})|(?:for|make (?:it|that)) (?:0|zero|nobody|no ?one|no people)(?![:.]?\d)(?! ?o'?clock)"
)
_BOTH = re.compile(
    rf"\b{NUMBER} (?:adults?|grown-?ups|people) (?:and |plus )?(an?|{NUMBER}) (?:{_CHILDREN}|child|baby|toddler)\b"
)
_PATTERNS = [
    re.compile(rf"\b{NUMBER} (?:more )?(?:{HEADS})\b"),
    re.compile(rf"\b(?:party|group|table|room|tickets?|seats?|family|reservation|booking|places?|spots?) (?:of"
    rf"|for) {NUMBER}\b{_NO_TIME}"),
    re.compile(rf"\bfor (?:a (?:party|group|family|table) of )?(?:the |us |all )?{NUMBER}\b(?! of the){_NO_TIME}"),
    re.compile(rf"\b(?:we(?:'re| are| will be|'ll be)|there (?:are|will be)|there's|it's|its) (?:just "
    rf"|only )?{NUMBER}\b(?! of the){_NO_TIME}"),
    re.compile(rf"\b{NUMBER} (?:of us )?at _place_"),
    re.compile(rf"\b(?:make (?:it|that)|back to) {NUMBER}\b{_NO_TIME}(?=$| people| instead| please| not| now)"),
    re.compile(rf"^(?:just |only )?{NUMBER} (?:please|pls|instead)$"),
]  # fmt: skip
_KIN = (
    r"wife|husband|partner|boyfriend|girlfriend|mum|mom|mother|dad|father|friend|son|daughter|sister|brother|boss"
    r"|date|colleague|gf|bf"
)
_PAIR = (
    rf"(?:me and my|my|with my|for my) (?:{_KIN})(?: and (?:i|me|myself))?|(?:a|one) couple|(?:both|pair"
    rf"|the both) of us"
    r"|just us two|us two|we two"
)
_ALONE = (
    r"just me|(?:just|only|table|seat|room|ticket|one) for me|only me|myself|alone|by myself|solo|on my own"
    r"|single person"
)
PEOPLE_WORDS = (
    _BOTH.pattern,
    *(pattern.pattern for pattern in _SUMS),
    *(pattern.pattern for pattern in _PATTERNS),
    _PAIR,
    _ALONE,
)


def people_in(text: str) -> int:
    """0 when `text` (plain) says no number."""
    if match := _BOTH.search(text):
        return number(match[1]) + (1 if match[2] in ("a", "an") else number(match[2]))
    for pattern in _PATTERNS:
        if match := pattern.search(text):
            return number(match[1])
    if says(text, _PAIR):
        return 2
    return 1 if says(text, _ALONE) else abs(people_added(text))


def people_added(text: str) -> int:
    """How many more than come already; negative for fewer, 0 when `text` (plain) says no such sum."""
    match = next(filter(None, (pattern.search(text) for pattern in _SUMS)), None)
    if match is None:
        return 0
    count = match["count"]
    said = 1 if count in ("a", "an", "another") else number(count)
    return -said if match["way"] in _FEWER else said


def nobody_in(text: str) -> bool:
    """Whether `text` (plain) says that nobody comes, which no booking can be for."""
    return says(text, _NOBODY)


def number(text: str) -> int:
    return NUMBERS.get(text) or int(text)
