"""Only checked sentences are emitted; the first that fails ends the model's part and closes its stream."""

import pytest

from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from apps.concierge.sentences import Sentences
from apps.engines.base import EngineUnreachable
from tests.unit.concierge.conftest import SayingEngine, asker, walk

PLAIN = "Brine House costs $42 per person."


async def price(engine):
    turn = PROGRAM.pick_turn(request("ask", place="brine-house", aspect="price"), {}, asker())
    walked = await walk(turn, engine)
    return walked, walked.outputs["reply"]


async def test_a_true_sentence_is_shown_as_the_model_said_it(catalogue):
    walked, reply = await price(SayingEngine("The lovely Brine House costs $42 per person!"))

    assert reply == {"text": "The lovely Brine House costs $42 per person!", "fallback": False}
    assert "".join(walked.emitted) == reply["text"]


@pytest.mark.parametrize(
    "said",
    [
        "Brine House costs $24 per person.",
        "Brine House is a Michelin-starred restaurant in Paris. It costs $42 per person.",
        "",
        "I hope you enjoy your visit! I hope you enjoy your stay!",
        "Brine House costs $42",
    ],
)
async def test_a_false_or_missing_sentence_gives_way_to_the_plain_one(catalogue, said):
    walked, reply = await price(SayingEngine(said))

    assert reply["fallback"]
    assert reply["text"].endswith(PLAIN)
    assert "".join(walked.emitted) == reply["text"]
    assert "24" not in reply["text"]
    assert "Paris" not in reply["text"]


async def test_a_failing_stream_is_closed_at_once(catalogue):
    engine = SayingEngine("Brine House is a Michelin-starred restaurant. " + "It is in Paris. " * 50)

    await price(engine)

    assert engine.closed_early == 1


async def test_nothing_after_the_facts_were_said_can_add_to_them(catalogue):
    _, reply = await price(SayingEngine(f"{PLAIN} It is in Paris and costs $9."))

    assert reply == {"text": PLAIN, "fallback": False}


async def test_an_engine_that_breaks_raises_and_gives_no_result(catalogue):
    class Broken(SayingEngine):
        async def stream(self, request):
            raise EngineUnreachable("no engine")
            yield

    with pytest.raises(EngineUnreachable):
        await price(Broken())


async def test_a_confirmation_asks_before_anything_is_done(catalogue):
    asked = request("book", place="brine-house", day="2026-12-03", time="19:00", people=2)
    walked = await walk(PROGRAM.pick_turn(asked, {}, asker()))

    assert walked.outputs["confirm"]["text"] == (
        "I will book a table at Brine House for 2 people on Thursday 3 December at 19:00. Shall I go ahead?"
    )
    assert catalogue.begun == []


async def test_prompts_are_short(catalogue):
    engine = SayingEngine()
    await price(engine)
    body = engine.requests[0].body

    assert sum(len(m["content"]) for m in body["messages"]) < 400
    assert body["temperature"] == 0
    assert body["max_tokens"] <= 40


def test_a_stream_is_cut_into_sentences_only_at_their_ends():
    sentences = Sentences()
    pieces = ["Rated 4", ".5 out of 5. Op", "en at 19:00! ", "And the rest"]

    assert [s for piece in pieces for s in sentences.add(piece)] == ["Rated 4.5 out of 5.", "Open at 19:00!"]
    assert sentences.rest() == "And the rest."
