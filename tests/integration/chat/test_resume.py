"""Coming back: by number, in the middle of an answer, after a lost process, after a lost Redis."""

import asyncio

import pytest
from channels.db import database_sync_to_async

from apps.chat import lifecycle, presence, recovery, running, services, snapshots, turns, wakeups
from apps.chat.models import Offer, Turn
from apps.runtime import wiring
from tests.integration.chat.fakes import Reply
from tests.integration.chat.page import Page, page, wait_for

pytestmark = pytest.mark.usefixtures("runtime")


async def test_a_page_resumes_by_number_in_the_middle_of_an_answer_without_doubles(conversation, driver):
    driver.replies = [slow := Reply(pieces=("One ", "two ", None, "three."))]
    async with page(conversation) as first:
        turn = await first.say("go")
        await first.text(turn, "One two ")
    kept = {"epoch": first.epoch, "seq": first.seq}
    state = {"turns": first.turns, "head": first.head}

    resumed = page(conversation, **kept, **state)
    async with resumed as second:
        second.epoch, second.seq = kept["epoch"], kept["seq"]
        slow.go.set()
        whole = await second.ended(turn)

        assert whole["reply"] == "One two three."
        assert second.snapshots == 0
        assert all(e["seq"] > kept["seq"] for e in second.events)


async def test_a_new_page_in_the_middle_of_an_answer_sees_all_of_it_once(conversation, driver):
    driver.replies = [slow := Reply(pieces=("One ", "two ", None, "three ", "four."))]
    async with page(conversation) as first:
        turn = await first.say("go")
        await first.text(turn, "One two ")
        async with page(conversation) as second:
            assert second.turns[turn]["reply"] == "One two "
            assert second.turns[turn]["state"] == "running"
            slow.go.set()
            await second.ended(turn)

            assert second.snapshots == 1
            texts = [e["data"]["text"] for e in second.events if e["kind"] == "turn.text"]
            assert "".join(texts) == "three four."


async def test_a_page_that_closes_does_not_stop_the_answer(conversation, driver):
    driver.replies = [slow := Reply(pieces=("One ", None, "two."))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "One ")
    slow.go.set()
    await running.idle()
    async with page(conversation) as back:
        assert (back.turns[turn]["state"], back.turns[turn]["reply"]) == ("done", "One two.")
        assert driver.cancelled == 0


async def test_another_epoch_or_an_impossible_number_gets_a_snapshot(conversation):
    async with page(conversation) as shown:
        for epoch, seq in [("other", 1), (shown.epoch, 10_000), (shown.epoch, 10**30), (shown.epoch, -1)]:
            known = shown.snapshots
            await shown.send(type="hello", epoch=epoch, seq=seq)
            await shown.until(lambda known=known: shown.snapshots == known + 1)


async def test_events_read_a_moment_before_the_head_cost_no_snapshot(conversation, runtime):
    early = []

    async def read(stream, after, limit):
        """The first look at every position comes too early: nothing is there yet."""
        if after not in early:
            early.append(after)
            return ()
        return await wiring.events_read(stream, after, limit)

    async with page(conversation) as shown:
        await shown.quiet()
        runtime.events_read = read
        await shown.ended(await shown.say("go"))

        assert early
        assert shown.snapshots == 1


async def test_events_whose_wake_up_was_lost_still_come(conversation, monkeypatch):
    from apps.chat import feed
    from apps.runtime.publisher import Publisher

    async def lost(self, conversation, message):
        return None

    monkeypatch.setattr(feed, "SAFETY_POLL_S", 0.05)
    async with page(conversation) as shown:
        monkeypatch.setattr(Publisher, "_send", lost)
        assert (await shown.ended(await shown.say("go")))["reply"] == "Here you are."


async def test_a_stream_that_redis_lost_gives_a_new_snapshot(conversation, redis_client, monkeypatch):
    from apps.chat import feed

    monkeypatch.setattr(feed, "SAFETY_POLL_S", 0.05)
    async with page(conversation) as shown:
        await shown.ended(await shown.say("go"))
        await shown.quiet()
        before = shown.epoch
        await asyncio.to_thread(redis_client.flushall)
        await shown.until(lambda: shown.snapshots == 2)

        assert shown.epoch != before
        assert len(shown.turns) == 2


async def test_while_redis_is_away_the_page_is_told_once_and_it_heals(conversation, runtime, monkeypatch):
    from apps.chat import feed

    monkeypatch.setattr(feed, "SAFETY_POLL_S", 0.05)
    monkeypatch.setattr(feed, "RETRY_S", 0.05)

    async def away(stream):
        raise ConnectionError("away")

    async with page(conversation) as shown:
        runtime.events_head = away
        await shown.until(lambda: shown.errors)
        await shown.quiet()
        runtime.events_head = wiring.events_head
        await shown.until(lambda: shown.snapshots == 2)

        assert [e["code"] for e in shown.errors] == ["unavailable"]
        assert (await shown.ended(await shown.say("go")))["state"] == "done"


async def test_a_foreign_page_is_closed_with_4403_and_sees_nothing(conversation):
    for owner in ("mallory", None):
        stranger = Page(conversation, owner)
        await stranger.open()
        assert await stranger.closed() == 4403
        await stranger.socket.wait()


async def test_an_unknown_conversation_is_closed_with_4404(runtime):
    lost = Page("nothing", "alice")
    await lost.open()
    assert await lost.closed() == 4404
    await lost.socket.wait()


async def test_the_service_itself_refuses_a_foreign_command(conversation):
    from apps.chat import wire

    head = (await Turn.objects.aget()).id
    for command in (wire.Say("k", head, "x"), wire.Stop(head), wire.Goto(head), wire.Retry("k", head)):
        (frame,) = await services.handle(conversation, "mallory", command)
        assert frame["code"] == "forbidden"
    assert await Turn.objects.acount() == 1


async def abandon(turn_id):
    """What the death of the process that ran a turn leaves behind: a row whose lease runs out."""
    held = running._running[turn_id]
    held.whole.cancel()
    await asyncio.wait({held.whole})
    await Turn.objects.filter(pk=turn_id).aupdate(lease_owner="dead", lease_until_ms=1)


async def test_a_turn_whose_process_died_runs_again_and_its_text_is_replaced(conversation, driver):
    driver.replies = [Reply(pieces=("Half of ", None)), Reply(pieces=("All ", "of it."))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "Half of ")
        await abandon(turn)
        await recovery.recover()
        whole = await shown.ended(turn)

        assert (whole["reply"], whole["epoch"]) == ("All of it.", 2)
        assert [e["kind"] for e in shown.events].count("turn.restarted") == 1
    assert await Offer.objects.filter(turn_id=turn).acount() == 1


async def test_recovery_starts_with_the_first_page(conversation, driver):
    driver.replies = [Reply(pieces=("Half of ", None)), Reply(pieces=("All of it.",))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "Half of ")
        await abandon(turn)
        await shown.ended(turn)

        assert shown.turns[turn]["reply"] == "All of it."


async def test_only_one_successor_takes_an_abandoned_turn(conversation, driver):
    driver.replies = [Reply(pieces=("Half ", None)), Reply()]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "Half ")
        await recovery.stop()
        await abandon(turn)
        taken = await asyncio.gather(recovery.recover(), recovery.recover())
        await shown.ended(turn)

    assert sorted(map(len, taken)) == [0, 1]


async def test_a_process_that_lost_its_lease_cannot_write_the_end(conversation, driver):
    driver.replies = [slow := Reply(pieces=("Old ", None, "words.")), Reply(pieces=("New words.",))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "Old ")
        await recovery.stop()
        former = running._running[turn].whole
        await Turn.objects.filter(pk=turn).aupdate(lease_until_ms=1)
        await recovery.recover()
        whole = await shown.ended(turn)
        slow.go.set()
        await asyncio.wait({former})

    row = await Turn.objects.aget(pk=turn)
    assert (row.reply, row.epoch, whole["reply"]) == ("New words.", 2, "New words.")


async def test_a_turn_that_was_to_stop_when_its_process_died_ends_stopped(conversation, driver):
    driver.replies = [Reply(pieces=("Half ", None))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "Half ")
        await recovery.stop()
        await abandon(turn)
        await database_sync_to_async(lifecycle.ask_stop)(conversation, turn)
        await recovery.recover()

        assert (await shown.ended(turn))["state"] == "stopped"
    assert driver.calls.count("reply") == 1


async def test_the_last_page_that_closes_ends_the_fills_after_a_while(conversation, driver, monkeypatch):
    monkeypatch.setattr(presence, "GRACE_S", 0.05)
    monkeypatch.setattr(presence, "ANSWER_S", 0.05)
    async with page(conversation):
        async with page(conversation):
            pass
        await asyncio.sleep(0.2)
        assert driver.closed == []
    await wait_for(lambda: driver.closed == ["branch-1"])


async def test_fills_that_could_not_be_ended_while_redis_was_away_end_when_it_is_back(
    conversation, driver, monkeypatch
):
    monkeypatch.setattr(presence, "GRACE_S", 0.05)
    monkeypatch.setattr(presence, "ANSWER_S", 0.05)
    monkeypatch.setattr(presence, "RETRY_S", 0.05)
    driver.store_there = False
    async with page(conversation):
        pass
    await wait_for(lambda: len(driver.closed) == 2)
    driver.store_there = True
    await wait_for(lambda: conversation not in presence._left)


async def test_a_socket_that_left_but_still_listens_keeps_no_fills(conversation, driver, monkeypatch):
    monkeypatch.setattr(presence, "GRACE_S", 0.05)
    monkeypatch.setattr(presence, "ANSWER_S", 0.5)
    listening = asyncio.create_task(
        wakeups.listen(conversation, lambda heard: presence.answer(conversation, heard) if "who" in heard else _quiet())
    )
    async with page(conversation):
        pass
    await wait_for(lambda: driver.closed == ["branch-1"])
    listening.cancel()


async def _quiet() -> None:
    """Another kind of wake-up."""


async def test_a_reload_ends_no_fills(conversation, driver, monkeypatch):
    monkeypatch.setattr(presence, "GRACE_S", 0.3)
    async with page(conversation):
        pass
    async with page(conversation):
        await asyncio.sleep(0.5)
        assert driver.closed == []


async def test_an_answer_that_ends_on_a_closed_page_opens_no_branch(conversation, driver, monkeypatch):
    monkeypatch.setattr(presence, "GRACE_S", 0.05)
    monkeypatch.setattr(presence, "ANSWER_S", 0.05)
    driver.replies = [slow := Reply(pieces=("One ", None))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "One ")
    await wait_for(lambda: conversation in presence._gone)
    slow.go.set()
    await running.idle()

    assert len(driver.opened) == 1
    assert (await Turn.objects.aget(pk=turn)).state == "done"


async def test_a_page_in_another_process_keeps_the_fills(conversation, monkeypatch):
    monkeypatch.setattr(presence, "ANSWER_S", 2)
    async with page(conversation):
        assert await presence._someone_elsewhere(conversation)


async def test_a_snapshot_between_any_two_events_equals_the_page_that_followed_them(conversation, driver):
    driver.replies = [slow := Reply(pieces=("a", "b", None, "c", "d", "e"))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "ab")
        taken = await snapshots.take(conversation)
        slow.go.set()
        await shown.ended(turn)
        for _ in range(3):
            later = await snapshots.take(conversation)

    (mid,) = [t for t in taken.frame["turns"] if t["id"] == turn]
    (end,) = [t for t in later.frame["turns"] if t["id"] == turn]
    assert (mid["reply"], end["reply"], end["state"]) == ("ab", "abcde", "done")


async def test_a_turn_that_every_process_loses_fails_in_the_end(conversation, driver):
    driver.replies = [Reply(pieces=("Half ", None))]
    async with page(conversation) as shown:
        turn = await shown.say("go")
        await shown.text(turn, "Half ")
        await recovery.stop()
        await abandon(turn)
        await Turn.objects.filter(pk=turn).aupdate(epoch=turns.MOST_RUNS)
        await recovery.recover()

        assert (await shown.ended(turn))["state"] == "failed"
    assert driver.calls.count("reply") == 1
