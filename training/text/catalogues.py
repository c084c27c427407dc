"""Random fictional catalogues of the same form as the product's own, from pools that the splits do not share.

What the guest may call things by (names, areas, streets) is disjoint between the splits. Kinds and features are partly
shared, since every city has Italian restaurants and parking, and partly a split's own.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from apps.concierge.catalogue import SERVICES, SeedPlace, price_band, slug_of
from apps.concierge.hours import parse_hours
from apps.serving.names import Json
from training.text.example import Split
from training.text.pools import FEATURES, HOURS, KINDS, POOLS, PRICES, Pool

COUNTS: Mapping[Split, int] = {Split.TRAIN: 48, Split.HELD_OUT: 12}
AREAS_EACH = 6
PLACES_EACH: Mapping[str, int] = {"restaurant": 14, "hotel": 10, "event": 10, "museum": 9, "ride": 8, "spa": 8}


@dataclass(frozen=True, slots=True)
class Catalogue:
    """key: "train-3"; places of all services, no two with one name; areas in the order of first use"""

    key: str
    places: tuple[SeedPlace, ...]

    @property
    def areas(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(place.area for place in self.places))

    def of(self, service: str) -> tuple[SeedPlace, ...]:
        return tuple(place for place in self.places if place.service == service)


@cache
def catalogue(split: Split, index: int) -> Catalogue:
    """The same places for the same arguments, on every machine; index below COUNTS[split]."""
    rng = random.Random(f"{split}-{index}")
    pool = POOLS[split]
    areas = rng.sample(pool.areas, AREAS_EACH)
    streets = {area: rng.sample(pool.streets, 2) for area in areas}
    taken: set[str] = set()
    places = [
        _place(rng, split, pool, service, streets, taken) for service in SERVICES for _ in range(PLACES_EACH[service])
    ]
    return Catalogue(f"{split}-{index}", tuple(places))


def any_catalogue(rng: random.Random, split: Split) -> Catalogue:
    return catalogue(split, rng.randrange(COUNTS[split]))


def brief_row(place: SeedPlace) -> dict[str, Json]:
    """The place as a lookup for several gives it."""
    return {
        "slug": place.slug,
        "name": place.name,
        "service": place.service,
        "area": place.area,
        "kind": place.kind,
        "price": place.price,
        "rating": place.rating,
    }


def full_row(place: SeedPlace) -> dict[str, Json]:
    """The place as a lookup for one gives it."""
    return brief_row(place) | {
        "hours": place.hours,
        "features": list(place.features),
        "phone": place.phone,
        "address": place.address,
        "capacity": place.capacity,
        "line": place.line,
        "stop": place.stop,
        "walk": place.walk,
    }


def band(place: SeedPlace) -> str:
    """ "cheap", "moderate" or "expensive" """
    return price_band(place.service, place.price)


def _place(
    rng: random.Random,
    split: Split,
    pool: Pool,
    service: str,
    streets: Mapping[str, Sequence[str]],
    taken: set[str],
) -> SeedPlace:
    area = rng.choice(sorted(streets))
    street = rng.choice(streets[area])
    kind = rng.choice(KINDS[service].of(split))
    name = _fresh_name(rng, pool, service, kind, taken)
    low, high, step = PRICES[service]
    return SeedPlace(
        slug=slug_of(name),
        name=name,
        service=service,
        area=area,
        kind=kind,
        price=0 if service == "event" and rng.random() < 0.15 else rng.randrange(low, high, step),
        rating=f"{rng.randint(35, 49) / 10:.1f}",
        hours=parse_hours(rng.choice(HOURS[service])),
        features=tuple(rng.sample(FEATURES[service].of(split), rng.randint(1, 4))),
        phone=f"555-{rng.randint(0, 9999):04d}",
        address=f"{rng.randint(1, 90)} {street}",
        capacity=rng.choice((8, 12, 16, 18, 20, 24, 30, 36, 40, 50, 60, 80, 120, 200, 500)),
        line=f"{rng.choice(('Tram', 'Bus', 'Metro', 'Tram'))} {rng.randint(1, 19)}",
        stop=rng.choice(streets[area]),
        walk=rng.randint(1, 9),
    )


def _fresh_name(rng: random.Random, pool: Pool, service: str, kind: str, taken: set[str]) -> str:
    """A name whose distinguishing words no other place of the catalogue has, so that short forms are clear too."""
    while True:
        name = _name(rng, pool, service, kind)
        known = slug_of(name.removeprefix("The "))
        if known not in taken:
            taken.add(known)
            return name


@dataclass(frozen=True, slots=True)
class _Words:
    """What one name may be made of."""

    rng: random.Random
    pool: Pool
    word: str
    first: str
    noun: str
    person: str
    kind: str

    def one_of(self, *words: str) -> str:
        return self.rng.choice(words)


def _name(rng: random.Random, pool: Pool, service: str, kind: str) -> str:
    word = "".join(rng.sample(pool.syllables, rng.choice((2, 3)))).capitalize()
    first, noun, person = rng.choice(pool.firsts), rng.choice(pool.nouns), rng.choice(pool.people)
    return rng.choice(_FORMS[service](_Words(rng, pool, word, first, noun, person, kind)))


def _restaurant_names(w: _Words) -> tuple[str, ...]:
    return (
        f"{w.first} {w.noun}",
        f"The {w.first} {w.noun}",
        f"{w.noun} and {w.rng.choice(w.pool.others)}",
        f"{w.one_of('Casa', 'Chez', 'Cafe', 'Trattoria', 'Taverna')} {w.one_of(w.word, w.person)}",
        f"{w.person}'s {w.one_of('Kitchen', 'Table', 'Grill', 'Place')}",
        w.word,
    )


def _hotel_names(w: _Words) -> tuple[str, ...]:
    return (
        f"Hotel {w.word}",
        f"The {w.first} {w.one_of('Inn', 'Rooms', 'Lodge')}",
        f"{w.noun} {w.one_of('House', 'Hotel', 'Court', 'Rest', 'Lodge', 'Inn')}",
        f"{w.word} Hostel" if w.kind == "hostel" else f"{w.word} Palace",
    )


def _event_names(w: _Words) -> tuple[str, ...]:
    return (
        f"{w.first} {w.noun} {w.one_of('Nights', 'Sessions', 'Fair', 'Parade', 'Play', 'Jazz', 'Laughs')}",
        f"{w.one_of('Night', 'Songs', 'Voices', 'Tales')} of the {w.noun}",
        f"The {w.noun} of {w.word}",
        f"{w.noun} {w.one_of('Cinema', 'Stage', 'Market', 'Walk', 'Festival')}",
    )


def _museum_names(w: _Words) -> tuple[str, ...]:
    return (
        f"Museum of {w.noun}s",
        f"{w.word} Gallery",
        f"The {w.first} Vault",
        f"{w.noun} {w.one_of('Museum', 'Gallery', 'Hall', 'Rooms', 'Collection')}",
    )


def _ride_names(w: _Words) -> tuple[str, ...]:
    return (
        f"{w.noun} {w.kind.split()[0].capitalize()}{'s' if w.kind.split()[0] in ('bike', 'kayak', 'scooter') else ''}",
        f"{w.word} {w.one_of('Cabs', 'Line', 'Wheels', 'Boats')}",
        f"{w.first} {w.one_of('Carriages', 'Ferry', 'Riders', 'Express')}",
    )


def _spa_names(w: _Words) -> tuple[str, ...]:
    return (
        f"{w.noun} {w.one_of('Spa', 'Baths', 'Springs', 'Steam')}",
        f"{w.word} {w.one_of('Spa', 'Wellness', 'Yoga')}",
        f"The {w.first} Room",
    )


_FORMS: Mapping[str, Callable[[_Words], tuple[str, ...]]] = {
    "restaurant": _restaurant_names,
    "hotel": _hotel_names,
    "event": _event_names,
    "museum": _museum_names,
    "ride": _ride_names,
    "spa": _spa_names,
}
