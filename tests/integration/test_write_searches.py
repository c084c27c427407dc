"""Searches read a collection besides their rows, so that what was not found, and is there now, ends them too."""

import pytest
from django.db import connection

from apps.concierge import services
from apps.concierge.models import Place
from apps.serving.outcomes import Miss, MissReason
from tests.integration.write_bench import Reader, Writer, priced, reconciler

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["reconciler"]


def test_a_search_that_saw_its_collection_before_a_commit_and_its_rows_after_is_not_kept(reconciler):
    search, writers = Reader(query="find", service="restaurant"), []

    def between(execute, sql, params, many, context):
        rows = execute(sql, params, many, context)
        if "concierge_collection" in sql and not writers:
            writers.append(Writer(priced(77)))
            writers[0].finish()
        return rows

    with connection.execute_wrapper(between):
        found = search.run()

    assert writers
    assert search.keep(found) == Miss(MissReason.STALE)
    search.settle()


def test_a_new_place_ends_the_answer_that_nothing_was_found(reconciler):
    spas = list(Place.objects.filter(collection_id="spa"))
    services.delete_places(spas)
    nothing = Reader(query="find", service="spa", area=spas[0].area)
    nothing.settle()
    assert nothing.served()["total"] == 0

    spas[0].pk, spas[0]._state.adding = None, True
    services.save_place(spas[0])

    assert nothing.served() is None
    nothing.settle()
    assert nothing.served()["total"] == 1


def test_an_answer_that_gave_up_a_wish_ends_with_a_place_that_has_it(reconciler):
    compromise = Reader(query="find", service="restaurant", kind="Martian")
    compromise.settle()
    assert compromise.served()["given_up"] == ["kind"]

    place = Place.objects.get(slug="brine-house")
    place.kind = "Martian"
    services.save_place(place)

    compromise.settle()
    assert compromise.served()["given_up"] == []
