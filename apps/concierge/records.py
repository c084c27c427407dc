"""Record ids and their committed versions. Ids: place:<slug>, collection:<service>, bookings:<session>."""

from collections.abc import Sequence

from django.db import transaction

from apps.concierge.models import BookingBook, Collection, Place, Tombstone


class UnknownRecord(ValueError):
    def __init__(self, record: str) -> None:
        super().__init__(f"no record {record!r}; known: place:<slug>, collection:<service>, bookings:<session>")


def place_record(slug: str) -> str:
    return f"place:{slug}"


def collection_record(service: str) -> str:
    return f"collection:{service}"


def bookings_record(session: str) -> str:
    return f"bookings:{session}"


def locked_row(record: str) -> Place | Collection | BookingBook | None:
    """The record's row, locked to the end of the transaction (SQLite: the transaction holds the only write lock)."""
    table, _, key = record.partition(":")
    if table == "place":
        return Place.objects.select_for_update().filter(slug=key).first()
    if table == "collection":
        return Collection.objects.select_for_update().filter(service=key).first()
    if table == "bookings":
        return BookingBook.objects.select_for_update().filter(session=key).first()
    raise UnknownRecord(record)


def tombstone_version(record: str) -> int:
    """The last version of a record whose row is gone; 0 if it never had one."""
    return Tombstone.objects.filter(record=record).values_list("version", flat=True).first() or 0


def raise_version(record: str, before: int = 0) -> int:
    """Give the record its next version, inside the caller's transaction, and return it.

    before  its version when the transaction began: never gone below, whatever became of the row since
    """
    row = locked_row(record)
    if row is None:
        version = max(tombstone_version(record), before) + 1
        Tombstone.objects.update_or_create(record=record, defaults={"version": version})
        return version
    row.version = max(row.version, tombstone_version(record), before) + 1
    row.save(update_fields=["version"])
    return row.version


class RecordSource:
    """What the reconciler of writes asks (setting DYNBRANCH_RECORD_SOURCES)."""

    def owns(self, record: str) -> bool:
        return record.partition(":")[0] in ("place", "collection", "bookings")

    def committed_versions(self, records: Sequence[str]) -> dict[str, int]:
        """The committed version of each record, read under a row lock; 0 for one that never had a row.

        In a transaction of the caller's, the rows stay locked to its end. Always in the order of the ids.
        """
        with transaction.atomic():
            return {record: self._version(record) for record in sorted(records)}

    def all_records(self) -> tuple[str, ...]:
        """Every record that has, or had, a row."""
        places = map(place_record, Place.objects.values_list("slug", flat=True))
        collections = map(collection_record, Collection.objects.values_list("service", flat=True))
        books = map(bookings_record, BookingBook.objects.values_list("session", flat=True))
        gone = Tombstone.objects.values_list("record", flat=True)
        return tuple(sorted({*places, *collections, *books, *gone}))

    def _version(self, record: str) -> int:
        row = locked_row(record)
        return tombstone_version(record) if row is None else row.version
