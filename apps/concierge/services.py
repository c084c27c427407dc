"""Every change of the catalogue and of bookings: begin, one transaction that raises versions, committed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from django.db import transaction

from apps.concierge.booking import perform, touched
from apps.concierge.guard import announced
from apps.concierge.models import Booking, BookingBook, Collection, Operation, Place, Tombstone
from apps.concierge.records import RecordSource, bookings_record, collection_record, place_record, raise_version

RECORD_SOURCE = RecordSource()


class Write(Protocol):
    def hold(self) -> None: ...

    def committed(self, versions: Mapping[str, int]) -> None: ...


def writing(records: Sequence[str]) -> AbstractContextManager[Write]:
    """Begin a two-phase write. Tests replace this one function."""
    # Imported here because wiring connects to Redis, which management commands such as `migrate` do without.
    from apps.runtime import wiring

    return wiring.writing(records)


@contextmanager
def change(records: Sequence[str]) -> Iterator[None]:
    """Around every change of these records: results that read one are unusable from here on.

    The body runs in the transaction and may save, delete and bulk-change rows. If it raises, nothing is
    changed, and the records stay uncertain until the reconciler has read their versions.
    """
    ids = sorted(set(records))
    with writing(ids) as write:
        with transaction.atomic(), announced(ids):
            # Locks the rows, and in the reconciler's order: in another, each would wait for what the other holds.
            before = RECORD_SOURCE.committed_versions(ids)
            yield
            versions = {record: raise_version(record, before[record]) for record in ids}
            write.hold()
        write.committed(versions)


def save_place(place: Place) -> None:
    """Insert or update one place."""
    before = Place.objects.filter(pk=place.pk).first() if place.pk else None
    with change(list(place.records_of_change(before))):
        current = before and Place.objects.select_for_update().get(pk=place.pk)
        place.version = current.version if current else 0
        place.save()


def delete_places(places: Sequence[Place]) -> None:
    """Delete them all, or none; a place with bookings raises ProtectedError."""
    records = [place_record(p.slug) for p in places] + [collection_record(p.collection_id) for p in places]
    with change(records):
        _remove(places)


def _remove(places: Sequence[Place]) -> None:
    for place in Place.objects.select_for_update().filter(pk__in=[p.pk for p in places]):
        Tombstone.objects.update_or_create(record=place.record, defaults={"version": place.version})
        place.delete()


def import_places(saved: Sequence[Place], removed: Sequence[Place]) -> None:
    """Store and delete them all in one write, or none; a place with bookings that would go raises ProtectedError."""
    before = {place.pk: place for place in Place.objects.filter(pk__in=[p.pk for p in saved if p.pk])}
    records = {record for place in saved for record in place.records_of_change(before.get(place.pk))}
    records |= {record for place in removed for record in place.records_of(place.field_names())}
    if not records:
        return
    with change(list(records)):
        current = dict(Place.objects.select_for_update().filter(pk__in=before).values_list("pk", "version"))
        for place in saved:
            Collection.objects.get_or_create(service=place.collection_id)
            place.version = current.get(place.pk, 0)
            place.save()
        _remove(removed)


def save_booking(booking: Booking) -> None:
    """Store an operator's edit of one booking."""
    before = Booking.objects.select_related("place").get(pk=booking.pk)
    slugs = {before.place.slug, booking.place.slug}
    with change([bookings_record(booking.session), *map(place_record, slugs)]):
        BookingBook.objects.get_or_create(session=booking.session)
        booking.version = before.version + 1
        booking.save()


def delete_bookings(bookings: Sequence[Booking]) -> None:
    """Delete them all, or none."""
    records = [bookings_record(b.session) for b in bookings] + [place_record(b.place.slug) for b in bookings]
    with change(records):
        Booking.objects.filter(pk__in=[b.pk for b in bookings]).delete()


def run_operation(operation: str, session: str, order: Mapping[str, object]) -> dict[str, object]:
    """Book, change or cancel, once per operation id: a repeat returns the first outcome and changes nothing.

    order  {"do": "book", place, day, time, people} | {"do": "change", ref, day, time, people} |
           {"do": "cancel", ref}; day "YYYY-MM-DD", time "HH:MM"
    """
    done = Operation.objects.filter(operation=operation).first()
    if done is not None:
        return done.outcome
    with change([bookings_record(session), *map(place_record, touched(session, order))]):
        done = Operation.objects.select_for_update().filter(operation=operation).first()
        if done is not None:
            return done.outcome
        BookingBook.objects.get_or_create(session=session)
        outcome = perform(operation, session, order)
        Operation.objects.create(operation=operation, outcome=outcome)
    return outcome
