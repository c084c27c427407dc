"""What the rules know of a catalogue, and that two kinds, odd names and accents do not mislead them."""

from dataclasses import asdict

from apps.concierge.catalogue import seed_places
from apps.concierge.model_evaluation import items
from apps.concierge.requests import request
from apps.concierge.understand import gazetteer
from apps.concierge.understand.gazetteer import gazetteer_of
from apps.concierge.understand.reading import read
from tests.unit.concierge.conftest import MONDAY


def row(name, service="restaurant", kind="Grill", area="Quayside", features=("wifi",)):
    slug = name.lower().replace(" ", "-") or "nameless"
    return {"slug": slug, "name": name, "service": service, "area": area, "kind": kind, "features": list(features)}


def meant(text, *rows, context=None):
    return read(text, context or {}, MONDAY, gazetteer_of(rows))


def test_the_evaluation_knows_of_velmora_what_the_product_knows():
    places = items.load_catalogues()["velmora"]

    assert items.gazetteer_of(places) == gazetteer_of(map(asdict, seed_places()))
    assert items.gazetteer_of(places).places == gazetteer._current.places
    assert all(place.features for place in items.gazetteer_of(places).places)


def test_a_kind_with_an_accent_is_understood_with_and_without_it():
    creperie = row("Chez Anne", kind="Crêperie")

    for text in ("a crêperie", "a creperie", "Creperies please"):
        assert meant(text, creperie, row("Bar Uno")).requests["find restaurant"]["kind"] == "Crêperie"


def test_a_kind_that_two_services_have_is_a_wish_for_either():
    reading = meant("a garden", row("Rose", kind="Garden"), row("Thorn", "museum", "Garden"))

    assert reading.certain is None
    assert reading.requests["find restaurant"] == request("find", service="restaurant", kind="Garden")
    assert reading.requests["find museum"] == request("find", service="museum", kind="Garden")


def test_names_without_a_letter_are_never_said():
    odd = (row("!!!"), row("???", kind="—", area="...", features=("!",)), row("Bar Uno"))
    reading = meant("restaurants", *odd)

    assert reading.certain == request("find", service="restaurant")
    assert meant("tell me about bar uno", *odd).certain == request("ask", place="bar-uno", aspect="overview")
