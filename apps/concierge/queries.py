"""Read-only queries behind the `lookup` stage. Each says which records it read, at which version.

The collection's version is read before its rows: a write between the two leaves a read-set that is already stale,
so the answer is shown but never reused. Every other version comes from the very row that was read.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from apps.concierge.booking import described, refusal
from apps.concierge.catalogue import SERVICES
from apps.concierge.hours import is_open
from apps.concierge.models import Booking, BookingBook, Collection, Place
from apps.concierge.records import bookings_record, collection_record, place_record, tombstone_version
from apps.serving.names import Json

SHOWN = 3
# Wishes given up one after the other when nothing fits them all; the area goes last.
GIVE_UP = (("day", "time"), ("feature",), ("price",), ("kind",), ("area",))

ORDERS: Mapping[str, Callable[[Place], float]] = {
    "price": lambda row: row.price,
    "rating": lambda row: float(row.rating),
    "capacity": lambda row: row.capacity,
}


@dataclass(frozen=True, slots=True)
class Found:
    output: dict[str, Json]
    reads: dict[str, int]


def run(query: Mapping[str, Json]) -> Found:
    """Answer one rendered lookup."""
    return {
        "menu": _menu,
        "find": _find,
        "place": _place,
        "places": _places,
        "slot": _slot,
        "bookings": _bookings,
        "booking": _booking,
    }[str(query["query"])](query)


def _menu(query: Mapping[str, Json]) -> Found:
    versions = dict(Collection.objects.values_list("service", "version"))
    stocked = set(Place.objects.values_list("collection_id", flat=True))
    reads = {collection_record(key): versions.get(key, 0) for key in SERVICES}
    return Found({"services": [key for key in SERVICES if key in stocked]}, reads)


def _find(query: Mapping[str, Json]) -> Found:
    service = str(query["service"])
    version = Collection.objects.filter(service=service).values_list("version", flat=True).first() or 0
    rows = _ordered(Place.objects.filter(collection_id=service).order_by("-rating", "name"), query)
    wishes, given_up = dict(query), []
    fitting = [row for row in rows if _fits(row, wishes)]
    for keys in GIVE_UP:
        if fitting:
            break
        if any(wishes.pop(key, None) is not None for key in keys):
            given_up += [key for key in keys if key in query]
            fitting = [row for row in rows if _fits(row, wishes)]
    shown = fitting[: 1 if query.get("best") else SHOWN]
    reads = {collection_record(service): version} | {row.record: row.version for row in shown}
    places: list[Json] = [brief(row) for row in shown]
    return Found({"total": len(fitting), "places": places, "given_up": given_up}, reads)


def _fits(row: Place, wishes: Mapping[str, Json]) -> bool:
    return (
        row.slug not in wishes.get("skip", [])
        and wishes.get("area") in (None, row.area)
        and ("kind" not in wishes or str(wishes["kind"]).lower() in row.kind.lower())
        and ("feature" not in wishes or wishes["feature"] in row.features)
        and wishes.get("price") in (None, row.price_band, "" if row.price else "free")
        and _fits_time(row, wishes)
    )


def _fits_time(row: Place, wishes: Mapping[str, Json]) -> bool:
    day, time = wishes.get("day"), wishes.get("time")
    if day is None:
        return True
    return is_open(row.hours, str(day), str(time)) if time else str(day) in row.hours


def _place(query: Mapping[str, Json]) -> Found:
    row = Place.objects.filter(slug=query["place"]).first()
    if row is None:
        return _gone(str(query["place"]))
    return Found({"place": full(row)}, {row.record: row.version})


def _places(query: Mapping[str, Json]) -> Found:
    """Those of several places that there are, in the order asked for, or else as named."""
    slugs = [str(slug) for slug in query["places"]]
    known = {row.slug: row for row in Place.objects.filter(slug__in=slugs)}
    reads = {place_record(slug): known[slug].version if slug in known else _gone_version(slug) for slug in slugs}
    rows = _ordered([known[slug] for slug in slugs if slug in known], query)
    places: list[Json] = [full(row) for row in rows]
    return Found({"places": places}, reads)


def _ordered(rows: Iterable[Place], query: Mapping[str, Json]) -> list[Place]:
    """By the key that `order` names, "-" for the most first; rows that are alike stay as they come."""
    order = str(query.get("order", ""))
    key = ORDERS.get(order.removeprefix("-"))
    return sorted(rows, key=key, reverse=order.startswith("-")) if key else list(rows)


def _gone(slug: str) -> Found:
    return Found({"place": None}, {place_record(slug): _gone_version(slug)})


def _gone_version(slug: str) -> int:
    return tombstone_version(place_record(slug))


def _slot(query: Mapping[str, Json]) -> Found:
    row = Place.objects.filter(slug=query["place"]).first()
    if row is None:
        return _gone(str(query["place"]))
    return Found({"place": full(row), "refusal": refusal(row, query)}, {row.record: row.version})


def _bookings(query: Mapping[str, Json]) -> Found:
    session = str(query["session"])
    reads = {bookings_record(session): _book_version(session)}
    own = Booking.objects.select_related("place").filter(session=session, status=Booking.Status.CONFIRMED)
    rows = list(own)
    reads |= {row.place.record: row.place.version for row in rows}
    return Found({"bookings": [described(row) for row in rows]}, reads)


def _booking(query: Mapping[str, Json]) -> Found:
    """One own booking; with a wished day, time or people, whether the place can take the change."""
    session = str(query["session"])
    reads = {bookings_record(session): _book_version(session)}
    own = Booking.objects.select_related("place").filter(session=session, status=Booking.Status.CONFIRMED)
    row = own.filter(ref=query["ref"]).first()
    if row is None:
        return Found({"booking": None}, reads)
    reads[row.place.record] = row.place.version
    now = described(row)
    wanted = {key: query.get(key, now[key]) for key in ("day", "time", "people")}
    why = refusal(row.place, wanted, leaving_out=row.ref)
    return Found({"booking": now, "wanted": wanted, "refusal": why, "place": full(row.place)}, reads)


def _book_version(session: str) -> int:
    return BookingBook.objects.filter(session=session).values_list("version", flat=True).first() or 0


def brief(row: Place) -> dict[str, Json]:
    return {
        "slug": row.slug,
        "name": row.name,
        "service": row.collection_id,
        "area": row.area,
        "kind": row.kind,
        "price": row.price,
        "rating": str(row.rating),
    }


def full(row: Place) -> dict[str, Json]:
    """Every attribute that a stage may use, JSON."""
    return brief(row) | {
        "hours": row.hours,
        "features": row.features,
        "phone": row.phone,
        "address": row.address,
        "capacity": row.capacity,
        "line": row.line,
        "stop": row.stop,
        "walk": row.walk,
    }
