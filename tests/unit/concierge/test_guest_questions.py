"""What a guest asks, turn by turn: two things at once, which of several, what nobody noted, and in which language."""

import pytest

from apps.concierge.requests import request
from tests.unit.concierge.test_guest_orders import Guest

HOTELS = request("find", service="hotel", feature="pool")
POOLS = ["willow-bank-hotel", "hotel-meridiel", "arbour-court"]
ORO = request("book", place="oro-e-sale", day="2026-12-04", time="19:00", people=3)


@pytest.fixture
def guest(catalogue) -> Guest:
    return Guest()


def ask(place, aspect, **slots):
    return request("ask", place=place, aspect=aspect, **slots)


def compare(places, aspect, **slots):
    return request("compare", places=places, aspect=aspect, **slots)


async def test_two_questions_in_one_message_are_both_answered_in_their_order(guest):
    await guest.says("tell me about River Gallery")

    assert await guest.says("when is it open and how much is it?") == ask("river-gallery", "hours", also="price")
    assert (
        guest.reply
        == "River Gallery is open Tuesday to Sunday from 10:00 to 19:00. River Gallery costs $15 per ticket."
    )


async def test_of_two_questions_each_has_its_own_day_or_feature(guest):
    await guest.says("tell me about River Gallery")

    asked = await guest.says("is it open on monday? and does it have a cafe?")

    assert asked == ask("river-gallery", "hours", also="feature", day="mon", feature="cafe")
    assert guest.reply == "No, River Gallery is closed on Monday. Yes, River Gallery offers cafe."


async def test_a_word_of_the_places_own_name_is_no_second_question(guest):
    assert await guest.says("when does Lotus Lamp Spa open and how much is it?") == ask(
        "lotus-lamp-spa", "hours", also="price"
    )


async def test_a_booking_beside_a_question_is_not_answered_with_two_facts(guest):
    await guest.says("tell me about River Gallery")

    assert "also" not in await guest.says("how much is it and book it for sunday", "ask price")


async def test_a_further_place_is_asked_the_same(guest):
    await guest.picks(HOTELS)
    await guest.says("what does the second one cost?")

    assert await guest.says("and the third?") == ask("arbour-court", "price")


@pytest.mark.parametrize(
    ("text", "aspect", "order", "first"),
    [
        ("which of them is the cheapest?", "price", "price", "Arbour Court"),
        ("which one is the most expensive?", "price", "-price", "Willow Bank Hotel"),
        ("which one is better rated?", "rating", "-rating", "Willow Bank Hotel"),
        ("which is the biggest?", "capacity", "-capacity", "Willow Bank Hotel"),
    ],
)
async def test_those_shown_are_compared_and_the_one_asked_for_is_told_first(guest, text, aspect, order, first):
    await guest.picks(HOTELS)

    assert await guest.says(text) == compare(POOLS, aspect, order=order)
    assert guest.reply.startswith(first)
    assert guest.labels[-2] == f"Book {first}"


async def test_two_places_named_are_compared(guest):
    two = ["the-wick-inn", "the-bead-box"]

    asked = await guest.says("is the wick inn more expensive than the bead box?")

    assert asked == compare(two, "price", order="-price")
    assert guest.reply == "The Wick Inn costs $85 per night. The Bead Box costs $78 per night."


async def test_a_place_named_is_compared_with_the_one_talked_about(guest):
    await guest.says("tell me about River Gallery")

    asked = await guest.says("is the museum of tides cheaper?")

    assert asked == compare(["museum-of-tides", "river-gallery"], "price", order="price")


async def test_a_wish_for_something_cheaper_than_a_place_is_no_comparison(guest):
    await guest.says("tell me about River Gallery")

    assert (await guest.says("show me something cheaper than the museum of tides", "others"))["op"] == "find"


async def test_which_of_two_is_open_or_has_a_feature_is_said_of_both(guest):
    await guest.says("compare the wick inn and heron lodge")

    assert await guest.says("which one has parking?") == compare(
        ["the-wick-inn", "heron-lodge"], "feature", feature="parking"
    )
    assert guest.reply == "No, The Wick Inn does not offer parking. Yes, Heron Lodge offers parking."


async def test_the_cheaper_one_of_those_shown_is_a_place(guest):
    await guest.picks(HOTELS)

    assert await guest.says("book the cheapest one for friday at 4pm") == request(
        "book", place="arbour-court", day="2026-12-04", time="16:00", people=2
    )


async def test_the_cheaper_one_is_still_known_after_an_aside(guest):
    await guest.picks(HOTELS)
    await guest.says("thanks")

    assert await guest.says("how much is the cheaper one?") == ask("arbour-court", "price")


async def test_the_cheapest_of_all_is_one_place_with_its_price(guest):
    assert await guest.says("which is the cheapest hotel?") == request(
        "find", service="hotel", best=True, order="price"
    )
    assert guest.reply == "Fernbank Hostel in North Gardens is a good hostel. Fernbank Hostel costs $38 per night."

    assert await guest.says("cheapest hotels") == request("find", service="hotel", price="cheap")


async def test_what_is_free_costs_nothing(guest):
    await guest.says("any free events?", "find event")

    assert guest.context["request"] == request("find", service="event", price="free")
    assert "Riverlight Parade and Anchor Row Market" in guest.reply


@pytest.mark.parametrize("label", ["ask overview", "ask rating", "unclear", "outside"])
async def test_what_no_record_tells_is_said_to_be_unknown_with_a_number_to_call(guest, label):
    await guest.says("tell me about Brine House")

    assert await guest.says("is there a dress code?", label) == ask("brine-house", "unknown")
    assert guest.reply == "I am sorry, I do not know that about Brine House. You can ask there on 555-0101."


async def test_a_question_that_nobody_can_answer_keeps_the_order_that_waits(guest):
    await guest.picks(ORO)
    await guest.says("do they allow birthday speeches?", "unclear")

    assert await guest.says("yes") == ORO


async def test_an_opinion_is_still_a_rating(guest):
    await guest.says("tell me about Brine House")

    assert await guest.says("how is the food?", "ask rating") == ask("brine-house", "rating")


@pytest.mark.parametrize(
    "text",
    [
        "Ich suche ein Restaurant mit Terrasse",
        "¿Dónde puedo comer esta noche?",
        "Je cherche une chambre pour demain",
        "Vorrei un tavolo per domani sera",
        "レストランはありますか",
        "do you speak any other languages?",
    ],
)
async def test_another_language_is_answered_with_what_is_spoken_here(guest, text):
    assert await guest.says(text) == request("outside", about="language")
    assert guest.reply.startswith("I am sorry, I speak only English. I can help with restaurants")


@pytest.mark.parametrize(
    "text", ["table at oro e sale for 2", "merci", "trattoria ginestra per favor", "pizza al fresco"]
)
async def test_a_foreign_name_or_word_is_english_enough(guest, text):
    assert (await guest.says(text, "thanks")).get("about") != "language"


@pytest.mark.parametrize("text", ["is there a casino?", "where can I rent a car?", "a supermarket near my hotel"])
async def test_what_a_city_has_and_the_house_has_not_is_said_to_be_outside(guest, text):
    assert await guest.says(text) == request("outside")


async def test_a_wish_goes_on_with_the_search_whose_places_can_have_it(guest):
    await guest.picks(request("find", service="hotel", price="moderate"))

    asked = await guest.says("with breakfast please", "find restaurant")

    assert asked == request("find", service="hotel", price="moderate", feature="breakfast")


async def test_a_feature_that_only_others_have_is_looked_for_there(guest):
    assert (await guest.says("what about a swimming pool?", "find spa"))["service"] == "hotel"


async def test_open_today_after_a_list_is_a_wish_about_the_list(guest):
    await guest.picks(request("find", service="museum"))

    assert await guest.says("open today", "find") == request("find", service="museum", day="mon")


async def test_another_than_the_one_named_is_shown_without_it(guest):
    await guest.picks(request("find", service="museum"))

    assert "museum-of-tides" in (await guest.says("not the museum of tides, another one", "others"))["skip"]


async def test_a_way_without_a_place_to_go_is_a_wish_for_a_ride(guest):
    assert await guest.says("how do i get across town?", "ask directions") == request("find", service="ride")


async def test_a_place_that_is_named_is_not_searched_for(guest):
    assert await guest.says("i want trattoria ginestra i think", "find restaurant") == ask(
        "trattoria-ginestra", "overview"
    )


@pytest.mark.parametrize(
    ("text", "place"), [("the latter: when is it open?", "hotel-meridiel"), ("and the former?", "willow-bank-hotel")]
)
async def test_the_former_and_the_latter_are_of_those_shown(guest, text, place):
    await guest.picks(request("find", service="hotel", kind="grand hotel"))

    assert (await guest.says(text, "ask hours"))["place"] == place


async def test_two_words_of_a_name_that_no_other_name_has_so_are_that_place(guest):
    assert (await guest.says("when is the paper moon on", "ask hours"))["place"] == "the-paper-moon-play"


async def test_a_meal_is_no_wish_for_the_feature_of_hotels(guest):
    assert await guest.says("breakfast somewhere?", "find restaurant") == request("find", service="restaurant")


@pytest.mark.parametrize(
    ("text", "place"), [("is the ferry open today", "heron-ferry"), ("when is the cinema open", "garden-film-club")]
)
async def test_the_only_one_of_its_kind_is_that_place(guest, text, place):
    assert (await guest.says(text, "ask hours"))["place"] == place


async def test_two_kinds_of_which_there_is_one_each_are_compared(guest):
    await guest.says("is the ferry cheaper than the water taxi")

    assert guest.reply == "Heron Ferry costs $6 per ride. Skiff Water Taxi costs $15 per ride."


async def test_one_of_those_shown_is_meant_by_its_sort(guest):
    await guest.picks(request("find", service="event", day="tue"))

    assert (await guest.says("the tour. how much is it", "ask price"))["place"] == "lantern-walk"


async def test_the_name_of_the_city_names_no_place(guest):
    assert (await guest.says("the best rated thing in velmora", "find"))["op"] == "find"


async def test_a_feature_asked_for_after_a_question_is_of_the_same_place(guest):
    await guest.says("what does Willow Bank Hotel cost?")

    assert await guest.says("with wifi?", "find") == ask("willow-bank-hotel", "feature", feature="wifi")
    assert await guest.says("what about breakfast", "find restaurant") == ask(
        "willow-bank-hotel", "feature", feature="breakfast"
    )
