"""After anything, 2 to 5 distinct actions are offered, and the last is always "Something else"."""

import random

import pytest

from apps.concierge.catalogue import AREAS, SERVICES
from apps.concierge.fact_place import ASPECTS
from apps.concierge.models import Place
from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from tests.unit.concierge.conftest import asker, walk


def hold(finished):
    labels = [action.label for action in finished.actions]
    assert 2 <= len(labels) <= 5
    assert len(set(labels)) == len(labels)
    assert labels[-1] == "Something else"
    assert finished.reply


async def finish(payload):
    turn = PROGRAM.pick_turn(payload, {}, asker())
    return PROGRAM.finish(turn, (await walk(turn)).outputs)


async def test_a_greeting_offers_and_calls_no_model(catalogue):
    turn = PROGRAM.start_turn(asker())
    walked = await walk(turn)

    assert [c.stage.name for c in walked.calls] == ["offer"]
    hold(PROGRAM.finish(turn, walked.outputs))


async def test_every_service_area_and_aspect_is_followed_by_a_sound_offer(catalogue):
    for service in SERVICES:
        for area in AREAS:
            hold(await finish(request("find", service=service, area=area)))
    for number, slug in enumerate(["brine-house", "hotel-meridiel", "riverlight-parade", "skiff-water-taxi"]):
        for aspect in ASPECTS:
            hold(
                await finish(request("ask", place=slug, aspect=aspect, feature="parking", day=["", "mon"][number % 2]))
            )


@pytest.mark.parametrize("seed", range(6))
async def test_a_random_walk_through_the_offers_stays_sound(catalogue, seed):
    chance, context = random.Random(seed), {}
    turn = PROGRAM.start_turn(asker())
    for step in range(14):
        finished = PROGRAM.finish(turn, (await walk(turn)).outputs)
        hold(finished)
        context = finished.context
        action = chance.choice(finished.actions)
        turn = PROGRAM.pick_turn(action.payload, context, asker(operation=f"op-{seed}-{step}"))


async def test_a_booking_is_made_only_by_its_yes(catalogue):
    asked = request("book", place="brine-house", day="2026-12-03", time="19:00", people=2)
    finished = await finish(asked)

    assert [(a.label, a.speculable) for a in finished.actions] == [
        ("Yes, book it", False),
        ("Change the time", True),
        ("No, do not book", True),
        ("Something else", True),
    ]
    done = await finish(finished.actions[0].payload)
    assert "I have booked a table at Brine House" in done.reply
    hold(done)
    mine = await finish(request("bookings"))
    assert "Brine House" in mine.reply
    hold(mine)


async def test_times_are_offered_only_when_the_place_is_open(catalogue):
    hilltop = await finish(request("book", place="hilltop-table"))

    labels = [a.label for a in hilltop.actions]
    assert labels[0] == "Book Hilltop Table for 2 people on Thursday at 19:00"


async def test_a_place_that_is_gone_is_said_to_be_gone(catalogue):
    from channels.db import database_sync_to_async

    from apps.concierge import services

    await database_sync_to_async(lambda: services.delete_places([Place.objects.get(slug="brine-house")]))()
    finished = await finish(request("ask", place="brine-house", aspect="price"))

    assert finished.reply == "I cannot find that place any more."
    hold(finished)


async def test_a_search_that_fits_nothing_says_what_it_gave_up(catalogue):
    finished = await finish(request("find", service="hotel", feature="pool", price="cheap"))

    assert finished.reply.startswith("There are no cheap hotels with pool.")
    hold(finished)


async def test_a_lookup_says_what_it_read(catalogue):
    turn = PROGRAM.pick_turn(request("find", service="spa", area="Hillgate"), {}, asker())

    assert (await walk(turn)).reads == {"collection:spa": 1, "place:stillpoint-spa": 1}
