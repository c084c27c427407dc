"""Sensible other words for a true fact are let through, and words that bend it are not."""

import pytest

from apps.concierge.catalogue import SERVICES, seed_places
from apps.concierge.fact_check import check, is_foreign
from apps.concierge.facts import sheet
from apps.concierge.requests import request
from tests.unit.concierge.test_fact_check import ROWS

PLACES = {row["name"]: row for row in ROWS}
BRINE, MERIDIEL, TIDES = "Brine House", "Hotel Meridiel", "Museum of Tides"


def ask(name, aspect, **slots):
    row = PLACES[name]
    return sheet(request("ask", place=row["slug"], aspect=aspect, **slots), {"place": row}).facts


def booking(name=BRINE):
    row = PLACES[name]
    return {
        "ref": "VB7K2M9Q", "place": row["slug"], "name": name, "service": row["service"], "area": row["area"],
        "booked": SERVICES[row["service"]].booked, "day": "2026-12-03", "time": "19:00", "people": 2,
    }  # fmt: skip


def done(do):
    return sheet(request("commit", order={"do": do}), {"ok": True, "do": do, "booking": booking()}).facts


def to_book(refusal=""):
    asked = request("book", place="brine-house", day="2026-12-03", time="19:00", people=2)
    return sheet(asked, {"place": PLACES[BRINE], "refusal": refusal}).facts


def to_cancel():
    return sheet(request("cancel", ref="VB7K2M9Q"), {"booking": booking(), "refusal": ""}).facts


def to_change():
    wanted = {"day": "2026-12-03", "time": "20:00", "people": 2}
    found = {"booking": booking(), "wanted": wanted, "refusal": "", "place": PLACES[BRINE]}
    return sheet(request("change", ref="VB7K2M9Q", time="20:00"), found).facts


def found(count, total, given_up=(), **wishes):
    rows = [row for row in ROWS if row["service"] == "restaurant"][:count]
    asked = request("find", service="restaurant", **wishes)
    return sheet(asked, {"places": rows, "total": total, "given_up": list(given_up)}).facts


REWORDED = [
    (ask(BRINE, "overview"), "Brine House is a nice seafood restaurant in Old Harbour, with a rating of 4.6 out of 5."),
    (ask(BRINE, "overview"), "Brine House is a seafood restaurant located in Old Harbour, rated 4.6 out of 5."),
    (ask(BRINE, "overview"), "Brine House is a seafood restaurant in Old Harbour that guests rate 4.6 out of 5."),
    (ask(MERIDIEL, "overview"), "Hotel Meridiel, a grand hotel in Old Harbour, has a rating of 4.7 out of 5."),
    (ask(BRINE, "hours"), "You can visit Brine House Tuesday to Sunday from 12:00 to 22:00."),
    (ask(BRINE, "hours"), "Brine House opens Tuesday to Sunday at 12:00 and closes at 22:00."),
    (ask(BRINE, "hours"), "The hours of Brine House are Tuesday to Sunday from 12:00 to 22:00."),
    (ask(BRINE, "hours"), "The opening hours of Brine House are Tuesday to Sunday, 12:00 to 22:00."),
    (ask(BRINE, "hours"), "It is open Tuesday to Sunday between 12:00 and 22:00 at Brine House."),
    (ask(MERIDIEL, "hours"), "Hotel Meridiel is open every day, around the clock."),
    (ask(MERIDIEL, "hours"), "You can come to Hotel Meridiel every day, day and night."),
    (ask(BRINE, "hours", day="fri"), "Yes, on Friday Brine House is open from 12:00 until 22:00."),
    (ask(BRINE, "hours", day="fri"), "Brine House is open on Friday between 12:00 and 22:00."),
    (ask(BRINE, "hours", day="fri"), "On Friday, Brine House opens at 12:00 and closes at 22:00."),
    (ask(BRINE, "hours", day="fri"), "Yes, it is! On Friday, Brine House is open from 12:00 to 22:00."),
    (ask(BRINE, "hours", day="mon"), "Brine House is closed on Monday."),
    (ask(BRINE, "hours", day="mon"), "Sorry, Brine House is closed on Monday."),
    (ask(BRINE, "hours", day="mon"), "Unfortunately, Brine House is closed on Monday."),
    (ask(BRINE, "hours", day="mon"), "I'm sorry, but Brine House is closed on Monday."),
    (ask(BRINE, "hours", day="fri", time="13:00"), "Yes, Brine House will be open on Friday at 13:00."),
    (ask(BRINE, "hours", day="fri", time="13:00"), "Yes, you can visit Brine House on Friday at 13:00."),
    (ask(BRINE, "hours", day="fri", time="09:00"), "No, Brine House will be closed on Friday at 9:00."),
    (ask(BRINE, "hours", day="fri", time="09:00"), "Sadly, Brine House is closed on Friday at 9:00."),
    (ask(BRINE, "price"), "The price at Brine House is $42 per person."),
    (ask(BRINE, "price"), "You pay $42 per person at Brine House."),
    (ask(BRINE, "price"), "A meal at Brine House comes to $42 per person."),
    (ask(BRINE, "price"), "It costs $42 per person at Brine House."),
    (ask(MERIDIEL, "price"), "A room at Hotel Meridiel is $210 per night."),
    (ask(BRINE, "directions"), "Take Tram 1 to Ropewalk, then it's 2 minutes on foot to Brine House."),
    (ask(BRINE, "directions"), "You can take Tram 1 to Ropewalk; Brine House is 2 minutes on foot from there."),
    (ask(BRINE, "directions"), "To get to Brine House, take Tram 1 to Ropewalk, 2 minutes on foot."),
    (ask(BRINE, "rating"), "Brine House has a rating of 4.6 out of 5."),
    (ask(BRINE, "rating"), "Guests give Brine House 4.6 out of 5."),
    (ask(BRINE, "rating"), "The rating of Brine House is 4.6 out of 5."),
    (ask(BRINE, "features"), "Brine House has outdoor seating, wine list and wheelchair access."),
    (ask(BRINE, "features"), "At Brine House you will find outdoor seating, a wine list, and wheelchair access."),
    (ask(BRINE, "features"), "Brine House offers outdoor seating, a wine list and also wheelchair access."),
    (ask(BRINE, "feature", feature="wine list"), "Yes, Brine House has a wine list."),
    (ask(BRINE, "feature", feature="wine list"), "Yes, there is a wine list at Brine House."),
    (ask(BRINE, "feature", feature="outdoor seating"), "Yes, outdoor seating is available at Brine House."),
    (ask(BRINE, "feature", feature="parking"), "No, Brine House doesn't offer parking."),
    (ask(BRINE, "feature", feature="parking"), "Sorry, there is no parking at Brine House."),
    (ask(BRINE, "feature", feature="parking"), "Unfortunately, Brine House does not have parking."),
    (ask(BRINE, "phone"), "You can reach Brine House at 555-0101."),
    (ask(BRINE, "phone"), "Brine House's phone number is 555-0101."),
    (ask(BRINE, "phone"), "To reach Brine House, call 555-0101."),
    (ask(BRINE, "address"), "Brine House is located at 3 Ropewalk in Old Harbour."),
    (ask(BRINE, "address"), "The address of Brine House is 3 Ropewalk, in Old Harbour."),
    (ask(BRINE, "address"), "You can find Brine House at 3 Ropewalk in Old Harbour."),
    (ask(BRINE, "capacity"), "Brine House can seat 36 people."),
    (ask(BRINE, "capacity"), "There is room for up to 36 people at Brine House."),
    (found(3, 14), "I'd suggest these restaurants: Brine House, Copper Ladle and The Salted Fig."),
    (found(3, 14), "The best restaurants are Brine House, Copper Ladle, and The Salted Fig."),
    (found(3, 14), "For restaurants, I recommend Brine House, Copper Ladle and The Salted Fig."),
    (found(2, 2), "There are these restaurants: Brine House and Copper Ladle."),
    (found(1, 1), "I recommend Brine House in Old Harbour, a good seafood restaurant."),
    (found(0, 0), "I'm afraid there are no restaurants."),
    (found(0, 0), "Sorry, I couldn't find any restaurants."),
    (found(1, 1, ["area"], area="Hillgate"), "I could not find any restaurants in Hillgate."),
    (found(1, 1, ["area"], area="Hillgate")[1:], "But you could try Brine House."),
    (to_book(), "I will book a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (to_book(), "So that's a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (to_book(), "I'll reserve a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (to_book("full"), "Unfortunately, Brine House is fully booked on Thursday 3 December at 19:00."),
    (to_book("closed"), "I'm afraid Brine House is closed on Thursday 3 December at 19:00."),
    (to_change(), "I will change your booking at Brine House to 2 people on Thursday 3 December at 20:00."),
    (to_cancel(), "I'll cancel your booking at Brine House for 2 people on Thursday 3 December at 19:00."),
    (done("book"), "Your table at Brine House is booked for 2 people on Thursday 3 December at 19:00."),
    (done("book"), "I've booked a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (done("book")[1:], "The reference of your booking is VB7K2M9Q."),
    (done("change"), "Your booking at Brine House has been changed to 2 people on Thursday 3 December at 19:00."),
    (done("cancel"), "Your booking at Brine House for 2 people on Thursday 3 December at 19:00 has been cancelled."),
    (ask(TIDES, "overview"), "Museum of Tides is a maritime museum in Old Harbour, and visitors rate it 4.5 out of 5."),
    (ask(BRINE, "hours"), "From Tuesday to Sunday, Brine House is open from 12:00 to 22:00."),
    (ask(BRINE, "hours"), "Brine House is open from Tuesday to Sunday, from 12:00 till 22:00."),
    (ask(MERIDIEL, "hours"), "Hotel Meridiel is always open, every day, day and night."),
    (ask(BRINE, "hours", day="sat"), "It is open on Saturday: Brine House welcomes guests from 12:00 to 22:00."),
    (ask(BRINE, "hours", day="sat"), "Yes, Brine House will be open on Saturday from 12:00 to 22:00."),
    (ask(BRINE, "hours", day="mon"), "No, Brine House stays closed on Monday."),
    (ask(MERIDIEL, "hours", day="mon"), "Yes, Hotel Meridiel is open all day and all night on Monday."),
    (ask(BRINE, "price"), "At Brine House, a meal costs $42 per person."),
    (ask(BRINE, "price"), "Brine House's price is $42 per person."),
    (ask(BRINE, "directions"), "Take Tram 1 and get off at Ropewalk; there it's 2 minutes on foot to Brine House."),
    (ask(BRINE, "rating"), "Brine House scores 4.6 out of 5."),
    (ask(BRINE, "features"), "You'll find outdoor seating, a wine list and wheelchair access at Brine House."),
    (ask(BRINE, "feature", feature="parking"), "No, Brine House has no parking."),
    (ask(BRINE, "feature", feature="parking"), "I'm sorry, Brine House doesn't have parking."),
    (ask(BRINE, "phone"), "The number for Brine House is 555-0101."),
    (ask(BRINE, "phone"), "You can call Brine House at 555-0101."),
    (ask(BRINE, "address"), "It's at 3 Ropewalk in Old Harbour: Brine House."),
    (ask(BRINE, "address"), "Brine House can be found at 3 Ropewalk in Old Harbour."),
    (ask(BRINE, "capacity"), "Brine House has space for 36 people."),
    (found(2, 2), "Here are the restaurants: Brine House and Copper Ladle."),
    (found(1, 1), "You could try Brine House in Old Harbour, a good seafood restaurant."),
    (found(0, 0), "Unfortunately, I found no restaurants."),
    (to_book(), "Let me book a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (to_book(), "I will reserve a table for you at Brine House for 2 people, on Thursday 3 December at 19:00."),
    (to_change(), "Your booking at Brine House will then be for 2 people on Thursday 3 December at 20:00."),
    (to_cancel(), "So I will cancel your booking at Brine House for 2 people on Thursday 3 December at 19:00."),
    (done("book"), "Done! I have booked a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (done("cancel"), "Your booking at Brine House for 2 people on Thursday 3 December at 19:00 is cancelled."),
]  # fmt: skip
BENT = [
    (to_book(), "I have booked a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (to_book(), "You have a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (to_book(), "I will cancel a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (to_cancel(), "I have cancelled your booking at Brine House for 2 people on Thursday 3 December at 19:00."),
    (to_cancel(), "I will not cancel your booking at Brine House for 2 people on Thursday 3 December at 19:00."),
    (done("book"), "I will book a table at Brine House for 2 people on Thursday 3 December at 19:00."),
    (done("cancel"), "Your booking at Brine House for 2 people on Thursday 3 December at 19:00 is confirmed."),
    (to_book("full"), "Brine House is not fully booked on Thursday 3 December at 19:00."),
    (to_book("full"), "Brine House is booked on Thursday 3 December at 19:00."),
    (ask(BRINE, "hours", day="mon"), "No, Brine House is not closed on Monday."),
    (ask(BRINE, "hours", day="mon"), "Yes, Brine House is closed on Monday."),
    (ask(BRINE, "hours", day="mon"), "Brine House is open on Monday."),
    (ask(BRINE, "hours", day="fri"), "Yes, on Friday Brine House closes at 12:00 and opens at 22:00."),
    (ask(BRINE, "hours", day="fri"), "Yes, on Friday Brine House is open until 12:00 and from 22:00."),
    (ask(BRINE, "hours", day="fri"), "Yes, Brine House is open on Friday, never from 12:00 to 22:00."),
    (ask(BRINE, "price"), "Brine House costs less than $42 per person."),
    (ask(BRINE, "price"), "$42 per person costs Brine House."),
    (ask(BRINE, "feature", feature="parking"), "Yes, Brine House does not offer parking."),
    (ask(BRINE, "feature", feature="parking"), "Brine House does offer parking."),
    (ask(BRINE, "feature", feature="parking"), "It is not so that Brine House does not offer parking."),
    (ask(BRINE, "feature", feature="wine list"), "Yes, Brine House comes without wine list."),
    (ask(BRINE, "features"), "Brine House offers outdoor seating, no wine list and wheelchair access."),
    (ask(BRINE, "directions"), "Take Tram 1 to Brine House, 2 minutes on foot from Ropewalk."),
    (ask(BRINE, "phone"), "Call Brine House to reach 555-0101."),
    (found(0, 0), "There are restaurants."),
    (found(3, 14), "The best restaurants are not Brine House, Copper Ladle and The Salted Fig."),
    (found(1, 1), "Brine House in Old Harbour is not a good seafood restaurant."),
]


@pytest.mark.parametrize(("facts", "said"), REWORDED)
def test_a_sensible_rewording_passes(facts, said):
    assert check(said, facts).said == 1
    assert not is_foreign(said, facts)


@pytest.mark.parametrize(("facts", "said"), BENT)
def test_words_that_bend_a_fact_are_refused(facts, said):
    assert check(said, facts).said is None


def test_a_value_with_letters_of_any_alphabet_is_repeated_and_nothing_else_may_have_them():
    place = {**PLACES[BRINE], "name": "Café Zoë & Søn"}
    facts = sheet(request("ask", place="x", aspect="price"), {"place": place}).facts

    assert check("A meal at Café Zoë & Søn costs $42 per person.", facts).said == 1
    assert check("A méal at Café Zoë & Søn costs $42 per person.", facts).said is None


def test_a_name_with_a_typographic_apostrophe_is_kept_as_it_is():
    place = {**PLACES[BRINE], "name": "Anna’s Table"}
    facts = sheet(request("ask", place="x", aspect="price"), {"place": place}).facts

    assert check("Anna’s Table charges $42 per person.", facts).said == 1
    assert check("Anna's Table charges $42 per person.", facts).said is None


def test_more_bookings_than_are_listed_are_counted():
    facts = sheet(request("bookings"), {"bookings": [booking()] * 5}).facts

    assert [f.about for f in facts] == ["your booking"] * 3 + ["more bookings"]
    assert facts[-1].text == "There are 2 more."
    assert check("Besides these, you have 2 more.", facts[-1:]).said == 1
    assert check("Besides these, you have 3 more.", facts[-1:]).said is None


def test_days_with_equal_hours_are_said_together():
    facts = ask("Cafe Marzipan", "hours")
    hours = {day: ["07:30", "18:00"] for day in ("mon", "tue", "wed", "thu", "fri")} | {"sat": ["09:00", "16:00"]}
    split = sheet(request("ask", place="x", aspect="hours"), {"place": {**PLACES[BRINE], "hours": hours}}).facts

    assert facts[0].values == ("Cafe Marzipan", "Monday to Saturday", "7:30", "18:00")
    assert split[0].text == "Brine House is open Monday to Friday 7:30 to 18:00 and Saturday 9:00 to 16:00."


def test_kinds_that_name_their_service_do_not_say_it_twice():
    kinds = {place.kind: place.service for place in seed_places()}
    for kind, service in kinds.items():
        what = sheet(request("find", service=service, kind=kind), {"places": [], "total": 0, "given_up": []})
        assert f"{SERVICES[service].one} {SERVICES[service].many}" not in what.facts[0].text


def test_times_of_a_search_are_written_as_everywhere():
    facts = found(0, 0, day="sun", time="09:00")

    assert facts[0].text == "Sorry, there are no restaurants open on Sunday at 9:00."
