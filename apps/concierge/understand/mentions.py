"""What of the catalogue a message mentions: places, services, areas, kinds, features, price."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from apps.concierge.catalogue import band_under
from apps.concierge.understand.areas import AREA, area_in, near_it
from apps.concierge.understand.clean import plain, says, whole
from apps.concierge.understand.gazetteer import Gazetteer, Known
from apps.concierge.understand.lexicon import (
    FEATURE_SYNONYMS,
    KIND_SYNONYMS,
    MOST_PRICE,
    PRICES,
    SERVICE_WORDS,
    WEAK_SERVICE_WORDS,
)
from apps.concierge.understand.names import named

_LONG_PRICES = ("affordable", "inexpensive", "expensive", "moderately", "reasonably", "upscale", "luxury")
_LIKE, _LEAST_LETTERS = 86.0, 6
# What is denied follows; "no" at the start answers, and "is there no lift" asks for one.
_DENIES = re.compile(
    r"\b(?:(?<!why )not|without|except(?: for)?|apart from|anything but|other than|instead of"
    r"|(?:don't|dont|do not) (?:want|like)"
    r"|(?<!is there )(?<!are there )(?<!there is )(?<!there's )(?<!have )(?<!has )(?<!got )(?<!^)no)"
    r"(?: (?:a|an|any|the))? "
)
_MOST_WORDS = 3
_NOT_THERE = rf"(?:not|except|anywhere but)(?: (?:in|near|at|around))? {AREA}"


@dataclass(frozen=True, slots=True)
class Mentions:
    """What is said, each "" or empty when it is not.

    places    best first, with `sure` only when one is clear
    strong    services by a word that always names them; services: those, else by kind, else by weaker words
    kinds     service -> the kind said that it has
    masked    the text with a placeholder for the place and for the area
    rest      the text less all that was recognised
    """

    places: tuple[Known, ...]
    sure: bool
    strong: tuple[str, ...]
    services: tuple[str, ...]
    area: str
    kinds: Mapping[str, str]
    feature: str
    price: str
    masked: str
    rest: str


def mentions(text: str, names: Gazetteer, talked_of: Sequence[str]) -> Mentions:
    """`text` is plain; talked_of: slugs of places shown before, the one in focus last."""
    focus = names.known(talked_of[-1]) if talked_of else None
    by_name = named(text, names, talked_of)
    by_area = area_in(by_name.text, names.areas)
    by_area = by_area if by_area.name else near_it(by_name.text, focus) or by_area
    area = "" if says(by_area.text, _NOT_THERE) else by_area.name
    wishes, denied = _without_denied(by_area.text, names)
    strong = _services(wishes, SERVICE_WORDS)
    feature = feature_in(wishes, names, strong)
    kinds = _kinds(wishes, names, feature)
    weak = _services(wishes, WEAK_SERVICE_WORDS)
    services = strong or tuple(kinds) or weak or denied
    price = _price(wishes, services[0] if services else focus.service if focus else "")
    rest = _rest(wishes, feature, [kind for _, kind in kinds.values()])
    found = {service: kind for service, (kind, _) in kinds.items()}
    return Mentions(by_name.places, by_name.sure, strong, services, area, found, feature, price, wishes, rest)


def _without_denied(text: str, names: Gazetteer) -> tuple[str, tuple[str, ...]]:
    """`text` less the kinds, features and services that it denies, and the services of those kinds."""
    services: list[str] = []
    for match in reversed(list(_DENIES.finditer(text))):
        words = text[match.end() :].split()[:_MOST_WORDS]
        runs = (" ".join(words[:size]) for size in range(len(words), 0, -1))
        said = next((run for run in runs if _is_wish(run, names)), "")
        if said:
            services += names.kinds.get(said) or names.kinds.get(said.removesuffix("s")) or ()
            text = f"{text[: match.end()]}{text[match.end() + len(said) :].lstrip()}".rstrip()
    return text, tuple(dict.fromkeys(services))


def _is_wish(said: str, names: Gazetteer) -> bool:
    """Whether `said` is nothing but a kind, a feature or a word for a service."""
    known = {*names.kinds, *names.plain_features.values()}
    if said in known or said.removesuffix("s") in known:
        return True
    tables = (KIND_SYNONYMS, FEATURE_SYNONYMS)
    words = (*SERVICE_WORDS.values(), *(words for table in tables for words in table))
    return any(whole(one).fullmatch(said) for one in words)


def _price(text: str, service: str) -> str:
    """The band said, or the dearest that costs no more than may be paid; "cheap" where no service says what is much."""
    if match := whole(MOST_PRICE).search(text):
        return band_under(service, int(match[1])) if service else "cheap"
    spelt = _spelt(text)
    return next((band for band, words in PRICES.items() if says(spelt, words)), "")


def _services(text: str, table: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(service for service, words in table.items() if says(text, words))


def _kinds(text: str, names: Gazetteer, feature: str) -> dict[str, tuple[str, str]]:
    """Service -> the kind as written, and the words that said it; those named outright before synonyms.

    Words of the feature said ("guided tours", "vegan menu") name no kind, unless the kind's words hold them all.
    """
    found: dict[str, tuple[str, str]] = {}
    bare = without_feature(text, feature)
    whole_text, less = _Spoken.of(text), _Spoken.of(bare)
    for kind, written in names.kinds.items():
        said = _said(whole_text if feature and feature in kind else less, kind)
        for service in written if said else ():
            found.setdefault(service, (written[service], said))
    for words, kind in KIND_SYNONYMS.items():
        match = whole(words).search(bare) if kind in names.kinds else None
        for service in names.kinds[kind] if match else ():
            found.setdefault(service, (names.kinds[kind][service], match[0]))
    return found


def without_feature(text: str, feature: str) -> str:
    """`text` less the words that say `feature`."""
    if not feature:
        return text
    if plain(feature) in text:
        text = re.sub(rf"\b{re.escape(plain(feature))}s?\b", " ", text)
    for words, meant in FEATURE_SYNONYMS.items():
        if meant == feature:
            text = whole(words).sub(" ", text)
    return text


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A text, its words, and where words begin with each letter."""

    text: str
    words: Sequence[str]
    starts: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, text: str) -> "_Spoken":
        words, starts = text.split(), defaultdict(list)
        for index, word in enumerate(words):
            starts[word[0]].append(index)
        return cls(text, words, starts)


def _said(spoken: _Spoken, phrase: str) -> str:
    """The words that say `phrase`: as it stands, in the plural, or with a typo in a long one; "" if none."""
    if phrase in spoken.text and (match := re.search(rf"\b{re.escape(phrase)}(?:s|es)?\b", spoken.text)):
        return match[0]
    if len(phrase) < _LEAST_LETTERS:
        return ""
    meant = phrase.split()
    for start in spoken.starts.get(phrase[0], ()):
        run = spoken.words[start : start + len(meant)]
        if len(run) == len(meant) and all(map(_like, meant, run)):
            return " ".join(run)
    return ""


def _spelt(text: str) -> str:
    """`text` with words for prices as they are meant, where a finger slipped."""
    words = text.split()
    return " ".join(next((meant for meant in _LONG_PRICES if _like(meant, word)), word) for word in words)


def _like(meant: str, said: str) -> bool:
    """Whether `said` is `meant` with a slip of the finger; short words must be right."""
    if meant == said or len(meant) < _LEAST_LETTERS - 1 or meant[0] != said[0]:
        return meant == said
    return _slipped(meant, said)


@lru_cache(maxsize=4096)
def _slipped(meant: str, said: str) -> bool:
    alike = fuzz.ratio(meant, said) >= _LIKE
    return alike and not any(whole(words).fullmatch(said) for words in SERVICE_WORDS.values())


def feature_in(text: str, names: Gazetteer, services: Sequence[str] = ()) -> str:
    """Of several the first that a service said has, else the first; those named outright before synonyms."""
    spoken = _Spoken.of(text)
    found = [feature for feature, spelt in names.plain_features.items() if _said(spoken, spelt)]
    found += [feature for words, feature in FEATURE_SYNONYMS.items() if feature in names.features and says(text, words)]
    if len(found) < 2 or not services:
        return found[0] if found else ""
    had = {feature for place in names.places if place.service in services for feature in place.features}
    return next((feature for feature in found if feature in had), found[0])


def _rest(text: str, feature: str, kinds: Sequence[str]) -> str:
    """What is left when all recognised words are taken away."""
    text = without_feature(text, feature)
    for said in kinds:
        text = re.sub(rf"\b{re.escape(said)}\b", " ", text)
    for words in (MOST_PRICE, *PRICES.values(), *SERVICE_WORDS.values(), *WEAK_SERVICE_WORDS.values()):
        text = whole(words).sub(" ", text)
    return " ".join(text.split())
