"""Which places of the catalogue a message names: exactly, with a typo, or by a part of the name."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from apps.concierge.understand.clean import plain, words_of
from apps.concierge.understand.gazetteer import Gazetteer, Known

PLACE = "_place_"
"""Stands in a text for a name that was found, so that its words say nothing else."""
SURE, LIKELY, CLEARER = 88.0, 84.0, 4.0
_SHORT = 6
# Words of names that people use for other things too; alone they name no place.
_COMMON = words_of(
    "the of and in at a hotel inn rooms room lodge house hostel rest palace court museum gallery hall collection"
    " vault spa"
    " baths springs steam wellness yoga cafe casa chez trattoria taverna kitchen table grill place market cinema"
    " stage walk"
    " festival nights night sessions fair parade play jazz laughs songs voices tales ferry line cabs wheels boats"
    " express"
    " riders carriages bikes kayaks scooters taxi box tours tour river harbour hill gate garden gardens old new"
    " green red"
    " blue black white golden silver gold quiet secret hidden bright happy lucky royal grand little tiny big good"
    " great"
    " sunny winter summer midnight salt smoke honey wine bell moon sun star street bank pool deck studio theatre"
    " comedy water"
    " bridge paper glass city town square park bar music art history science toy craft noodle fish pepper butter"
    " stone"
    " dancing laughing sleepy noble brave gentle clever patient humble proud wild lazy orange purple"
)


@dataclass(frozen=True, slots=True)
class Named:
    """places: best first, at most two; sure: one is clear; text: what was said, with PLACE for the name"""

    places: tuple[Known, ...]
    sure: bool
    text: str


@dataclass(frozen=True, slots=True)
class _Match:
    score: float
    known: Known
    said: str


def named(text: str, names: Gazetteer, talked_of: Sequence[str]) -> Named:
    """`text` is plain; talked_of: slugs shown before, of which a shorter form will do."""
    bare = _bare_names(names)
    exact = [_Match(100.0, known, name) for known, name in bare if re.search(rf"\b{re.escape(name)}\b", text)]
    if exact:
        best = max(exact, key=lambda match: (len(match.said), match.known.name))
        return Named((best.known,), True, _without(text, best.said))
    close = sorted(_typed(text, bare), key=lambda match: (-match.score, match.known.name))[:2]
    if close and close[0].score >= SURE and (len(close) == 1 or close[0].score - close[1].score >= CLEARER):
        return Named((close[0].known,), True, _without(text, close[0].said))
    part = _by_part(text, bare, talked_of, _taken(names))
    if part:
        return Named((part.known,), True, _without(text, part.said))
    if not close:
        return Named((), False, text)
    return Named(tuple(match.known for match in close), False, _without(text, close[0].said))


def name_words(name: str) -> str:
    """The name as it is matched: plain, without the article."""
    return plain(name).removeprefix("the ")


@lru_cache(maxsize=8)
def _bare_of(places: tuple[Known, ...]) -> tuple[tuple[Known, str], ...]:
    return tuple((known, name_words(known.name)) for known in places)


def _bare_names(names: Gazetteer) -> tuple[tuple[Known, str], ...]:
    return _bare_of(names.places)


def _without(text: str, said: str) -> str:
    return re.sub(rf"\b(?:the )?{re.escape(said)}(?:'s)?(?!\w)", PLACE, text)


def _typed(text: str, bare: Sequence[tuple[Known, str]]) -> Iterator[_Match]:
    """Names that a run of as many words, or one written as one, is like."""
    words = text.split()
    for known, name in bare:
        size = len(name.split())
        runs = [" ".join(words[i : i + n]) for n in {size, size - 1} - {0} for i in range(len(words) - n + 1)]
        said = max(runs, key=lambda run: fuzz.ratio(name, run), default="")
        score = fuzz.ratio(name, said)
        # Short words are like many others.
        if score >= (LIKELY if len(name) > _SHORT and size > 1 else SURE - 3) and said not in _COMMON and len(said) > 4:
            yield _Match(score, known, said)


def _by_part(text: str, bare: Sequence[tuple[Known, str]], talked_of: Sequence[str], taken: Set[str]) -> _Match | None:
    """A word that only one name has ("marzipan"); of places talked about, any word that only one of them has.

    taken: words that mean something else in this catalogue: of areas, kinds and features.
    """
    said = {
        word for word in text.replace("'s", "").split() if len(word) > 3 and word not in _COMMON and word not in taken
    }
    near = [(known, name) for known, name in bare if known.slug in talked_of]
    for group, least in ((near, 4), (bare, 5)):
        hits = [
            _Match(90.0, known, word)
            for known, name in group
            for word in dict.fromkeys(name.replace("'s", "").split())
            if word in said and len(word) >= least and _times(word, bare) == 1
        ]
        if len({hit.known.slug for hit in hits}) == 1:
            return hits[0]
    return None


def _taken(names: Gazetteer) -> Set[str]:
    return {word for said in (*names.areas(), *names.kinds(), *names.features) for word in plain(said).split()}


def _times(word: str, group: Sequence[tuple[Known, str]]) -> int:
    return sum(word in name.replace("'s", "").split() for _, name in group)
