"""False sentences made of true words: whatever is denied, exchanged, promised too much or left out is refused."""

import pytest

from apps.concierge.fact_check import check
from apps.concierge.facts import sheet
from apps.concierge.requests import request
from tests.unit.concierge.test_fact_check import ROWS
from tests.unit.concierge.test_fact_rewordings import (
    BRINE,
    MERIDIEL,
    PLACES,
    TIDES,
    ask,
    done,
    to_book,
    to_cancel,
    to_change,
)

LACKS = ask(BRINE, "feature", feature="parking")
SHUT, FRIDAY = ask(BRINE, "hours", day="mon"), ask(BRINE, "hours", day="fri")
WAY = ask(BRINE, "directions")
FULL, MANY = to_book("full"), to_book("too many")
SPA_GONE = sheet(
    request("find", service="spa", area="Hillgate", price="cheap"),
    {"places": [ROWS[0] | {"name": "Bar Uno", "service": "spa"}], "total": 1, "given_up": ["area"]},
).facts
NO_BOOKINGS = sheet(request("bookings"), {"bookings": []}).facts
UNCLEAR = sheet(request("unclear"), {"services": ["restaurant", "spa"]}).facts
ORDER = "at Brine House for 2 people on Thursday 3 December at 19:00"


def free(name):
    return sheet(request("ask", place="x", aspect="price"), {"place": PLACES[name] | {"price": 0}}).facts


DENIED = [
    (LACKS, "No; Brine House has parking."),
    (LACKS, "Sorry, no, Brine House has parking."),
    (LACKS, "We do not, but Brine House has parking."),
    (LACKS, "No Brine House has parking."),
    (LACKS, "Brine House is not without parking."),
    (LACKS, "Sorry, Brine House has parking, no."),
    (LACKS, "I do not have parking, but Brine House has."),
    (LACKS, "Sorry, but I do not have parking; Brine House is."),
    (LACKS, "I do not have parking at Brine House, but Brine House has."),
    (SPA_GONE, "There are cheap spas in Hillgate, but you could not try Bar Uno."),
    (SPA_GONE, "No, there are cheap spas in Hillgate, but you could try Bar Uno."),
    (UNCLEAR, "I did understand that, but I can not help with restaurants and spas."),
    (NO_BOOKINGS, "No; you have bookings."),
    (NO_BOOKINGS, "So far, no, you have bookings."),
    (ask(BRINE, "rating"), "Brine House is not rated 4.6 out of 5."),
]  # fmt: skip
ASSERTED = [
    (SHUT, "Brine House is great on Monday, and you are closed."),
    (SHUT, "Sorry, you are closed; Brine House is here on Monday."),
    (SHUT, "Brine House has closed all on Monday."),
    (FULL, "Brine House is there on Thursday 3 December at 19:00, and we are fully booked."),
    (SHUT, "You can visit it on that day."),
    (FULL, "We have a time for you on that day."),
    (LACKS, "It has that."),
    (LACKS, "Enjoy your visit!"),
    (to_cancel(), "I hope you enjoy your visit!"),
    (ask(BRINE, "price"), "It is very good for you."),
    (ask(BRINE, "price"), "We will be here for you at any time."),
]
EXCHANGED = [
    (WAY, "Take Tram 1 from Brine House to Ropewalk, 2 minutes on foot."),
    (WAY, "From Brine House, take Tram 1 to Ropewalk, 2 minutes on foot."),
    (WAY, "Board Tram 1 at Ropewalk, 2 minutes on foot from Brine House."),
    (WAY, "Leave Brine House; take Tram 1 to Ropewalk, 2 minutes on foot."),
    (WAY, "Leave there, Brine House, and take Tram 1 to Ropewalk, 2 minutes on foot."),
    (WAY, "Take Tram 1 away from there, Brine House, to Ropewalk, 2 minutes on foot."),
    (WAY, "Get off the Tram 1 to Ropewalk, 2 minutes on foot from Brine House."),
    (WAY, "Take Tram 1 away from Ropewalk, 2 minutes on foot from Brine House."),
    (FRIDAY, "Guests can visit Brine House, and it closes on Friday from 12:00 until 22:00."),
    (FRIDAY, "Brine House is open on Friday, stopping from 12:00 to 22:00."),
    (FRIDAY, "Brine House opens on Friday at 12:00 and 22:00."),
]
NOT_YET = [
    (FULL, "We have you fully booked at Brine House on Thursday 3 December at 19:00."),
    (FULL, "You are fully booked at Brine House on Thursday 3 December at 19:00."),
    (to_change(), "With the change, your booking at Brine House is now for 2 people on Thursday 3 December at 20:00."),
    (to_change(), "So your booking at Brine House is for 2 people on Thursday 3 December at 20:00."),
    (to_book(), f"So you have that table {ORDER}."),
    (to_book(), f"So you get that table {ORDER}."),
    (to_book(), f"So that is your table {ORDER}."),
    (to_cancel(), f"Your booking {ORDER} is cancelled, so I will cancel."),
    (done("book"), f"I will have booked a table {ORDER}."),
    (MANY, "Sorry, Brine House cannot take groups of 12 people."),
    (MANY, "Sorry, Brine House cannot take groups of up to 12 people."),
]
FOREIGN = [
    (ask(BRINE, "price"), "The ride to Brine House costs $42 per person."),
    (ask(BRINE, "price"), "A ticket for Brine House costs $42 per person."),
    (ask(BRINE, "price"), "A room at Brine House costs $42 per person."),
    (ask(MERIDIEL, "price"), "A meal at Hotel Meridiel costs $210 per night."),
    (free(TIDES), "Staying at the Museum of Tides is free for everyone."),
    (free(BRINE), "Entry is free, and Brine House has a charge for everyone."),
    (free(TIDES), "Entry is free, and Museum of Tides has a charge for everyone."),
]
ASKED = [
    (SHUT, "Is Brine House closed on Monday?!"),
    (SHUT, "Is Brine House closed on Monday?."),
    (SHUT, "Closed? Brine House is closed on Monday."),
    (FRIDAY, "Brine House is open on Friday from 12:00 to 22:00?!"),
]


@pytest.mark.parametrize(("facts", "said"), DENIED)
def test_a_denial_stays_with_what_it_denies(facts, said):
    assert check(said, facts).said is None


@pytest.mark.parametrize(("facts", "said"), ASSERTED)
def test_courtesy_asserts_nothing_and_is_left_out_beside_bad_news(facts, said):
    assert check(said, facts).said is None


@pytest.mark.parametrize(("facts", "said"), EXCHANGED)
def test_from_and_to_opening_and_closing_are_not_exchanged(facts, said):
    assert check(said, facts).said is None


@pytest.mark.parametrize(("facts", "said"), NOT_YET)
def test_what_is_proposed_is_not_done_and_what_is_refused_no_success(facts, said):
    assert check(said, facts).said is None


@pytest.mark.parametrize(("facts", "said"), FOREIGN)
def test_a_place_is_priced_in_its_own_services_words(facts, said):
    assert check(said, facts).said is None


@pytest.mark.parametrize(("facts", "said"), ASKED)
def test_a_question_states_nothing(facts, said):
    assert check(said, facts).said is None


@pytest.mark.parametrize(
    "said",
    [
        "I hope you enjoy your visit!", "Enjoy your visit!", "Thank you!", "Lovely choice!", "It's a lovely choice.",
        "Please let me know if you need anything else.", "I'm happy to help.", "Have a lovely day!",
    ],
)  # fmt: skip
def test_a_kind_word_is_welcome_beside_good_news(said):
    assert check(said, ask(BRINE, "price")).said == 0
    assert check(said, ()).said == 0
