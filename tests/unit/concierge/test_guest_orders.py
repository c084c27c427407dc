"""What a guest says of bookings, turn by turn: nothing else is booked, changed or cancelled than was said."""

from dataclasses import dataclass, field

import pytest

from apps.concierge.booking import MOST_PEOPLE
from apps.concierge.models import Booking
from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from apps.concierge.understand.people import nobody_in, people_added, people_in
from tests.unit.concierge.conftest import SayingEngine, asker, typed, walk

SUNDAY, FRIDAY, THURSDAY = "2026-12-06", "2026-12-04", "2026-12-03"
ORO = request("book", place="oro-e-sale", day=FRIDAY, time="19:00", people=3)
HILLTOP = request("book", place="hilltop-table", day=THURSDAY, time="19:00", people=2)
FILM = request("book", place="garden-film-club", day=FRIDAY, time="21:00", people=2)


@dataclass
class Guest:
    """A guest in a conversation. Where rules leave a message to the model, `label` is what it says."""

    context: dict = field(default_factory=dict)
    turns: int = 0

    async def picks(self, payload):
        return await self._walked(PROGRAM.pick_turn(payload, self.context, self._asker()), "unclear")

    async def says(self, text, label="unclear"):
        return await self._walked(await typed(text, self.context, self._asker()), label)

    async def books(self, order):
        """Goes all the way, and gives the reference."""
        await self.picks(order)
        await self.says("yes")
        return self.context["ref"]

    def _asker(self):
        self.turns += 1
        return asker(operation=f"op-{self.turns}")

    async def _walked(self, turn, label):
        """The request that the turn came to."""
        outputs = (await walk(turn, SayingEngine(f'"{label}"'))).outputs
        finished = PROGRAM.finish(turn, outputs)
        self.context = dict(finished.context)
        self.reply, self.labels = finished.reply, [action.label for action in finished.actions]
        return self.context["request"]


@pytest.fixture
def guest(catalogue) -> Guest:
    return Guest()


async def test_a_cancellation_that_names_another_place_shows_the_bookings_and_a_yes_cancels_none(guest):
    await guest.books(FILM)

    assert await guest.says("cancel my table at hilltop table", "cancel") == request("bookings")
    await guest.says("yes", "yes")

    assert await Booking.objects.filter(status=Booking.Status.CONFIRMED).acount() == 1


async def test_a_cancellation_that_names_a_sort_of_place_is_of_no_other_sort(guest):
    await guest.books(FILM)

    assert await guest.says("cancel the restaurant", "cancel") == request("bookings")


async def test_a_change_that_names_another_place_shows_the_bookings(guest):
    await guest.books(FILM)

    assert await guest.says("change my booking at hilltop table to 20:00", "change") == request("bookings")


async def test_of_three_bookings_at_one_place_none_is_cancelled_for_another_place(guest):
    for time in ("18:00", "19:00", "20:00"):
        await guest.books({**ORO, "time": time})
    await guest.picks(request("bookings"))

    assert await guest.says("cancel hilltop table", "cancel") == request("bookings")


async def test_a_booking_made_earlier_is_cancelled_by_its_place(guest):
    hilltop = await guest.books(HILLTOP)
    await guest.books(FILM)

    assert await guest.says("cancel hilltop table", "cancel") == request("cancel", ref=hilltop)


async def test_of_the_bookings_listed_the_one_named_is_meant_and_without_a_name_none_is_guessed(guest):
    await guest.books(HILLTOP)
    film = await guest.books(FILM)
    await guest.picks(request("bookings"))

    assert await guest.says("cancel it", "cancel") == request("bookings")
    assert await guest.says("cancel garden film club", "cancel") == request("cancel", ref=film)


async def test_a_cancellation_that_names_a_day_is_of_the_booking_on_that_day(guest):
    hilltop = await guest.books(HILLTOP)
    await guest.books(FILM)

    assert await guest.says("cancel my booking on thursday", "cancel") == request("cancel", ref=hilltop)
    assert await guest.says("cancel my booking on saturday", "cancel") == request("bookings")


async def test_the_other_booking_is_the_other_one_and_both_are_none(guest):
    hilltop = await guest.books(HILLTOP)
    await guest.books(FILM)

    assert await guest.says("cancel the other one", "cancel") == request("cancel", ref=hilltop)
    assert await guest.says("cancel both", "cancel") == request("bookings")


async def test_of_the_bookings_listed_one_is_meant_by_its_order(guest):
    await guest.books(HILLTOP)
    await guest.books(FILM)
    await guest.picks(request("bookings"))
    listed = [row["ref"] for row in guest.context["booked"]]

    assert await guest.says("cancel the second one", "cancel") == request("cancel", ref=listed[1])


async def test_a_waiting_order_is_not_dropped_when_a_booking_elsewhere_is_called_off(guest):
    film = await guest.books(FILM)
    await guest.picks(HILLTOP)

    assert await guest.says("cancel garden film club", "cancel") == request("cancel", ref=film)


@pytest.mark.parametrize(
    ("text", "people"),
    [("and for one person less", 2), ("bring 2 more people", 5), ("one more", 4), ("one less", 2), ("one fewer", 2)],
)
async def test_more_and_fewer_people_are_counted_from_those_who_come_already(guest, text, people):
    ref = await guest.books(ORO)
    assert (await guest.says(text, "change")) == request("change", ref=ref, people=people)

    guest.context = {}
    await guest.picks({**ORO, "time": "20:00"})
    assert (await guest.says(text, "change")) == {**ORO, "time": "20:00", "people": people}


async def test_one_more_than_an_unknown_number_is_asked_about(guest):
    guest.context = {"ref": "VB234567", "request": request("chat", about="thanks")}

    assert await guest.says("make it one more person", "change") == request("change", ref="VB234567")


@pytest.mark.parametrize(
    ("text", "added"),
    [("2 people", 0), ("one more person", 1), ("a person less", -1), ("add 3 people", 3), ("less than 4 people", 0)],
)
def test_a_sum_is_told_from_a_number(text, added):
    assert people_added(text) == added


@pytest.mark.parametrize("text", ["one more restaurant", "book one more", "show me 2 more", "more people like it"])
def test_more_of_something_else_is_no_number_of_people(text):
    assert (people_added(text), people_in(text)) == (0, 0)


async def test_what_is_offered_for_a_day_is_on_that_day_and_a_yes_takes_it(guest):
    await guest.picks(request("book", place="oro-e-sale", day=SUNDAY))
    assert guest.labels[0] == "Book Oro e Sale for 2 people on Sunday at 19:00"

    assert await guest.says("ok yes", "yes") == {**ORO, "day": SUNDAY, "people": 2}


async def test_a_yes_with_a_number_keeps_the_day_asked_for(guest):
    await guest.picks(request("book", place="oro-e-sale", day=SUNDAY))

    assert await guest.says("yes, but 3 people", "yes") == request("book", place="oro-e-sale", day=SUNDAY, people=3)


async def test_a_yes_with_another_number_states_the_order_with_it(guest):
    await guest.picks(ORO)

    assert await guest.says("yes but for 4 people", "yes") == {**ORO, "people": 4}


async def test_what_is_offered_for_a_time_is_at_that_time(guest):
    await guest.picks(request("book", place="hilltop-table", time="21:00"))

    assert guest.labels[0] == "Book Hilltop Table for 2 people on Thursday at 21:00"


async def test_an_order_that_is_moved_to_an_hour_keeps_its_day_and_number(guest):
    await guest.picks(HILLTOP)

    assert await guest.says("shift it to nine", "change") == {**HILLTOP, "time": "21:00"}


async def test_no_order_for_nobody_keeps_the_number_said_before(guest):
    await guest.picks({**ORO, "people": 40})
    assert f"{MOST_PEOPLE}" in guest.reply

    asked = await guest.says("for 0 people", "book")
    assert asked == request("book", place="oro-e-sale", day=FRIDAY, time="19:00")
    assert [nobody_in(text) for text in ("for 0 people", "for 10 people")] == [True, False]


@pytest.mark.parametrize("text", ["book it yesterday at noon for 2", "book it last friday at noon for 2"])
async def test_a_day_that_has_passed_leaves_no_other_day_in_its_place(guest, text):
    await guest.picks(ORO)

    assert await guest.says(text, "book") == request("book", place="oro-e-sale", time="12:00", people=2)


async def test_a_booking_is_not_changed_to_a_day_that_has_passed(guest):
    ref = await guest.books(ORO)

    assert await guest.says("move it to yesterday at noon", "change") == request("change", ref=ref)


ASIDES = [("hmm", "unclear"), ("how much is it there?", "ask price"), ("thanks", "thanks"), ("a joke", "outside")]


@pytest.mark.parametrize(("aside", "label"), ASIDES)
@pytest.mark.parametrize("yes", ["yes", "book it then", "ok book", "yes please"])
async def test_a_waiting_order_is_stated_again_by_a_yes_after_an_aside_and_only_then_carried_out(
    guest, aside, label, yes
):
    await guest.picks(HILLTOP)
    await guest.says(aside, label)

    assert await guest.says(yes, "yes") == HILLTOP
    assert await Booking.objects.acount() == 0
    assert (await guest.says("yes"))["op"] == "commit"


@pytest.mark.parametrize("op", ["change", "cancel"])
async def test_a_waiting_change_and_a_waiting_cancellation_survive_a_question_about_the_place(guest, op):
    ref = await guest.books(ORO)
    waiting = request(op, ref=ref, **({"people": 5} if op == "change" else {}))
    await guest.picks(waiting)
    await guest.says("how much is it there?", "ask price")

    assert await guest.says("yes", "yes") == waiting


async def test_a_waiting_order_is_changed_after_an_aside(guest):
    await guest.picks(HILLTOP)
    await guest.says("hmm", "unclear")

    assert await guest.says("make it 4 people", "change") == {**HILLTOP, "people": 4}


@pytest.mark.parametrize(
    ("text", "label"), [("no", "no"), ("museums", "find museum"), ("when is Brine House open?", "ask hours")]
)
async def test_a_waiting_order_ends_with_a_no_a_search_or_another_place(guest, text, label):
    await guest.picks(HILLTOP)
    await guest.says(text, label)
    await guest.says("hmm", "unclear")

    assert await guest.says("yes", "yes") == request("menu")


async def test_a_question_about_the_place_of_a_waiting_order_stays_a_question(guest):
    await guest.picks(HILLTOP)
    await guest.says("is it open on friday?", "ask hours")

    assert (await guest.says("and on sunday?", "ask hours"))["op"] == "ask"


@pytest.mark.parametrize(("aside", "label"), [("hmm", "unclear"), ("thanks", "thanks"), ("a joke", "outside")])
async def test_the_place_and_the_booking_stay_through_small_talk(guest, aside, label):
    ref = await guest.books(ORO)
    await guest.says(aside, label)

    assert (guest.context["focus"]["slug"], guest.context["ref"]) == ("oro-e-sale", ref)
    assert await guest.says("cancel it", "cancel") == request("cancel", ref=ref)


async def test_the_booking_stays_when_its_change_is_not_wanted(guest):
    ref = await guest.books(ORO)
    await guest.picks(request("change", ref=ref, people=5))
    await guest.says("no", "no")

    assert await guest.says("cancel it", "cancel") == request("cancel", ref=ref)


@pytest.mark.parametrize("label", ["book", "change", "no"])
async def test_a_correction_right_after_booking_changes_that_booking(guest, label):
    ref = await guest.books(ORO)

    assert await guest.says("no wait, i meant 2 people", label) == request("change", ref=ref, people=2)


async def test_another_booking_right_after_one_is_another(guest):
    await guest.books(ORO)

    asked = await guest.says("book another table there for 5 people", "book")
    assert asked == request("book", place="oro-e-sale", people=5)


async def test_a_cancelled_booking_is_no_longer_the_one_meant(guest):
    ref = await guest.books(ORO)
    await guest.picks(request("cancel", ref=ref))
    await guest.says("yes")

    assert "booked" not in guest.context
