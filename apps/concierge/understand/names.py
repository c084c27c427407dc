"""Which places of the catalogue a message names: exactly, with a typo, or by a part of the name."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz import fuzz, process

from apps.concierge.understand.clean import plain, words_of
from apps.concierge.understand.gazetteer import BareName, Gazetteer, Known
from apps.concierge.understand.lexicon import KIND_SYNONYMS

PLACE = "_place_"
"""Stands in a text for a name that was found, so that its words say nothing else."""
SURE, LIKELY, CLEARER = 88.0, 84.0, 4.0
_SHORT = 6
_THE_ONE = re.compile(r"\b(?:the|that) ((?:\w+ ){1,2})(?:one|thing|place|restaurant|hotel|museum|spa|show|ride)\b")
_THE_SORT = [re.compile(rf"^(?:(?:ok|so|and|then|fine|hmm|for) )*the ((?:\w+ ?){{{size}}})(?!\w)") for size in (2, 1)]
# Of those of a sort one is chosen, or others are wished for.
_CHOOSES = words_of("first second third last other best top only cheapest another next")
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
    exact = [_Match(100.0, bare.known, bare.text) for bare in names.bare_names if _says_name(text, bare.text)]
    if exact:
        best = max(exact, key=lambda match: (len(match.said), match.known.name))
        return Named((best.known,), True, _without(text, best.said))
    close = sorted(_typed(text, names.bare_names), key=lambda match: (-match.score, match.known.name))[:2]
    if close and close[0].score >= SURE and (len(close) == 1 or close[0].score - close[1].score >= CLEARER):
        return Named((close[0].known,), True, _without(text, close[0].said))
    part = _by_sort(text, names, talked_of) or _by_part(text, names, talked_of) or _by_pair(text, names)
    part = part or _by_only_kind(text, names)
    if part:
        return Named((part.known,), True, _without(text, part.said))
    if not close:
        return Named((), False, text)
    return Named(tuple(match.known for match in close), False, _without(text, close[0].said))


def _says_name(text: str, name: str) -> bool:
    return name in text and re.search(rf"\b{re.escape(name)}\b", text) is not None


def _without(text: str, said: str) -> str:
    return re.sub(rf"\b(?:the )?{re.escape(said)}(?:'s)?(?!\w)", PLACE, text)


def _typed(text: str, bare: Sequence[BareName]) -> Iterator[_Match]:
    """Names that a run of as many words, or one written as one, is like."""
    words = text.split()
    runs = {size: _by_length(_runs(words, size)) for size in {one.size for one in bare}}
    for one in bare:
        # Short words are like many others.
        least = LIKELY if len(one.text) > _SHORT and one.size > 1 else SURE - 3
        near = [run for length in _near(len(one.text)) for run in runs[one.size].get(length, ())]
        best = process.extractOne(one.text, near, scorer=fuzz.ratio, score_cutoff=least)
        if best and best[0] not in _COMMON and len(best[0]) > 4:
            yield _Match(best[1], one.known, best[0])


def _runs(words: Sequence[str], size: int) -> list[str]:
    """Runs of one word fewer, then of `size` words."""
    lengths = [length for length in (size - 1, size) if length]
    return [" ".join(words[i : i + length]) for length in lengths for i in range(len(words) - length + 1)]


def _by_length(runs: Iterable[str]) -> Mapping[int, list[str]]:
    found: dict[int, list[str]] = {}
    for run in dict.fromkeys(runs):
        found.setdefault(len(run), []).append(run)
    return found


def _near(length: int) -> range:
    """Lengths of texts whose ratio with one of `length` can reach LIKELY: it is at most 2 * shorter / both."""
    least = LIKELY / (200.0 - LIKELY)
    return range(int(length * least), int(length / least) + 2)


def _by_part(text: str, names: Gazetteer, talked_of: Sequence[str]) -> _Match | None:
    """A word that only one name has ("marzipan"); of places talked about a shorter one will do."""
    said = {word for word in text.replace("'s", "").split() if len(word) > 3}
    said = (said & names.own_words) - _COMMON - names.other_words
    if not said:
        return None
    near = [bare for bare in names.bare_names if bare.known.slug in talked_of]
    for group, least in ((near, 4), (names.bare_names, 5)):
        hits = [
            _Match(90.0, bare.known, word)
            for bare in group
            for word in bare.words
            if word in said and len(word) >= least
        ]
        if len({hit.known.slug for hit in hits}) == 1:
            return hits[0]
    return None


def _by_pair(text: str, names: Gazetteer) -> _Match | None:
    """ "The paper moon": two words that only one name has so, though each alone may say something else."""
    words = text.split()
    pairs = {pair for pair in map(" ".join, pairwise(words)) if pair in names.own_pairs}
    places = {names.own_pairs[pair].slug for pair in pairs}
    said = min(pairs, default="")
    return _Match(90.0, names.own_pairs[said], said) if len(places) == 1 else None


def _by_only_kind(text: str, names: Gazetteer) -> _Match | None:
    """ "The ferry", where the city has one."""
    for kind, known in names.only_of_kind.items():
        if kind in text and re.search(rf"\bthe {re.escape(kind)}\b", text):
            return _Match(90.0, known, kind)
    return None


def _by_sort(text: str, names: Gazetteer, talked_of: Sequence[str]) -> _Match | None:
    """ "the toys one", "the italian one": of several places talked about the only one whose name or kind says so."""
    places = [known for known in map(names.known, dict.fromkeys(talked_of)) if known]
    matches = (match for pattern in (_THE_ONE, *_THE_SORT) for match in pattern.finditer(text))
    for match in matches if len(places) > 1 else ():
        words = match[1].split()
        said = set() if _CHOOSES.intersection(words) else {_singular(word) for word in words}
        hits = [known for known in places if said and said <= _sorts(known)]
        if len(hits) == 1:
            return _Match(90.0, hits[0], match[0].partition("the ")[2].strip() or match[0])
    return None


def _sorts(known: Known) -> set[str]:
    """Words of its name and its kind, and of what guests call the kind, in the singular."""
    called = (words for words, kind in KIND_SYNONYMS.items() if kind == plain(known.kind))
    text = " ".join([plain(known.name).replace("'s", ""), plain(known.kind), *called])
    return {_singular(word) for word in re.findall(r"\w+", text)}


def _singular(word: str) -> str:
    return word.removesuffix("s")
