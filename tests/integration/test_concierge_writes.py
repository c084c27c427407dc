"""The catalogue's writes over the runtime's real two-phase protocol and a real Redis."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from apps.concierge import services
from apps.concierge.models import Place
from apps.concierge.seed import seed_catalogue
from apps.runtime import wiring
from apps.serving.outcomes import Miss, MissReason

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_an_edit_in_the_admin_reaches_the_library(place, client: Client):
    read = published(place.record)
    client.force_login(get_user_model().objects.create_superuser("boss", password="b"))
    form = {
        "collection": "restaurant", "name": place.name, "area": place.area, "kind": place.kind, "price": 12,
        "rating": "4.6", "hours": '{"mon": ["10:00", "18:00"]}', "features": '["wifi"]', "phone": place.phone,
        "address": place.address, "capacity": 36, "line": place.line, "stop": place.stop, "walk": 2,
    }  # fmt: skip

    answer = client.post(f"/admin/concierge/place/{place.pk}/change/", form)

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
