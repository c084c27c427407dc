"""The judge finds every crafted lie, and none in what is true, however it is worded."""

import pytest

from apps.concierge.facts import sheet
from apps.concierge.hours import parse_hours
from apps.concierge.model_evaluation.atoms import Atom, AtomKind, read_text
from apps.concierge.model_evaluation.evaluate import judge_of
from apps.concierge.model_evaluation.expected import expected
from apps.concierge.model_evaluation.items import load_set, speech_items
from apps.concierge.requests import request

SAID = list(speech_items(load_set("reply_free")))
JUDGE = judge_of(SAID)
INN = {
    "slug": "the-heron",
    "name": "The Heron",
    "service": "hotel",
    "area": "Weir Bank",
    "kind": "inn",
    "price": 74,
    "rating": "4.2",
    "hours": parse_hours("mon-fri 07:00-22:00, sun 10:00-16:30"),
    "features": ["parking", "sea view"],
    "phone": "555-0199",
    "address": "31 Sluice Lane",
    "capacity": 18,
    "line": "Bus 31",
    "stop": "Sluice Lane",
    "walk": 5,
}
OWN = {
    "place": "the-heron",
    "name": "The Heron",
    "service": "hotel",
    "area": "Weir Bank",
    "booked": "a room",
    "status": "confirmed",
    "ref": "VB7K2M9Q",
    "day": "2026-12-04",
    "time": "19:00",
    "people": 2,
}
OTHER = {**OWN, "name": "Kumquat Steam", "service": "spa", "ref": "VBX4T6HN", "time": "15:30", "people": 4}


def faults(text, asked, found):
    return JUDGE.faults(text, expected(asked, found))


def ask(aspect, **slots):
    return request("ask", place="the-heron", aspect=aspect, **slots)


def of_inn(text, aspect, **slots):
    return faults(text, ask(aspect, **slots), {"place": INN})


@pytest.mark.parametrize("item", SAID, ids=lambda item: f"{item.number}-{item.op}")
def test_the_plain_sentences_of_every_hand_made_case_are_true_and_whole(item):
    said = sheet(item.request, item.found)
    text = " ".join([*(fact.text for fact in said.facts), *filter(None, [said.tail])])

    assert faults(text, item.request, item.found) == []


@pytest.mark.parametrize(
    ("text", "aspect", "slots"),
    [
        ("A night at The Heron is $74.", "price", {}),
        ("You will find The Heron at 31 Sluice Lane, in Weir Bank.", "address", {}),
        ("Guests give The Heron 4.2 stars.", "rating", {}),
        ("Yes, on Friday The Heron opens at 7:00 and stays open till 22:00.", "hours", {"day": "fri"}),
        ("No, on Saturday The Heron is not open.", "hours", {"day": "sat"}),
        ("Yes, The Heron is open on Friday at 7 pm.", "hours", {"day": "fri", "time": "19:00"}),
        ("The Heron is open Monday to Friday from 7:00 to 22:00, Sunday from 10:00 to 16:30.", "hours", {}),
        ("On Friday The Heron opens at 7:00 and closes at 22:00.", "hours", {"day": "fri"}),
        ("The Heron does have parking!", "feature", {"feature": "parking"}),
        ("Sorry, The Heron has no sauna.", "feature", {"feature": "sauna"}),
        ("Bus 31 to Sluice Lane, then a 5 minute walk to The Heron.", "directions", {}),
        ("Take Bus 31 and get off at Sluice Lane, 5 minutes on foot from The Heron.", "directions", {}),
        ("To get to The Heron, take Bus 31 to Sluice Lane; from there it is 5 minutes on foot.", "directions", {}),
        ("Bus 31 brings you to Sluice Lane, and from Sluice Lane The Heron is 5 minutes away.", "directions", {}),
        ("The Heron sleeps 18.", "capacity", {}),
    ],
)
def test_a_true_answer_in_other_words_has_no_fault(text, aspect, slots):
    assert of_inn(text, aspect, **slots) == []


@pytest.mark.parametrize(
    ("text", "aspect", "slots", "fault"),
    [
        ("The Heron costs $47 per night.", "price", {}, "unsupported: money 47"),
        ("The Heron costs $74 per night, and has a pool.", "price", {}, "unsupported: term pool"),
        ("The Heron is free, $74.", "price", {}, "contrary words"),
        ("The Heron does not cost $74.", "price", {}, "contrary words"),
        ("The Hern costs $74.", "price", {}, "unsupported: proper Hern"),
        ("Paris has a room for $74 at The Heron.", "price", {}, "unsupported: proper Paris"),
        ("A night costs $74.", "price", {}, "missing: name The Heron"),
        ("The Heron is rated 4.2 out of 5 by 300 guests.", "rating", {}, "unsupported: people 300"),
        ("The Heron is at 13 Sluice Lane in Weir Bank.", "address", {}, "missing: phrase 31 Sluice Lane"),
        ("The Heron is at 31 Sluice Lane in Hillgate.", "address", {}, "unsupported: proper Hillgate"),
        ("The Heron is a hostel in Weir Bank, rated 4.2 out of 5.", "overview", {}, "missing: term inn"),
        ("The Heron is an art hotel in Weir Bank, rated 4.2 out of 5.", "overview", {}, "unsupported: term art hotel"),
        ("Yes, The Heron is open on Saturday.", "hours", {"day": "sat"}, "contrary words"),
        ("The Heron is open on Saturday.", "hours", {"day": "sat"}, "missing words"),
        ("No, The Heron is closed on Friday.", "hours", {"day": "fri"}, "contrary words"),
        ("Yes, The Heron is open on Friday from 7:00 to 23:00.", "hours", {"day": "fri"}, "hours of fri"),
        ("Yes, The Heron is open on Friday from 22:00 to 7:00.", "hours", {"day": "fri"}, "hours of fri"),
        ("Yes, The Heron is open on Sunday from 7:00 to 22:00.", "hours", {"day": "fri"}, "unsupported: weekday sun"),
        ("No, The Heron is closed on Friday at 19:00.", "hours", {"day": "fri", "time": "19:00"}, "contrary words"),
        ("Yes, The Heron is open on Friday at 7 am.", "hours", {"day": "fri", "time": "19:00"}, "unsupported: clock"),
        ("The Heron is open every day from 7:00 to 22:00.", "hours", {}, "hours of sat, sun"),
        ("The Heron is open Monday to Friday from 7:00 to 22:00.", "hours", {}, "days told"),
        (
            "The Heron is open Monday to Friday from 10:00 to 16:30, Sunday from 7:00 to 22:00.",
            "hours",
            {},
            "hours of fri, mon",
        ),
        ("The Heron is open day and night every day.", "hours", {}, "hours of"),
        ("No, The Heron does not offer parking.", "feature", {"feature": "parking"}, "contrary words"),
        ("Yes, The Heron offers sauna.", "feature", {"feature": "sauna"}, "missing words"),
        ("The Heron has parking.", "feature", {"feature": "sauna"}, "missing: term sauna"),
        ("The Heron offers parking.", "features", {}, "missing: term sea view"),
        ("The Heron offers parking, sea view and breakfast.", "features", {}, "unsupported: term breakfast"),
        (
            "Take Bus 31 from The Heron to Sluice Lane, 5 minutes on foot.",
            "directions",
            {},
            "the way begins at The Heron",
        ),
        (
            "From The Heron, take Bus 31 to Sluice Lane, 5 minutes on foot.",
            "directions",
            {},
            "the way begins at The Heron",
        ),
        (
            "Take Bus 31 to The Heron, 5 minutes on foot from Sluice Lane.",
            "directions",
            {},
            "the line leads to The Heron",
        ),
        (
            "Take Bus 31 from Sluice Lane, 5 minutes on foot to The Heron.",
            "directions",
            {},
            "the way begins at Sluice Lane",
        ),
        (
            "Board Bus 31 at Sluice Lane, 5 minutes on foot from The Heron.",
            "directions",
            {},
            "the line is boarded at Sluice Lane",
        ),
        ("Take Bus 13 to Sluice Lane, 5 minutes on foot from The Heron.", "directions", {}, "missing: phrase Bus 31"),
        ("Take Bus 31 to Sluice Lane, 15 minutes on foot from The Heron.", "directions", {}, "unsupported: walk 15"),
        ("The phone number of The Heron is 555-0190.", "phone", {}, "unsupported: code 555-0190"),
        ("The Heron costs less than $74.", "price", {}, "not just: money 74"),
        ("Yes, The Heron closes at 7:00 and opens at 22:00 on Friday.", "hours", {"day": "fri"}, "opening and closing"),
        ("Yes, on Friday The Heron is open until 7:00 and from 22:00.", "hours", {"day": "fri"}, "opening and closing"),
        ("No, The Heron is not closed on Saturday.", "hours", {"day": "sat"}, "contrary words"),
        ("It is not so that The Heron does not offer sauna.", "feature", {"feature": "sauna"}, "contrary words"),
        ("No, The Heron offers sauna.", "feature", {"feature": "sauna"}, "missing words"),
        ("I am afraid The Heron has sauna.", "feature", {"feature": "sauna"}, "missing words"),
        ("Sorry, The Heron is open on Saturday.", "hours", {"day": "sat"}, "missing words"),
        ("The Heron has room for eighty people, 18 in all.", "capacity", {}, "unsupported: people 80"),
    ],
)
def test_a_lie_about_a_place_is_found(text, aspect, slots, fault):
    found = of_inn(text, aspect, **slots)

    assert any(one.startswith(fault) for one in found), found


TWO = (request("bookings"), {"bookings": [OWN, OTHER]})
FIRST = "You have a booking at The Heron for 2 people on Friday 4 December at 19:00."
SECOND = "You have a booking at Kumquat Steam for 4 people on Friday 4 December at 15:30."


def test_a_number_with_a_country_code_is_one_phrase():
    abroad = {"place": {**INN, "phone": "+46 516-3917"}}

    assert faults("Call The Heron on +46 516-3917.", ask("phone"), abroad) == []
    assert faults("Call The Heron on +47 516-3917.", ask("phone"), abroad)


def test_a_kind_that_names_its_service_need_not_name_it_twice():
    asked = request("find", service="museum", kind="clock museum", day="tue")
    none = {"total": 0, "places": [], "given_up": []}

    assert faults("Sorry, I know of no clock museums open on Tuesday.", asked, none) == []
    assert faults("Sorry, I know of no museums open on Tuesday.", asked, none)


def test_two_bookings_in_any_order_are_true():
    assert faults(f"{FIRST} {SECOND}", *TWO) == faults(f"{SECOND} {FIRST}", *TWO) == []


@pytest.mark.parametrize(
    "text",
    [
        FIRST,
        f"{FIRST} {FIRST}",
        f"{FIRST.replace('The Heron', 'Kumquat Steam')} {SECOND.replace('Kumquat Steam', 'The Heron')}",
        f"{FIRST.replace('19:00', '15:30')} {SECOND.replace('15:30', '19:00')}",
        f"{FIRST.replace('2 people', '4 people')} {SECOND}",
        f"{FIRST.replace('Friday', 'Thursday')} {SECOND}",
        f"{FIRST.replace('have', 'have cancelled')} {SECOND}",
        "You have a booking at The Heron and at Kumquat Steam, for 2 people and 4 people on Friday 4 December at 19:00 "
        "and at 15:30.",
    ],
)
def test_values_of_one_booking_told_of_another_are_found(text):
    assert faults(text, *TWO)


ORDER = {"do": "book", "place": "the-heron", "day": "2026-12-04", "time": "19:00", "people": 2}
BOOKED = (request("commit", order=ORDER), {"ok": True, "do": "book", "booking": OWN})
DONE = "I have booked a room at The Heron for 2 people on Friday 4 December at 19:00."


@pytest.mark.parametrize(
    ("text", "true"),
    [
        (f"{DONE} Your reference is VB7K2M9Q.", True),
        (DONE, False),
        (f"{DONE} Your reference is VB7K2M9P.", False),
        (f"{DONE.replace('booked', 'cancelled')} Your reference is VB7K2M9Q.", False),
        (f"{DONE.replace('have booked', 'will book')} Your reference is VB7K2M9Q.", False),
        (f"{DONE.replace('have booked', 'have not booked')} Your reference is VB7K2M9Q.", False),
        (f"{DONE.replace('4 December', '4 November')} Your reference is VB7K2M9Q.", False),
    ],
)
def test_what_was_done_is_told_as_done(text, true):
    assert (faults(text, *BOOKED) == []) is true


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("I will book a room at The Heron for 2 people on Friday 4 December at 19:00. Shall I go ahead?", True),
        ("I will book a room at The Heron for 2 people on Friday 4 December at 19:00.", False),
        ("I have booked a room at The Heron for 2 people on Friday 4 December at 19:00. Shall I go ahead?", False),
        ("I will cancel a room at The Heron for 2 people on Friday 4 December at 19:00. Shall I go ahead?", False),
        ("You have a room at The Heron for 2 people on Friday 4 December at 19:00. Shall I go ahead?", False),
        ("So that is a room at The Heron for 2 people on Friday 4 December at 19:00. Shall I go ahead?", True),
        ("I will book a room at The Heron for 3 people on Friday 4 December at 19:00. Shall I go ahead?", False),
        ("I will book a room at The Heron for 2 people on Friday 4 December at 7 am. Shall I go ahead?", False),
    ],
)
def test_a_confirmation_restates_the_order_and_asks(text, true):
    asked = request("book", place="the-heron", day="2026-12-04", time="19:00", people=2)

    assert (faults(text, asked, {"place": INN, "refusal": ""}) == []) is true


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("There are no inns with sauna. You could try The Heron.", True),
        ("No hotel in Weir Bank has a sauna, but The Heron is near.", True),
        ("You could try The Heron.", False),
        ("The Heron is a hotel with sauna.", False),
        ("There are no hotels with sauna. You could try The Heron with sauna.", False),
        ("There are no hotels with sauna. You could not try The Heron.", False),
        ("There are no hotels with sauna. You could try Goose Lodge.", False),
    ],
)
def test_a_wish_given_up_is_denied_and_not_said_of_what_is_shown(text, true):
    asked = request("find", service="hotel", area="Weir Bank", kind="inn", feature="sauna")
    brief = {key: INN[key] for key in ("slug", "name", "service", "area", "kind", "price", "rating")}

    assert (faults(text, asked, {"total": 1, "places": [brief], "given_up": ["feature"]}) == []) is true


@pytest.mark.parametrize("why", ["closed", "full", "too many"])
def test_each_refusal_is_told_as_what_it_is(why):
    asked = request("book", place="the-heron", day="2026-12-04", time="19:00", people=13)
    told = {
        "closed": "Sorry, The Heron is closed on Friday 4 December at 19:00.",
        "full": "Sorry, The Heron is fully booked on Friday 4 December at 19:00.",
        "too many": "Sorry, The Heron cannot take groups of more than 12 people.",
    }
    true = [other for other, text in told.items() if not faults(text, asked, {"place": INN, "refusal": why})]

    assert true == [why]


def test_every_figure_is_read_with_what_it_counts():
    read = read_text("From $12 on 3 May at 7:30 pm, 4.5 stars, 2 guests, 9 minutes; 8.", (), (), ())
    kinds = AtomKind

    assert [one.atom for one in read.atoms] == [
        Atom(kinds.MONEY, "12"),
        Atom(kinds.DATE, "03-05"),
        Atom(kinds.CLOCK, "19:30"),
        Atom(kinds.RATING, "4.5"),
        Atom(kinds.PEOPLE, "2"),
        Atom(kinds.WALK, "9"),
        Atom(kinds.NUMBER, "8"),
    ]
