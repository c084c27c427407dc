"""No statement changes a guarded table past an announced write, and none a record that its write did not announce."""

from importlib import import_module

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import connection, models

from apps.concierge import checks, queries, services
from apps.concierge.guard import GuardedModel, UnannouncedWrite, guarded_models, guarded_tables
from apps.concierge.models import Booking, BookingBook, Collection, Operation, Place


def sql(statement, *parameters):
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def place(slug="brine-house"):
    return Place.objects.get(slug=slug)


STATEMENTS = {
    "update": "UPDATE concierge_place SET price = 1",
    "quoted and lower case": 'update "concierge_place" set price = 1',
    "delete": "DELETE FROM concierge_booking",
    "insert": "INSERT INTO concierge_collection (service, version) VALUES ('x', 1)",
    "insert or replace": "INSERT OR REPLACE INTO concierge_collection (service, version) VALUES ('x', 1)",
    "behind another expression": "WITH a AS (SELECT id FROM concierge_place) UPDATE concierge_place SET price = 1",
    "emptying several tables": "TRUNCATE TABLE chat_turn, concierge_place",
    "behind a comment": "DELETE FROM /* all */ concierge_place",
    "behind a line's comment": "UPDATE -- all\n concierge_place SET price = 1",
    "behind a quoted dash": "WITH a AS (SELECT '--') DELETE FROM concierge_booking",
    "in brackets": "DELETE FROM [concierge_place]",
    "with its schema": 'DELETE FROM "main" . "concierge_place"',
    "without a space": 'DELETE FROM"concierge_place"',
    "over several lines": "UPDATE\n  concierge_place\nSET price = 1",
}
MANAGERS = {
    "base manager update": lambda: Place._base_manager.update(price=1),
    "base manager delete": lambda: Place._base_manager.filter(slug="brine-house").delete(),
    "raw delete": lambda: Place._base_manager.filter(slug="brine-house")._raw_delete("default"),
    "related manager": lambda: Collection.objects.get(service="restaurant").places.update(price=1),
    "get_or_create": lambda: BookingBook.objects.get_or_create(session="new"),
    "update_or_create": lambda: Place.objects.update_or_create(slug="brine-house", defaults={"price": 1}),
    "models.Model.save": lambda: models.Model.save(place()),
    "save_base": lambda: place().save_base(),
}


def rows():
    return [list(model.objects.values()) for model in (Place, Collection, BookingBook, Booking)]


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_a_raw_statement_outside_a_write_is_refused(catalogue, statement):
    before = rows()

    with pytest.raises(UnannouncedWrite, match=r"services\.change"):
        sql(statement)

    assert rows() == before


@pytest.mark.parametrize("bypass", MANAGERS.values(), ids=MANAGERS)
def test_a_way_round_the_models_is_refused(catalogue, bypass):
    before = rows()

    with pytest.raises(UnannouncedWrite, match=r"services\.change"):
        bypass()

    assert rows() == before


def test_reading_locking_and_other_tables_are_let_through(catalogue):
    sql("SELECT * FROM concierge_place WHERE slug = %s", "DELETE FROM concierge_place")
    Operation.objects.create(operation="op", outcome={})


WRITES_OF_ANOTHER = {
    "a place": lambda: _edit("copper-ladle", phone="1"),
    "an attribute that queries filter by": lambda: _edit("brine-house", price=1),
    "bulk update": lambda: Place.objects.all().update(phone="1"),
    "bulk update into another collection": lambda: Place.objects.filter(slug="brine-house").update(collection="event"),
    "bulk_update": lambda: Place.objects.bulk_update([_changed("brine-house", price=1)], ["price"]),
    "bulk_create": lambda: Place.objects.bulk_create([Place(slug="x", collection_id="event")]),
    "a delete": lambda: place().delete(),
    "a bulk delete": lambda: Place.objects.filter(slug="copper-ladle").delete(),
    "someone's bookings": lambda: BookingBook.objects.create(session="s9"),
}


def _changed(slug, **values):
    row = place(slug)
    for name, value in values.items():
        setattr(row, name, value)
    return row


def _edit(slug, **values):
    _changed(slug, **values).save()


@pytest.mark.parametrize("act", WRITES_OF_ANOTHER.values(), ids=WRITES_OF_ANOTHER)
def test_a_write_of_a_record_that_was_not_announced_is_refused_and_rolled_back(catalogue, act):
    before = rows()

    with pytest.raises(UnannouncedWrite, match="has not announced"), services.change(["place:brine-house"]):
        act()

    assert rows() == before
    assert catalogue.committed == []


def test_a_write_of_what_was_announced_goes_through(catalogue):
    with services.change(["place:brine-house"]):
        Place.objects.filter(slug="brine-house").update(phone="555-0000")

    assert place().phone == "555-0000"
    assert catalogue.committed == [{"place:brine-house": 2}]


def test_every_model_that_a_query_reads_is_guarded_and_has_records_of_its_own(db):
    assert [found for found in run_checks() if found.id.startswith("concierge.")] == []
    assert {Place, Collection, Booking, BookingBook} == set(guarded_models())
    assert len(guarded_tables()) == 4


def test_a_query_over_an_unguarded_model_stops_the_start(monkeypatch):
    monkeypatch.setattr(queries, "Operation", Operation, raising=False)

    (found,) = checks.reads_are_guarded()

    assert found.id == "concierge.E001"
    assert "Operation" in found.msg


def test_a_guarded_model_without_records_stops_the_start(monkeypatch):
    monkeypatch.setattr(BookingBook, "records_of", GuardedModel.records_of)

    assert [found.id for found in checks.guarded_rows_have_records()] == ["concierge.E002"]


@pytest.mark.parametrize(
    "bypass",
    [
        lambda: sql("UPDATE concierge_place SET price = 1 WHERE slug = 'brine-house'"),
        lambda: Place._base_manager.filter(slug="brine-house").update(price=1),
        lambda: Place._base_manager.filter(slug="brine-house").delete(),
        lambda: models.Model.save(place()),
    ],
    ids=["raw", "base manager update", "base manager delete", "models.Model.save"],
)
def test_a_statement_past_the_models_is_refused_inside_a_write_too(catalogue, bypass):
    before = rows()

    with pytest.raises(UnannouncedWrite, match="past its models"), services.change(["place:brine-house"]):
        bypass()

    assert rows() == before
    assert catalogue.committed == []


def test_a_place_may_move_by_update_where_both_collections_are_announced(catalogue):
    with services.change(["place:brine-house", "collection:restaurant", "collection:event"]):
        Place.objects.filter(slug="brine-house").update(collection="event")

    assert place().collection_id == "event"


def test_what_an_expression_makes_of_a_row_is_held_to_the_announcement_too(catalogue):
    moved = models.Value("event")
    with (
        pytest.raises(UnannouncedWrite, match="collection:event"),
        services.change(["place:brine-house", "collection:restaurant"]),
    ):
        Place.objects.filter(slug="brine-house").update(collection=moved)

    assert place().collection_id == "restaurant"


def test_migrations_and_flush_pass_and_nothing_after_them(catalogue, monkeypatch):
    def changes(command, *args, **options):
        sql("UPDATE concierge_place SET price = 1")

    for name in ("migrate", "flush"):
        monkeypatch.setattr(import_module(f"django.core.management.commands.{name}").Command, "handle", changes)
        call_command(name)
        with pytest.raises(UnannouncedWrite):
            sql("UPDATE concierge_place SET price = 1")
