"""An order under way: it is corrected, goes to another place and waits through questions, as the guest says."""

import pytest

from apps.concierge.models import Booking
from apps.concierge.requests import request
from tests.unit.concierge.test_guest_orders import Guest

ORO = request("book", place="oro-e-sale", day="2026-12-04", time="19:00", people=3)


@pytest.fixture
def guest(catalogue) -> Guest:
    return Guest()


def ask(place, aspect, **slots):
    return request("ask", place=place, aspect=aspect, **slots)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("no sorry, i meant saturday", {"day": "2026-12-05"}),
        ("oh no, we are only two", {"people": 2}),
        ("and 8pm rather than 7", {"time": "20:00"}),
        ("wait, make it 5 people", {"people": 5}),
    ],
)
@pytest.mark.parametrize("label", ["no", "book", "change"])
async def test_a_correction_is_done_to_the_order_that_waits(guest, text, slots, label):
    await guest.picks(ORO)

    assert await guest.says(text, label) == {**ORO, **slots}


async def test_a_plain_no_still_drops_the_order(guest):
    await guest.picks(ORO)

    assert await guest.says("no thanks") == request("drop", place="oro-e-sale")
    assert await Booking.objects.acount() == 0


async def test_a_time_and_a_number_alone_are_for_the_place_just_asked_about(guest):
    await guest.says("tell me about Lotus Lamp Spa")

    assert await guest.says("3pm, just me", "find") == request("book", place="lotus-lamp-spa", time="15:00", people=1)


async def test_a_time_without_a_day_is_of_the_day_searched_for(guest):
    await guest.picks(request("find", service="restaurant", day="sat"))

    assert await guest.says("something open after 10pm", "find") == request(
        "find", service="restaurant", day="sat", time="22:00"
    )


async def test_a_child_counts_with_the_adults(guest):
    asked = await guest.says("the bead box for 2 adults and a child on friday at 4pm", "book")

    assert asked["people"] == 3


async def test_nine_not_eight_is_the_hour_of_the_order_and_four_not_three_its_people(guest):
    await guest.picks({**ORO, "time": "20:00"})

    assert (await guest.says("i said 9 not 8", "no"))["time"] == "21:00"
    assert (await guest.says("and four not three", "change"))["people"] == 4


async def test_an_hour_that_may_be_either_is_the_one_nearer_to_the_order(guest):
    await guest.picks(ORO)

    assert (await guest.says("can you make that 8:30", "change"))["time"] == "20:30"

    await guest.picks(request("book", place="pedal-velmora", day="2026-12-04", time="10:00", people=2))
    assert (await guest.says("make it 9:30 instead", "change"))["time"] == "09:30"


async def test_an_order_goes_to_another_place_of_its_sort_with_all_that_was_said(guest):
    await guest.picks(ORO)

    assert await guest.says("wrong restaurant, i meant trattoria ginestra", "find restaurant") == {
        **ORO,
        "place": "trattoria-ginestra",
    }


async def test_a_feature_asked_for_while_an_order_waits_is_that_of_its_place(guest):
    await guest.picks(request("book", place="lotus-lamp-spa", day="2026-12-05", time="15:00", people=1))

    assert await guest.says("do i need to bring a towel?", "find spa") == ask(
        "lotus-lamp-spa", "feature", feature="towels included"
    )


async def test_the_day_searched_for_is_that_of_the_booking(guest):
    await guest.picks(request("find", service="ride", kind="bike hire", day="wed"))

    assert (await guest.says("10 o'clock, two adults", "book"))["day"] == "2026-12-02"


async def test_whether_to_book_at_all_is_no_booking(guest):
    await guest.says("tell me about Taqueria Sol")

    assert await guest.says("do i have to reserve") == ask("taqueria-sol", "unknown")


@pytest.mark.parametrize("label", ["ask hours", "ask price", "find", "unclear", "others"])
async def test_a_day_said_without_a_question_is_for_the_order_that_waits(guest, label):
    await guest.picks(ORO)

    assert await guest.says("sorry, friday doesn't work, saturday", label) == {**ORO, "day": "2026-12-05"}


async def test_a_day_and_a_time_without_a_question_are_for_the_place_just_asked_about(guest):
    await guest.says("tell me about Harbour Pan")

    asked = await guest.says("7pm on saturday", "ask hours")

    assert asked == request("book", place="harbour-pan", day="2026-12-05", time="19:00", people=2)


async def test_a_number_before_a_place_is_of_the_people_and_one_beside_them_the_hour(guest):
    assert (await guest.says("7 at oro e sale, saturday 8pm", "book"))["people"] == 7
    assert (await guest.says("book it for 9, two people", "book"))["time"] == "21:00"


async def test_a_time_after_a_question_about_a_day_is_of_that_day(guest):
    await guest.says("is Heron Yoga Deck open tomorrow?")

    assert await guest.says("at 8am?", "ask hours") == ask("heron-yoga-deck", "hours", day="tue", time="08:00")
