"""The evaluation's client against a server that speaks the chat's wire."""

import pytest

from apps.evaluation.arms import Limits, play
from apps.evaluation.played import Outcome
from apps.evaluation.schedule import Script, Step
from apps.evaluation.site import ChatUnreachable
from apps.serving.config import Mode
from tests.integration.evaluation_fake_chat import FakeChat, running

SCRIPTS = (
    Script((Step("pick", 0.0, "", 0.01), Step("pick", 0.5, "", 0.01), Step("text", 0.9, "a hotel", 0.01))),
    Script((Step("pick", 0.99, "", 0.01),)),
)
LIMITS = Limits(answer_s=5.0, resume_s=3.0)


def quiet(turn) -> None:
    pass


async def played(chat: FakeChat, mode: Mode = Mode.C2, limits: Limits = LIMITS):
    return await play(chat.url, mode, SCRIPTS, limits, quiet)


async def test_every_step_is_played_and_answered_in_order():
    with running(FakeChat()) as chat:
        result = await played(chat)
    assert [turn.asked for turn in result.turns] == ["Casa Luma", "Harbour Inn", "a hotel", "Something else"]
    assert result.turns[0].reply == "You asked for Casa Luma."
    assert all(turn.answered and turn.outcome is Outcome.SERVED for turn in result.turns)


async def test_latency_is_what_the_client_waited():
    with running(FakeChat()) as chat:
        floor = await played(chat, Mode.FLOOR)
        c2 = await played(chat, Mode.C2)
    assert all(turn.first_ms >= 80 and turn.complete_ms >= turn.first_ms for turn in floor.turns)
    assert max(turn.complete_ms for turn in c2.turns) < 80


async def test_fills_shown_while_the_user_thinks_are_taken_in():
    with running(FakeChat()) as chat:
        result = await played(chat)
    assert {fill.engine_ms for fill in result.fills} == {40.0}


async def test_the_offer_picked_from_and_the_head_are_the_ones_shown():
    with running(FakeChat()) as chat:
        await played(chat)
    picks = [frame for frame in chat.received if frame["type"] == "pick"]
    assert [(pick["head"], pick["offer"], pick["action"]) for pick in picks] == [
        ("c0-t0", "c0-t0-o", 0),
        ("c0-t1", "c0-t1-o", 1),
        ("c1-t0", "c1-t0-o", 2),
    ]
    assert len({pick["key"] for pick in picks}) == 3


async def test_a_restart_in_the_middle_of_a_turn_loses_nothing_and_runs_nothing_twice():
    with running(FakeChat(restart_at=2)) as chat:
        result = await played(chat)
    assert [turn.state for turn in result.turns] == ["done"] * 4
    assert result.turns[1].reply == "You asked for Harbour Inn."
    assert (result.turns[1].resumes, result.turns[0].resumes) == (1, 0)
    assert result.turns[1].first_ms >= 300  # the text before the restart was void
    assert chat.commands == 4
    hellos = [frame for frame in chat.received if frame["type"] == "hello" and frame["epoch"]]
    assert len(hellos) == 1


async def test_a_pick_without_an_ack_is_sent_again_under_its_key():
    with running(FakeChat(restart_at=2)) as chat:
        await played(chat)
    second = [frame["key"] for frame in chat.received if frame["type"] == "pick" and frame["head"] == "c0-t1"]
    assert len(second) == 2
    assert len(set(second)) == 1


async def test_a_turn_that_is_never_answered_is_recorded_as_such():
    with running(FakeChat(silent=True)) as chat:
        result = await played(chat, limits=Limits(answer_s=0.3, resume_s=1.0))
    assert [turn.state for turn in result.turns] == ["unanswered"] * 4
    assert result.turns[0].complete_ms is None


async def test_no_product_at_the_address_is_said_with_the_address(port):
    with pytest.raises(ChatUnreachable, match=f"127.0.0.1:{port}"):
        await play(f"http://127.0.0.1:{port}", Mode.C2, SCRIPTS, LIMITS, quiet)


async def test_a_product_that_does_not_let_clients_choose_the_mode_is_told_apart():
    with running(FakeChat(refuses=400)) as chat, pytest.raises(ChatUnreachable, match="DYNBRANCH_MODE_CHOICE=1"):
        await played(chat)
