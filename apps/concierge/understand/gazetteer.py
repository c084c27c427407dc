"""The names that rules can recognise: a snapshot of the catalogue, held by each process.

It starts as the data file and is read again when a collection's version has moved; every typed message looks.
It only helps to read a message: what is shown always comes from rows read by `lookup`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise

from django.db.models import F

from apps.concierge.catalogue import CITY, seed_places
from apps.concierge.models import Collection, Place
from apps.concierge.understand.clean import plain
from apps.serving.names import Json


@dataclass(frozen=True, slots=True)
class Known:
    slug: str
    name: str
    service: str
    area: str
    kind: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BareName:
    """A place's name as it is matched: plain, without the article; never empty. words: without 's, each once"""

    known: Known
    text: str
    words: tuple[str, ...]
    size: int

    @classmethod
    def of(cls, known: Known) -> "BareName":
        text = plain(known.name).removeprefix("the ")
        return cls(known, text, tuple(dict.fromkeys(text.replace("'s", "").split())), len(text.split()))


@dataclass(frozen=True)
class Gazetteer:
    """places in order of name; versions of the collections that they were read at.

    What follows from the places is worked out once. Nothing in it has an empty plain form, which every text would say.
    """

    places: tuple[Known, ...]
    features: frozenset[str]
    versions: Mapping[str, int]

    def known(self, slug: str) -> Known | None:
        return self._by_slug.get(slug)

    @cached_property
    def areas(self) -> Mapping[str, str]:
        """Area -> its plain form, longest areas first."""
        areas = sorted({place.area for place in self.places}, key=lambda area: (-len(area), area))
        return {area: plain(area) for area in areas if plain(area)}

    @cached_property
    def kinds(self) -> Mapping[str, Mapping[str, str]]:
        """Plain kind -> services that have it, each with the kind as written; longest kinds first."""
        found: dict[str, dict[str, str]] = {}
        for place in self.places:
            found.setdefault(plain(place.kind), {})[place.service] = place.kind
        return dict(sorted(((k, s) for k, s in found.items() if k), key=lambda item: (-len(item[0]), item[0])))

    @cached_property
    def plain_features(self) -> Mapping[str, str]:
        """Feature -> its plain form, longest features first."""
        features = sorted(self.features, key=lambda feature: (-len(feature), feature))
        return {feature: plain(feature) for feature in features if plain(feature)}

    @cached_property
    def bare_names(self) -> tuple[BareName, ...]:
        return tuple(bare for bare in map(BareName.of, self.places) if bare.text)

    @cached_property
    def own_words(self) -> Set[str]:
        """Words that exactly one place's name has."""
        counts = Counter(word for bare in self.bare_names for word in bare.words)
        return {word for word, count in counts.items() if count == 1}

    @cached_property
    def own_pairs(self) -> Mapping[str, Known]:
        """Two words one after the other of exactly one place's name, and of no area's, kind's or feature's."""
        found: dict[str, list[Known]] = {}
        for bare in self.bare_names:
            words = bare.text.split()
            for pair in set(map(" ".join, pairwise(words))):
                found.setdefault(pair, []).append(bare.known)
        said = {*self.areas.values(), *self.kinds, *self.plain_features.values()}
        return {pair: places[0] for pair, places in found.items() if len(places) == 1 and pair not in said}

    @cached_property
    def only_of_kind(self) -> Mapping[str, Known]:
        """Plain kind -> the place that alone has it in the city; longest kinds first."""
        found: dict[str, list[Known]] = {kind: [] for kind in self.kinds}
        for bare in self.bare_names:
            found[plain(bare.known.kind)].append(bare.known)
        return {kind: places[0] for kind, places in found.items() if len(places) == 1}

    @cached_property
    def other_words(self) -> Set[str]:
        """Words that mean something else here than a place: of areas, kinds and features."""
        said = (plain(CITY), *self.areas.values(), *self.kinds, *self.plain_features.values())
        return {word for phrase in said for word in phrase.split()}

    @cached_property
    def _by_slug(self) -> Mapping[str, Known]:
        return {place.slug: place for place in self.places}


def gazetteer_of(rows: Iterable[Mapping[str, Json]], versions: Mapping[str, int] | None = None) -> Gazetteer:
    """From rows of a catalogue, each with slug, name, service, area, kind and features."""
    said = ("slug", "name", "service", "area", "kind")
    known = [Known(*(str(row[key]) for key in said), tuple(map(str, row["features"]))) for row in rows]
    features = frozenset(feature for place in known for feature in place.features)
    return Gazetteer(tuple(sorted(known, key=lambda place: place.name)), features, versions or {})


_current = gazetteer_of(asdict(seed) for seed in seed_places())
_instead: ContextVar[Gazetteer | None] = ContextVar("gazetteer", default=None)


@contextmanager
def using(names: Gazetteer) -> Iterator[None]:
    """Inside, messages are read with these names and no database is asked: an evaluation brings its own catalogues."""
    token = _instead.set(names)
    try:
        yield
    finally:
        _instead.reset(token)


def current() -> Gazetteer:
    return _instead.get() or _current


def refresh() -> None:
    """Read the names again if a collection has changed since; one small query otherwise. Synchronous."""
    global _current
    if _instead.get() is not None:
        return
    versions = dict(Collection.objects.values_list("service", "version"))
    if not versions or versions == dict(_current.versions):
        return
    rows = Place.objects.values("slug", "name", "area", "kind", "features", service=F("collection_id"))
    _current = gazetteer_of(rows, versions)
