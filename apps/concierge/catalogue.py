"""The fictional city of Velmora: services, areas and the places that `manage.py seed_catalogue` loads."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from apps.concierge.hours import Hours, parse_hours

CITY = "Velmora"
DATA = Path(__file__).parent / "data" / "catalogue.csv"
AREAS = ("Old Harbour", "Lantern Quarter", "Hillgate", "Riverside", "Glass Market", "North Gardens")


@dataclass(frozen=True, slots=True)
class Service:
    """one, many: words for its places; unit: what the price buys; booked: what a booking gives"""

    key: str
    one: str
    many: str
    unit: str
    booked: str


SERVICES = {
    s.key: s
    for s in (
        Service("restaurant", "restaurant", "restaurants", "per person", "a table"),
        Service("hotel", "hotel", "hotels", "per night", "a room"),
        Service("event", "event", "events", "per ticket", "tickets"),
        Service("museum", "museum", "museums", "per ticket", "tickets"),
        Service("ride", "ride", "rides", "per ride", "a ride"),
        Service("spa", "spa", "spas", "per visit", "a session"),
    )
}
# Upper bounds of "cheap" and "moderate", in dollars; above is "expensive".
PRICE_BOUNDS = {
    "restaurant": (20, 40),
    "hotel": (80, 140),
    "event": (12, 28),
    "museum": (7, 11),
    "ride": (12, 20),
    "spa": (25, 48),
}


def price_band(service: str, price: int) -> str:
    cheap, moderate = PRICE_BOUNDS[service]
    return "cheap" if price <= cheap else "moderate" if price <= moderate else "expensive"


def band_under(service: str, most: int) -> str:
    """The dearest band of which nothing costs more than `most`; "cheap" if none is."""
    return "moderate" if most >= PRICE_BOUNDS[service][1] else "cheap"


@dataclass(frozen=True, slots=True)
class SeedPlace:
    """One line of the data file. price: dollars per the service's unit; walk: minutes from the stop."""

    slug: str
    name: str
    service: str
    area: str
    kind: str
    price: int
    rating: str
    hours: Hours
    features: tuple[str, ...]
    phone: str
    address: str
    capacity: int
    line: str
    stop: str
    walk: int


def slug_of(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def seed_places() -> tuple[SeedPlace, ...]:
    """Every place of the data file, in file order."""
    with DATA.open(encoding="utf-8", newline="") as lines:
        return tuple(_seed_place(row) for row in csv.DictReader(lines, delimiter=";"))


def _seed_place(row: dict[str, str]) -> SeedPlace:
    return SeedPlace(
        slug=slug_of(row["name"]),
        name=row["name"],
        service=row["service"],
        area=row["area"],
        kind=row["kind"],
        price=int(row["price"]),
        rating=row["rating"],
        hours=parse_hours(row["hours"]),
        features=tuple(row["features"].split(",")),
        phone=row["phone"],
        address=row["address"],
        capacity=int(row["capacity"]),
        line=row["line"],
        stop=row["stop"],
        walk=int(row["walk"]),
    )
