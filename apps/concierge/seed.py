"""Loads the data file into the catalogue: adds what is missing, and leaves every edit made since alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from apps.concierge import services
from apps.concierge.catalogue import SERVICES, SeedPlace, seed_places
from apps.concierge.guard import announced
from apps.concierge.models import Collection, Place
from apps.concierge.records import collection_record, place_record, raise_version, tombstone_version


@dataclass(frozen=True, slots=True)
class Seeded:
    added: int
    present: int


def seed_catalogue() -> Seeded:
    """Add missing places. Quick, and writes nothing, when all are present; a deleted place stays deleted.

    An empty catalogue has no readers to tell, so its first load needs no Redis.
    """
    seeds = seed_places()
    known = set(Place.objects.values_list("slug", flat=True))
    missing = [s for s in seeds if s.slug not in known and tombstone_version(place_record(s.slug)) == 0]
    records = [place_record(s.slug) for s in missing] + [collection_record(key) for key in SERVICES]
    if not Collection.objects.exists():
        with transaction.atomic(), announced(records):
            _add(missing)
            for record in records:
                raise_version(record)
    elif missing:
        with services.change(records):
            _add(missing)
    return Seeded(len(missing), len(seeds) - len(missing))


def _add(missing: Sequence[SeedPlace]) -> None:
    for service in SERVICES:
        Collection.objects.get_or_create(service=service)
    Place.objects.bulk_create([_place(seed) for seed in missing])


def _place(seed: SeedPlace) -> Place:
    return Place(
        slug=seed.slug,
        collection_id=seed.service,
        name=seed.name,
        area=seed.area,
        kind=seed.kind,
        price=seed.price,
        rating=Decimal(seed.rating),
        hours=seed.hours,
        features=list(seed.features),
        phone=seed.phone,
        address=seed.address,
        capacity=seed.capacity,
        line=seed.line,
        stop=seed.stop,
        walk=seed.walk,
    )
