"""The names that rules can recognise: a snapshot of the catalogue, held by each process.

It starts as the data file and is read again when a collection's version has moved; every typed message looks.
It only helps to read a message: what is shown always comes from rows read by `lookup`.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from apps.concierge.catalogue import SeedPlace, seed_places
from apps.concierge.models import Collection, Place


@dataclass(frozen=True, slots=True)
class Known:
    slug: str
    name: str
    service: str
    area: str
    kind: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """places in order of name; versions of the collections that they were read at"""

    places: tuple[Known, ...]
    features: frozenset[str]
    versions: Mapping[str, int]

    def areas(self) -> tuple[str, ...]:
        return tuple(sorted({place.area for place in self.places}))

    def known(self, slug: str) -> Known | None:
        return next((place for place in self.places if place.slug == slug), None)

    def kinds(self) -> dict[str, tuple[str, str]]:
        """Kind in lower case -> kind as written and its service, longest kinds first."""
        found = {p.kind.lower(): (p.kind, p.service) for p in self.places}
        return dict(sorted(found.items(), key=lambda item: (-len(item[0]), item[0])))


def gazetteer_of(places: Iterable[SeedPlace]) -> Gazetteer:
    seeds = sorted(places, key=lambda seed: seed.name)
    places = tuple(Known(s.slug, s.name, s.service, s.area, s.kind, s.features) for s in seeds)
    return Gazetteer(places, frozenset(f for s in seeds for f in s.features), {})


_current = gazetteer_of(seed_places())
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
    rows = list(Place.objects.order_by("name"))
    places = tuple(Known(r.slug, r.name, r.collection_id, r.area, r.kind, tuple(r.features)) for r in rows)
    _current = Gazetteer(places, frozenset(f for r in rows for f in r.features), versions)
