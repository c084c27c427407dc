"""Words of guests that are easily taken for others: denials, prices, times, days, and places by their sort."""

from datetime import date

import pytest

from apps.concierge.fact_check import check
from apps.concierge.fact_types import fact
from apps.concierge.requests import request
from apps.concierge.understand import gazetteer
from apps.concierge.understand.mentions import mentions
from apps.concierge.understand.moments import moment
from apps.concierge.understand.reading import read
from tests.unit.concierge.conftest import MONDAY

TODAY = date(2026, 11, 30)
MUSEUMS = {
    "focus": {"slug": "toy-attic", "name": "Toy Attic", "service": "museum", "area": "Glass Market"},
    "results": [{"slug": slug} for slug in ("toy-attic", "the-clockroom", "museum-of-tides")],
    "request": request("find", service="museum"),
}
MIXED = {
    "focus": {"slug": "oro-e-sale", "name": "Oro e Sale", "service": "restaurant", "area": "Riverside"},
    "results": [{"slug": slug} for slug in ("oro-e-sale", "masala-row", "prism-puppets")],
    "request": request("find", service="restaurant"),
}
HOTELS = {
    "focus": {"slug": "the-wick-inn", "name": "The Wick Inn", "service": "hotel", "area": "Lantern Quarter"},
    "results": [{"slug": slug} for slug in ("the-wick-inn", "heron-lodge")],
    "request": request("ask", place="the-wick-inn", aspect="overview"),
}


def said(text, talked_of=()):
    return mentions(text, gazetteer.current(), talked_of)


@pytest.mark.parametrize(
    ("text", "services", "kinds", "feature"),
    [
        ("something cheaper not a hostel", ("hotel",), {}, ""),
        ("a hotel but no hostels please", ("hotel",), {}, ""),
        ("a restaurant but not italian", ("restaurant",), {}, ""),
        ("not a museum but a spa", ("spa",), {}, "spa"),
        ("a hotel without a pool", ("hotel",), {}, ""),
        ("a hotel with parking but no pool", ("hotel",), {}, "parking"),
        ("i don't want a museum i want a concert", ("event",), {"event": "concert"}, ""),
        ("no hotels please", ("hotel",), {}, ""),
        ("is there no pool", (), {}, "pool"),
        ("not that a hostel", ("hotel",), {"hotel": "hostel"}, ""),
    ],
)
def test_what_is_denied_is_no_wish(text, services, kinds, feature):
    found = said(text)

    assert (found.services, dict(found.kinds), found.feature) == (services, kinds, feature)


def test_an_area_that_is_denied_is_not_searched():
    assert said("a hotel not in riverside").area == ""
    assert said("a hotel in riverside").area == "Riverside"


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("too expensive", "cheap"),
        ("that's too dear", "cheap"),
        ("not too dear", "cheap"),
        ("nothing fancy", "cheap"),
        ("not expensive", "cheap"),
        ("too expensive smth under 40 with a terrace", "cheap"),
        ("a restaurant under 40", "moderate"),
        ("a hotel below 80", "cheap"),
        ("a hotel for less than $130", "cheap"),
        ("a hotel for less than $150", "moderate"),
        ("restaurants for less than 30 people", ""),
        ("is it ok for kids under 12", ""),
        ("something fancy", "expensive"),
        ("expensive hotels", "expensive"),
        ("nothing cheap", ""),
    ],
)
def test_a_price_is_wished_for_as_it_is_meant(text, band):
    assert said(text).price == band


def test_the_most_that_may_be_paid_is_that_of_the_service_talked_about():
    assert said("something under 40", ["brine-house"]).price == "moderate"
    assert said("something under 40", ["the-wick-inn"]).price == "cheap"


@pytest.mark.parametrize(
    ("text", "time", "vague"),
    [
        ("friday 8:45", "08:45", False),
        ("9:30", "09:30", False),
        ("at 10:15", "10:15", False),
        ("at 5:30", "17:30", False),
        ("8:45 in the evening", "20:45", False),
        ("tonight at 8:45", "20:45", False),
        ("dinner at 7:30", "19:30", False),
        ("a table at 7:30", "19:30", False),
        ("a table for breakfast at 8:30", "08:30", False),
        ("good evening a massage at 9:30", "09:30", False),
        ("at 8:45 pm", "20:45", False),
        ("at 8", "20:00", False),
        ("good morning a ride at 8", "20:00", False),
        ("after dinner", "21:00", True),
        ("before lunch", "11:00", True),
        ("at dinner time", "19:00", True),
        ("around lunch time", "12:30", True),
    ],
)
def test_a_clock_with_minutes_stands_as_written_and_a_meal_may_be_a_time(text, time, vague):
    when = moment(text, TODAY)

    assert (when.time, when.vague) == (time, vague)


def test_a_meal_that_is_a_time_is_no_wish_for_a_restaurant():
    assert said("a massage after dinner").services == ("spa",)
    assert said("a museum before lunch").services == ("museum",)
    assert said("dinner for two").services == ("restaurant",)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("tuesday is closed what about weds", date(2026, 12, 2)),
        ("what about thursday if monday is full", date(2026, 12, 3)),
        ("friday instead of monday", date(2026, 12, 4)),
        ("instead of monday how about friday", date(2026, 12, 4)),
        ("move it from friday to tuesday", date(2026, 12, 1)),
        ("friday not monday", date(2026, 12, 4)),
        ("not sunday", None),
        ("why not sunday", date(2026, 12, 6)),
        ("not tomorrow but on friday", date(2026, 12, 4)),
        ("sunday this weekend", date(2026, 12, 6)),
        ("monday or next tuesday", date(2026, 12, 8)),
    ],
)
def test_of_several_days_the_one_that_is_wanted_counts(text, day):
    assert moment(text, TODAY).day == day


@pytest.mark.parametrize(
    ("context", "text", "meant"),
    [
        (MUSEUMS, "when does the toys one open?", request("ask", place="toy-attic", aspect="hours")),
        (MUSEUMS, "how much is the science museum?", request("ask", place="the-clockroom", aspect="price")),
        (MUSEUMS, "how much is the second museum?", request("ask", place="the-clockroom", aspect="price")),
        (MIXED, "book the puppet thing", request("book", place="prism-puppets")),
        (MIXED, "how much is the italian one?", request("ask", place="oro-e-sale", aspect="price")),
        (MIXED, "how much is the curry place?", request("ask", place="masala-row", aspect="price")),
        (HOTELS, "book the second hotel", request("book", place="heron-lodge")),
    ],
)
def test_one_place_of_a_list_may_be_named_by_its_sort(context, text, meant):
    reading = read(text, context, MONDAY)

    assert (reading.certain or reading.requests[reading.likely[0]]) == meant


def test_a_sort_that_no_place_or_several_of_the_list_are_of_names_none():
    hotels = ["the-wick-inn", "the-bead-box", "heron-lodge"]

    assert said("the thai one", ["oro-e-sale", "masala-row"]).places == ()
    assert said("the inn one", hotels).places == ()
    assert said("the best italian restaurant", ["oro-e-sale", "masala-row"]).places == ()


@pytest.mark.parametrize(
    "text",
    ["whats the dress code", "is there a dress code?", "do they have a dress code?", "does it have a happy hour"],
)
@pytest.mark.parametrize("context", [MIXED, HOTELS])
def test_a_thing_that_nobody_knows_of_is_answered_with_no_other_fact(context, text):
    reading = read(text, context, MONDAY)

    assert reading.certain is None
    assert reading.likely[0] == "unclear"


def test_an_unknown_thing_of_a_named_place_is_not_certain_to_be_something_else():
    for text in ("whats the dress code at brine house", "do u have helicopter tours"):
        assert read(text, MIXED, MONDAY).certain is None


def test_something_with_music_has_live_music():
    assert said("something with music").feature == "live music"
    assert said("something with music").services == ()


def test_of_several_features_the_one_that_the_service_has_counts():
    # Only a spa has an outdoor pool.
    assert said("a hotel with an outdoor pool").feature == "pool"
    assert said("a spa with an outdoor pool").feature == "outdoor pool"


def test_what_is_near_the_sort_of_place_talked_about_is_in_its_area():
    found = said("a sauna near the inn", ["the-wick-inn"])

    assert (found.area, found.services, dict(found.kinds)) == ("Lantern Quarter", ("spa",), {})
    assert said("a sauna near the inn", ["brine-house"]).area == ""


LACKS = fact(
    "lacks feature",
    "No, Brine House does not offer towels.",
    "Brine House",
    "towels",
    name="Brine House",
    service="restaurant",
)


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("No, you will not find towels at Brine House.", 1),
        ("No, Brine House does not have towels.", 1),
        ("Sorry, I am afraid Brine House does not have towels.", 1),
        ("No, You will not find towels at Brine House.", None),
        ("Sorry, You will not find towels at Brine House.", None),
    ],
)
def test_after_a_lead_a_sentence_goes_on_in_lower_case(sentence, stated):
    assert check(sentence, [LACKS]).said == stated


@pytest.mark.parametrize(("service", "stated"), [("ride", 1), ("event", None), ("museum", None)])
def test_only_a_ride_has_riders(service, stated):
    rated = fact("rating", "Heron is rated 4.8 out of 5.", "Heron", "4.8 out of 5", name="Heron", service=service)

    assert check("Heron scores 4.8 out of 5 with its riders.", [rated]).said == stated
    assert check("Heron is rated 4.8 out of 5 by its guests.", [rated]).said == 1
