"""Commands over the socket: one turn for one intent, clear refusals, and nothing lost."""

import asyncio

import pytest

from apps.chat.models import Conversation, Pick, Turn
from apps.engines.base import EngineUnreachable, IncompleteAnswer
from apps.runtime.writes import WriteRefused
from tests.integration.chat.fakes import GREETING, Reply
from tests.integration.chat.page import page, wait_for

pytestmark = pytest.mark.usefixtures("runtime")


async def test_a_new_conversation_greets_and_offers_without_a_model(conversation, driver):
    async with page(conversation) as shown:
        start = shown.turns[shown.head]

    assert (start["kind"], start["state"], start["reply"]) == ("start", "done", GREETING)
    assert [a["kind"] for a in start["offer"]["actions"]] == ["speculable", "speculable", "commit"]
    assert start["offer"]["branch"] == "branch-1"
    assert driver.calls == []


async def test_a_message_is_answered_and_offers_again(conversation, driver):
    async with page(conversation) as shown:
        turn = await shown.ended(await shown.say("a table for two"))

    assert (turn["state"], turn["reply"], turn["html"]) == ("done", "Here you are.", "<p>Here you are.</p>\n")
    assert driver.calls == ["decision:understand", "understand", "reply", "offer"]
    assert driver.resolved == [("branch-1", None)]
    assert turn["timing"]["first_ms"] <= turn["timing"]["complete_ms"]
    assert [s["stage"] for s in turn["timing"]["stages"]] == ["understand", "reply", "offer"]


async def test_the_first_message_gives_the_conversation_its_title(conversation):
    async with page(conversation) as shown:
        await shown.ended(await shown.say("a  table\nfor two " + "x" * 100))
        await shown.quiet()
        title = next(e["data"]["title"] for e in shown.events if e["kind"] == "title.changed")

    assert title.startswith("a table for two x")
    assert len(title) == 60
    assert (await Conversation.objects.aget(pk=conversation)).title == title


async def test_a_pick_resolves_its_branch_before_it_runs(conversation, driver):
    driver.replies = [Reply(served=True)]
    async with page(conversation) as shown:
        turn = await shown.ended(await shown.pick(1))

    assert (turn["kind"], turn["text"], turn["action"]) == ("pick", "Find a room", 1)
    assert driver.resolved == [("branch-1", "1")]
    assert turn["timing"]["saved_ms"] == 700.0


async def test_a_reply_from_a_shadow_is_shown_in_one_event(conversation, driver):
    driver.replies = [Reply(pieces=("All ", "of ", "it."), served=True)]
    async with page(conversation) as shown:
        await shown.ended(await shown.pick(0))
        texts = [e["data"]["text"] for e in shown.events if e["kind"] == "turn.text"]

    assert texts == ["All of it."]


async def test_the_same_key_makes_one_turn_and_gets_the_same_answer(conversation):
    async with page(conversation) as shown:
        head, offer = shown.head, shown.turns[shown.head]["offer"]["id"]
        first = await shown.pick(0, head=head, offer=offer, key="once")
        await shown.ended(first)
        shown.acks.clear()
        again = await shown.pick(0, head=head, offer=offer, key="once")

    assert again == first
    assert await Turn.objects.acount() == 2


async def test_another_command_under_a_used_key_is_refused_and_no_words_are_lost_in_silence(conversation):
    async with page(conversation) as shown:
        start = shown.head
        offer = shown.turns[start]["offer"]["id"]
        said = await shown.say("hello", key="said")
        await shown.ended(said)
        again = await shown.command(type="retry", turn=said, key="again")
        await shown.ended(again)
        edited = await shown.command(type="edit", turn=said, text="hi", key="edited")
        await shown.ended(edited)
        picked = await shown.pick(0, offer=offer, fork=True, key="picked")
        await shown.ended(picked)
        shown.acks.clear()

        same = [
            {"type": "say", "head": start, "text": "hello", "key": "said"},
            {"type": "retry", "turn": said, "key": "again"},
            {"type": "edit", "turn": said, "text": "hi", "key": "edited"},
            {"type": "pick", "head": start, "offer": offer, "action": 0, "fork": True, "key": "picked"},
        ]
        other = [
            {"type": "say", "head": start, "text": "other words", "key": "said"},
            {"type": "edit", "turn": said, "text": "other words", "key": "edited"},
            {"type": "retry", "turn": edited, "key": "again"},
            {"type": "pick", "head": start, "offer": offer, "action": 1, "fork": True, "key": "picked"},
            {"type": "say", "head": start, "text": "hello", "key": "picked"},
        ]
        assert [await shown.command(**frame) for frame in same] == [said, again, edited, picked]
        shown.acks.clear()
        assert [(await answer_of(shown, frame))["code"] for frame in other] == ["key_reused"] * len(other)
    assert await Turn.objects.acount() == 5


async def answer_of(shown, frame):
    shown.errors.clear()
    return await shown.command(**frame)


async def test_two_clicks_at_once_make_one_pick(conversation):
    async with page(conversation) as one, page(conversation) as two:
        answers = await asyncio.gather(one.pick(0), two.pick(1))
        made = [answer for answer in answers if isinstance(answer, str)]
        refused = [answer for answer in answers if not isinstance(answer, str)]
        await one.ended(made[0])

    assert len(made) == 1
    assert refused[0]["code"] == "stale_head"
    assert await Pick.objects.acount() == 1


async def test_both_pages_see_the_same_answer(conversation):
    async with page(conversation) as one, page(conversation) as two:
        turn = await one.say("hello")
        assert (await one.ended(turn))["reply"] == (await two.ended(turn))["reply"] == "Here you are."


async def test_a_command_that_saw_an_older_head_is_refused(conversation):
    async with page(conversation) as shown:
        start = shown.head
        await shown.ended(await shown.say("one"))
        await shown.quiet()
        offer = shown.turns[start]["offer"]["id"]

        assert (await shown.say("two", head=start))["code"] == "stale_head"
        assert (await shown.pick(0, head=start, offer=offer))["code"] == "stale_head"
        assert (await shown.pick(0, offer=offer))["code"] == "stale_offer"


async def test_an_earlier_offer_can_be_picked_again_as_a_fork(conversation):
    async with page(conversation) as shown:
        start = shown.head
        offer = shown.turns[start]["offer"]["id"]
        first = await shown.pick(0)
        await shown.ended(first)
        await shown.quiet()
        second = await shown.pick(1, offer=offer, fork=True)
        turn = await shown.ended(second)
        await shown.quiet()

        assert turn["parent"] == start
        assert shown.head == second
        assert first in shown.turns


async def test_after_going_back_a_picked_offer_needs_a_fork(conversation):
    async with page(conversation) as shown:
        offer = shown.turns[shown.head]["offer"]["id"]
        await shown.ended(await shown.pick(0))
        await Conversation.objects.filter(pk=conversation).aupdate(head=(await Turn.objects.aget(kind="start")).pk)
        shown.head = (await Turn.objects.aget(kind="start")).pk

        assert (await shown.pick(1, offer=offer))["code"] == "already_picked"


@pytest.mark.parametrize("action", [-1, 3, 10_000])
async def test_an_action_that_was_not_offered_is_refused(conversation, action):
    async with page(conversation) as shown:
        assert (await shown.pick(action))["code"] == "unknown_action"
    assert await Turn.objects.acount() == 1


async def test_an_offer_of_another_conversation_is_unknown(conversation, runtime):
    from apps.chat import services

    other = (await services.create("bob", "full")).conversation
    async with page(other, "bob") as theirs:
        offer = theirs.turns[theirs.head]["offer"]["id"]
    async with page(conversation) as shown:
        refusal = await shown.pick(0, offer=offer)
        unknown = await shown.pick(0, offer="nothing")

    assert refusal["code"] == "unknown_offer"
    assert {**refusal, "key": ""} == {**unknown, "key": ""}


async def test_a_message_while_an_answer_is_written_is_refused_as_busy(conversation, driver):
    driver.replies = [slow := Reply(pieces=("One ", None, "two."))]
    async with page(conversation) as shown:
        turn = await shown.say("first")
        await shown.text(turn, "One ")
        await shown.until(lambda: shown.head == turn)

        assert (await shown.say("second"))["code"] == "busy"
        slow.go.set()
        assert (await shown.ended(turn))["reply"] == "One two."


async def test_a_fork_stops_the_running_answer_and_keeps_its_text(conversation, driver):
    driver.replies = [Reply(pieces=("One ", None, "two."))]
    async with page(conversation) as shown:
        offer = shown.turns[shown.head]["offer"]["id"]
        first = await shown.pick(0)
        await shown.text(first, "One ")
        second = await shown.pick(1, offer=offer, fork=True)
        await shown.ended(second)

        assert (shown.turns[first]["state"], shown.turns[first]["reply"]) == ("stopped", "One ")
        assert driver.cancelled == 1


async def test_stop_ends_the_engine_call_keeps_the_text_and_offers_again(conversation, driver):
    driver.replies = [Reply(pieces=("One ", None, "two."))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "One ")
        await shown.send(type="stop", turn=turn)
        stopped = await shown.ended(turn)

        assert (stopped["state"], stopped["reply"], driver.cancelled) == ("stopped", "One ", 1)
        assert len(stopped["offer"]["actions"]) == 3
        await shown.quiet()
        assert (await shown.ended(await shown.pick(0)))["state"] == "done"
    assert driver.opened[1] == driver.opened[0]


async def test_stop_of_a_turn_that_runs_in_another_process_reaches_it(conversation, driver, monkeypatch):
    from apps.chat import running

    driver.replies = [Reply(pieces=("One ", None))]
    here = running.stop_here
    answers = iter([False])
    monkeypatch.setattr(running, "stop_here", lambda turn: next(answers, None) is not False and here(turn))
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "One ")
        await shown.send(type="stop", turn=turn)

        assert (await shown.ended(turn))["state"] == "stopped"


async def test_stop_is_seen_without_any_signal_when_the_lease_is_renewed(conversation, driver, monkeypatch):
    from apps.chat import running

    driver.replies = [Reply(pieces=("One ", None))]
    monkeypatch.setattr(running, "stop_here", lambda turn: False)
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "One ")
        await shown.send(type="stop", turn=turn)

        assert (await shown.ended(turn))["state"] == "stopped"


async def test_stop_of_an_unknown_turn_says_so_and_of_an_ended_one_does_nothing(conversation):
    async with page(conversation) as shown:
        await shown.send(type="stop", turn="nothing")
        await shown.until(lambda: shown.errors)
        await shown.send(type="stop", turn=shown.head)
        await shown.until(lambda: None in shown.acks)

        assert [e["code"] for e in shown.errors] == ["unknown_turn"]
        assert shown.turns[shown.head]["state"] == "done"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (EngineUnreachable("no route"), "cannot be reached"),
        (IncompleteAnswer("no finish reason"), "cut off"),
        (ConnectionError("redis"), "part of the service"),
        (WriteRefused("the shared state is away"), "part of the service"),
        (RuntimeError("secret detail"), "Something went wrong"),
    ],
)
async def test_a_failed_turn_says_why_keeps_its_text_and_can_be_retried(conversation, driver, error, words):
    driver.replies = [Reply(pieces=("One ",), error=error)]
    async with page(conversation) as shown:
        failed = await shown.say("go")
        turn = await shown.ended(failed)
        again = await shown.command(type="retry", turn=failed)
        retried = await shown.ended(again)

    assert (turn["state"], turn["reply"]) == ("failed", "One ")
    assert words in turn["error"]
    assert "secret" not in str(turn)
    assert (retried["state"], retried["parent"], retried["text"]) == ("done", turn["parent"], "go")


async def test_a_retry_walks_the_same_input_so_that_a_mutating_stage_happens_once(conversation):
    async with page(conversation) as shown:
        first = await shown.pick(2)
        await shown.ended(first)
        second = await shown.command(type="retry", turn=first)
        turn = await shown.ended(second)

    one, two = await Turn.objects.aget(pk=first), await Turn.objects.aget(pk=second)
    assert one.input == two.input
    assert one.input["operation"] == first
    assert (turn["kind"], turn["action"]) == ("pick", 2)


async def test_an_edited_message_becomes_a_sibling(conversation):
    async with page(conversation) as shown:
        start = shown.head
        first = await shown.say("a tabel")
        await shown.ended(first)
        second = await shown.command(type="edit", turn=first, text="a table")
        turn = await shown.ended(second)
        await shown.quiet()

        assert (turn["parent"], turn["text"], shown.head) == (start, "a table", second)
        assert shown.turns[first]["text"] == "a tabel"
        assert (await shown.command(type="edit", turn=start, text="x"))["code"] == "not_editable"


async def test_going_to_a_sibling_shows_its_newest_path(conversation, driver):
    async with page(conversation) as shown:
        first = await shown.say("one")
        await shown.ended(first)
        await shown.quiet()
        below = await shown.say("two")
        await shown.ended(below)
        other = await shown.command(type="edit", turn=first, text="uno")
        await shown.ended(other)
        await shown.quiet()
        await shown.send(type="goto", turn=first)
        await shown.until(lambda: shown.head == below)
        await shown.send(type="goto", turn="nothing")
        await shown.until(lambda: shown.errors)

    assert shown.errors[0]["code"] == "unknown_turn"
    assert driver.closed[-1] == "branch-4"
    assert (await Conversation.objects.aget(pk=conversation)).head_id == below


@pytest.mark.parametrize("raw", [" ", "{", "[]", '{"type": "say"}', '{"type": "nonsense"}', "x" * 150_000])
async def test_a_bad_frame_is_answered_and_the_connection_is_kept(conversation, raw):
    async with page(conversation) as shown:
        await shown.socket.send_to(text_data=raw)
        await shown.until(lambda: shown.errors)
        await shown.socket.send_to(bytes_data=b"\x00")
        await shown.until(lambda: len(shown.errors) == 2)
        await shown.send(type="ping")
        await shown.until(lambda: hasattr(shown, "ponged"))

    assert shown.errors[0]["code"] in ("bad_frame", "too_long")


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("\u202bשלום\u202c", "\u202bשלום\u202c"),
        ("a\x00\x1b[31mb\r\nc", "a[31mb\nc"),
        ("e\u0301🙂" * 300, "e\u0301🙂" * 300),
    ],
)
async def test_any_text_is_kept_as_text(conversation, text, stored):
    async with page(conversation) as shown:
        turn = await shown.ended(await shown.say(text))

    assert (turn["text"], turn["state"]) == (stored, "done")


async def test_typed_html_in_a_reply_is_never_html(conversation, driver):
    driver.replies = [Reply(pieces=("<img src=x onerror=alert(1)>",))]
    async with page(conversation) as shown:
        turn = await shown.ended(await shown.say("x"))

    assert "<img" not in turn["html"]


async def test_a_pick_before_its_branch_was_opened_settles_that_branch(conversation, driver):
    opened, release = driver.open_branch, asyncio.Event()

    async def slow(*args):
        await release.wait()
        return await opened(*args)

    async with page(conversation) as shown:
        await shown.ended(await shown.say("one"))
        await shown.quiet()
        driver.open_branch = slow
        await shown.ended(await shown.say("two"))
        await shown.quiet()
        picked = await shown.pick(1)
        await shown.ended(picked)
        release.set()
        await wait_for(lambda: ("branch-3", "1") in driver.resolved)
