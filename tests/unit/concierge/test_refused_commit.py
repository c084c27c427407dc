"""A booking that the place cannot take any more, at the moment when it is agreed to."""

import pytest
from channels.db import database_sync_to_async

from apps.concierge import services
from apps.concierge.models import Place
from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from tests.unit.concierge.conftest import asker, walk

ORDER = {"do": "book", "place": "brine-house", "day": "2026-12-03", "time": "19:00", "people": 2}


def edit(**attributes):
    place = Place.objects.get(slug="brine-house")
    for name, value in attributes.items():
        setattr(place, name, value)
    services.save_place(place)


@pytest.mark.parametrize(
    ("edited", "said"), [({"capacity": 1}, "fully booked"), ({"hours": {"mon": ["10:00", "11:00"]}}, "closed")]
)
async def test_the_turn_says_why_offers_what_is_next_and_keeps_the_place_in_mind(catalogue, edited, said):
    await database_sync_to_async(edit)(**edited)
    turn = PROGRAM.pick_turn(request("commit", order=ORDER), {}, asker())
    walked = await walk(turn)
    finished = PROGRAM.finish(turn, walked.outputs)

    assert said in finished.reply
    assert finished.actions
    assert finished.context["focus"]["slug"] == "brine-house"
