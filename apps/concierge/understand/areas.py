"""Which area of the catalogue a message names: its name, a word that only it has, a typo, or what lies there."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from apps.concierge.understand.clean import plain, says, whole, words_of
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.lexicon import PLACES_BY, SERVICE_WORDS

AREA = "_area_"
LIKE = 84.0
# Words of areas' names that say nothing alone.
_COMMON = words_of(
    "the of saint old new upper lower little great north south east west side town city row end gate hill quarter"
    " district square park garden gardens market green bank point yard tower close station central glass rope island"
    " sandy clock twelve field fields cross long water"
)

_NEAR_THE = re.compile(r"\b(?:near|close to|next to|around|beside) (?:the|my|our|this|that) ")
_WHERE = re.compile(r"\b(?:in|near|around|at|by|to|from|on|of) (?:the )?([a-z]{4,})")


@dataclass(frozen=True, slots=True)
class Area:
    """name: "" when none is said; text: what was said, with AREA for it"""

    name: str
    text: str


def area_in(text: str, known: Mapping[str, str]) -> Area:
    """`text` is plain, without places' names; known: area -> its plain form, longest first."""
    for area, name in known.items():
        if name not in text:
            continue
        masked, times = re.subn(rf"\b(?:the )?{re.escape(name)}s?\b", AREA, text)
        if times:
            return Area(area, masked)
    return _typed(text, known) or _by_word(text, known) or _lying_by(text, known) or Area("", text)


def near_it(text: str, focus: Known | None) -> Area | None:
    """ "near the inn" while an inn is talked about: its area, and the word no wish."""
    if focus is None:
        return None
    for match in _NEAR_THE.finditer(text):
        after = text[match.end() :]
        said = re.match(rf"{re.escape(plain(focus.kind))}\b", after) or whole(SERVICE_WORDS[focus.service]).match(after)
        if said:
            return Area(focus.area, f"{text[: match.start()]}in {AREA}{after[said.end() :]}")
    return None


def _typed(text: str, known: Mapping[str, str]) -> Area | None:
    words = text.split()
    runs = {size: list(_runs(words, size)) for size in {len(name.split()) for name in known.values()}}
    scored = [
        (score, area, run)
        for area, name in known.items()
        for run, score, _ in process.extract(
            name, runs[len(name.split())], scorer=fuzz.ratio, limit=None, score_cutoff=LIKE
        )
    ]
    _, area, run = max(scored, default=(0.0, "", ""))
    return Area(area, text.replace(run, AREA)) if len(run) > 5 else None


def _runs(words: Sequence[str], size: int) -> Iterable[str]:
    """Runs of `size` words, and of one word fewer or more: "river side", "oldharbour"."""
    for length in {size - 1, size, size + 1} - {0}:
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _by_word(text: str, known: Mapping[str, str]) -> Area | None:
    """ "lantern" for Lantern Quarter, where no other area has the word and "in" or the like stands before it."""
    for word in _WHERE.findall(text):
        hits = [area for area, name in known.items() if word in name.split() and word not in _COMMON]
        if len(hits) == 1:
            return Area(hits[0], re.sub(rf"\b{word}\b", AREA, text))
    return None


def _lying_by(text: str, known: Mapping[str, str]) -> Area | None:
    """ "by the river" for the only area that is by one. Without "by", a garden or a market is a wish of its own."""
    for said, named in PLACES_BY:
        by = whole(rf"(?:by|near|at|in|around|close to|next to|along|on|overlooking|from|beside) (?:the )?(?:{said})")
        if by.search(text):
            hits = [area for area, name in known.items() if says(name, named)]
            if len(hits) == 1:
                return Area(hits[0], by.sub(f"in {AREA}", text))
    return None
