"""The catalogue's writes over the runtime's real two-phase protocol and a real Redis."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.test import Client

from apps.concierge import services
from apps.concierge.models import Place
from apps.concierge.seed import seed_catalogue
from apps.runtime import wiring
from apps.runtime.writes import WriteRefused
from apps.serving.outcomes import Miss, MissReason

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def unhashed_static_files(settings):
    """Hashed names exist only after collectstatic."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


@pytest.fixture
def place(redis_client) -> Place:
    seed_catalogue()
    return Place.objects.get(slug="brine-house")


def published(*records: str) -> dict[str, int]:
    """Publish what the reconciler would, and return it."""
    versions = services.RECORD_SOURCE.committed_versions(records)
    wiring.store().records.publish(versions, wiring.now_ms())
    return versions


def test_a_saved_place_makes_results_that_read_it_stale_and_the_new_version_fresh(place):
    read = published(place.record)
    assert wiring.store().records.fresh(read) is None

    place.price = 77
    services.save_place(place)

    assert wiring.store().records.fresh(read) == Miss(MissReason.STALE)
    assert wiring.store().records.fresh(services.RECORD_SOURCE.committed_versions([place.record])) is None


def test_while_a_write_runs_its_records_are_uncertain(place):
    read = published(place.record)
    with services.change([place.record]):
        assert wiring.store().records.fresh(read) == Miss(MissReason.UNCERTAIN)


def edit_of(place: Place, price: int) -> dict[str, object]:
    """The admin's form for the place, filled in with another price."""
    return {
        "collection": "restaurant", "name": place.name, "area": place.area, "kind": place.kind, "price": price,
        "rating": "4.6", "hours": '{"mon": ["10:00", "18:00"]}', "features": '["wifi"]', "phone": place.phone,
        "address": place.address, "capacity": 36, "line": place.line, "stop": place.stop, "walk": 2,
    }  # fmt: skip


def test_an_edit_in_the_admin_reaches_the_library(place, client: Client):
    read = published(place.record)
    client.force_login(get_user_model().objects.create_superuser("boss", password="b"))

    answer = client.post(f"/admin/concierge/place/{place.pk}/change/", edit_of(place, 12))

    assert answer.status_code == 302, answer.content.decode()[-2000:]
    assert Place.objects.get(pk=place.pk).price == 12
    assert wiring.store().records.fresh(read) == Miss(MissReason.STALE)


def test_deleting_many_in_the_admin_reaches_the_library(place, client: Client):
    other = Place.objects.get(slug="the-clockroom")
    read = published(place.record, other.record)
    client.force_login(get_user_model().objects.create_superuser("boss", password="b"))
    form = {"action": "delete_selected", "_selected_action": [place.pk, other.pk], "post": "yes"}

    answer = client.post("/admin/concierge/place/", form)

    assert answer.status_code == 302
    assert not Place.objects.filter(pk__in=[place.pk, other.pk]).exists()
    for record, version in read.items():
        assert wiring.store().records.fresh({record: version}) == Miss(MissReason.STALE)


@pytest.mark.parametrize("do", ["change", "delete", "delete many"])
def test_while_redis_is_away_the_admin_changes_nothing_and_says_so(place, client: Client, monkeypatch, do):
    client.force_login(get_user_model().objects.create_superuser("boss", password="b"))
    monkeypatch.setattr(services, "writing", refusing)
    path, form = {
        "change": (f"/admin/concierge/place/{place.pk}/change/", edit_of(place, 12)),
        "delete": (f"/admin/concierge/place/{place.pk}/delete/", {"post": "yes"}),
        "delete many": (
            "/admin/concierge/place/",
            {"action": "delete_selected", "_selected_action": [place.pk], "post": "yes"},
        ),
    }[do]

    answer = client.post(path, form, follow=True)

    assert answer.status_code == 200
    assert "Nothing was changed: the shared state is away; try again in a moment." in answer.content.decode()
    assert Place.objects.get(pk=place.pk).price == place.price
    assert not LogEntry.objects.exists()


def refusing(records):
    raise WriteRefused("the shared state is away; try again in a moment")
