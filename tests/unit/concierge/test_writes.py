"""Every change of a record is a two-phase write that raises versions; nothing passes by."""

import pytest
from django.contrib.admin import site
from django.db.models import ProtectedError

from apps.concierge import services
from apps.concierge.guard import UnannouncedWrite
from apps.concierge.models import Booking, Collection, Place
from apps.concierge.seed import seed_catalogue

SOURCE = services.RECORD_SOURCE


def place(slug="brine-house"):
    return Place.objects.get(slug=slug)


def book(operation="op-1", session="s1", **order):
    base = {"do": "book", "place": "brine-house", "day": "2026-12-03", "time": "19:00", "people": 2}
    return services.run_operation(operation, session, {**base, **order})


def test_seeding_twice_adds_nothing_and_writes_nothing(catalogue):
    assert Place.objects.count() >= 60
    assert Collection.objects.count() == 6

    seeded = seed_catalogue()

    assert seeded.added == 0
    assert catalogue.begun == []


@pytest.mark.parametrize(
    "bypass",
    [
        lambda: Place.objects.update(price=1),
        lambda: Place.objects.filter(slug="brine-house").delete(),
        lambda: Place.objects.bulk_update([place()], ["price"]),
        lambda: Place.objects.bulk_create([Place(slug="x")]),
        lambda: Collection.objects.update(version=9),
        lambda: Booking.objects.all().delete(),
        lambda: place().save(),
        lambda: place().delete(),
        lambda: Place.objects.create(slug="y", name="Y"),
    ],
)
def test_a_change_outside_a_write_is_refused_and_says_what_to_do(catalogue, bypass):
    before = list(Place.objects.values())
    with pytest.raises(UnannouncedWrite, match=r"services\.change"):
        bypass()
    assert list(Place.objects.values()) == before


def test_editing_a_queried_attribute_raises_the_place_and_its_collection(catalogue):
    edited = place()
    edited.price = 99
    services.save_place(edited)

    assert catalogue.committed == [{"place:brine-house": 2, "collection:restaurant": 2}]
    assert SOURCE.committed_versions(["place:brine-house"]) == {"place:brine-house": 2}
    assert catalogue.begun == [("collection:restaurant", "place:brine-house")]


def test_editing_a_shown_attribute_leaves_the_collection_alone(catalogue):
    edited = place()
    edited.phone = "555-9999"
    services.save_place(edited)

    assert catalogue.committed == [{"place:brine-house": 2}]


def test_moving_a_place_to_another_service_writes_both_collections(catalogue):
    edited = place()
    edited.collection_id = "event"
    services.save_place(edited)

    assert set(catalogue.committed[0]) == {"place:brine-house", "collection:restaurant", "collection:event"}


def test_a_stale_copy_cannot_lower_the_version(catalogue):
    first, second = place(), place()
    first.price, second.price = 10, 11
    services.save_place(first)
    services.save_place(second)

    assert place().version == 3


def test_a_place_deleted_and_made_again_never_reuses_a_version(catalogue):
    gone = place()
    services.delete_places([gone])
    assert SOURCE.committed_versions(["place:brine-house"]) == {"place:brine-house": 2}
    assert "place:brine-house" in SOURCE.all_records()
    assert seed_catalogue().added == 0

    gone.pk, gone.version = None, 0
    gone._state.adding = True
    services.save_place(gone)

    assert SOURCE.committed_versions(["place:brine-house"]) == {"place:brine-house": 3}


def test_the_admin_changes_places_only_through_the_service(catalogue):
    admin = site._registry[Place]
    edited = place()
    edited.rating = "3.1"
    admin.save_model(None, edited, None, True)
    admin.delete_model(None, place("copper-ladle"))
    admin.delete_queryset(None, Place.objects.filter(slug__in=["masala-row", "the-clockroom"]))

    assert len(catalogue.committed) == 3
    assert set(catalogue.committed[2]) == {
        "place:masala-row",
        "place:the-clockroom",
        "collection:restaurant",
        "collection:museum",
    }


def test_a_failed_change_commits_nothing_and_publishes_nothing(catalogue):
    book()
    committed = len(catalogue.committed)
    with pytest.raises(ProtectedError):
        services.delete_places([place()])

    assert len(catalogue.committed) == committed
    assert Place.objects.filter(slug="brine-house").exists()


def test_a_repeated_operation_books_once_and_answers_the_same(catalogue):
    first = book()
    again = book()

    assert first["ok"]
    assert again == first
    assert Booking.objects.count() == 1
    assert len(catalogue.committed) == 1
    assert catalogue.committed[0] == {"place:brine-house": 2, "bookings:s1": 1}


def test_a_full_or_closed_place_is_not_booked(catalogue):
    for number in range(3):
        assert book(f"fill-{number}", people=12)["ok"]

    assert book("one-more", people=1)["why"] == "full"
    assert book("closed", day="2026-12-07")["why"] == "closed"
    assert book("crowd", people=40)["why"] == "too many"
    assert Booking.objects.count() == 3


def test_a_session_cannot_cancel_the_booking_of_another(catalogue):
    ref = book()["booking"]["ref"]

    refused = services.run_operation("op-x", "s2", {"do": "cancel", "ref": ref})

    assert refused["why"] == "no such booking"
    assert Booking.objects.get(ref=ref).status == "confirmed"
    assert services.run_operation("op-y", "s1", {"do": "cancel", "ref": ref})["ok"]
    assert Booking.objects.get(ref=ref).status == "cancelled"


def test_changing_a_booking_keeps_its_reference(catalogue):
    ref = book()["booking"]["ref"]
    order = {"do": "change", "ref": ref, "day": "2026-12-04", "time": "20:00", "people": 3}

    changed = services.run_operation("op-2", "s1", order)

    assert changed["booking"]["ref"] == ref
    assert (changed["booking"]["day"], changed["booking"]["people"]) == ("2026-12-04", 3)
