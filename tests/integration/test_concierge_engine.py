"""A short dialogue with the real embedded engine: true words whatever the model does, and the same words again."""

from collections.abc import Iterator

import pytest

from apps.concierge.catalogue import seed_places
from apps.concierge.facts import sheet
from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from apps.engines.factory import make_engine
from apps.runtime.engine_process import EmbeddedEngineProcess, Target
from tests.unit.concierge.conftest import asker, catalogue, typed, walk, writes

__all__ = ["catalogue", "writes"]


@pytest.fixture(scope="module")
def embedded() -> Iterator[Target]:
    with EmbeddedEngineProcess() as target:
        yield target


@pytest.fixture
async def engine(embedded):
    engine = make_engine(embedded.kind, embedded.url, embedded.model)
    yield engine
    await engine.aclose()


async def test_a_dialogue_from_greeting_to_booking(catalogue, engine):
    turn, context, replies = PROGRAM.start_turn(asker()), {}, []
    said = [
        "Italian food in Riverside",
        "is it open on sunday?",
        "does it have parking?",
        "book it on friday at 8 for 3",
        "yes",
        "something odd about nothing",
    ]
    for number, text in enumerate([None, *said]):
        if text is not None:
            turn = await typed(text, context, asker(operation=f"op-{number}"))
        walked = await walk(turn, engine)
        finished = PROGRAM.finish(turn, walked.outputs)
        context = finished.context
        replies.append(finished.reply)
        spoken = walked.outputs.get("reply") or walked.outputs.get("confirm")
        assert spoken is None or "".join(walked.emitted) == spoken["text"]

    assert "Oro e Sale" in replies[1]
    assert replies[2].startswith("Yes")
    assert all(value in replies[2] for value in ("Sunday", "12:00", "22:30"))
    assert replies[3].startswith("No")
    assert "parking" in replies[3]
    assert "3 people on Friday 4 December at 20:00" in replies[4]
    assert "VB" in replies[5]
    assert replies[6]


async def test_the_model_says_most_facts_itself_and_every_reply_is_true_and_repeatable(catalogue, engine):
    places = seed_places()
    asked = [
        request("ask", place=places[n * 5].slug, aspect=aspect)
        for n, aspect in enumerate(
            ["price", "address", "rating", "phone", "capacity", "hours", "directions", "features"]
        )
    ]
    fallbacks = 0
    for payload in asked:
        turn = PROGRAM.pick_turn(payload, {}, asker())
        walked, again = await walk(turn, engine), await walk(turn, engine)
        spoken = walked.outputs["reply"]
        assert spoken == again.outputs["reply"]
        for fact in sheet(payload, walked.outputs["lookup"]).facts:
            assert all(value in spoken["text"] for value in fact.values)
        fallbacks += spoken["fallback"]
    assert fallbacks <= 1
