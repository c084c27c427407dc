"""A command in, reply frames out: stores it, starts what follows, and refuses by value."""

import asyncio

from channels.db import database_sync_to_async

from apps.chat import commands, ports, presence, queries, refusals, running, wire
from apps.chat.commands import Moved, Occupied, Outcome, Repeated, Started
from apps.chat.lifecycle import Run
from apps.chat.refusals import Refusal
from apps.runtime.clock import now_ms
from apps.serving.names import Json

Frames = list[dict[str, Json]]


async def access(conversation_id: str, owner: str | None) -> Refusal | None:
    return await database_sync_to_async(queries.access)(conversation_id, owner)


async def handle(conversation_id: str, owner: str, command: wire.Command) -> Frames:
    """Perform one command; a repeat with the same key gives the same answer and does nothing."""
    received_ms = now_ms()
    key = getattr(command, "key", None)
    if isinstance(command, wire.Stop):
        return await _stop(conversation_id, owner, command)
    outcome = await _apply(conversation_id, owner, command, received_ms)
    match outcome:
        case Refusal():
            return [wire.error(outcome, key)]
        case Repeated(turn):
            return [wire.ack(key, turn)]
        case Moved():
            await _announce_move(conversation_id, outcome)
            return [wire.ack(key, outcome.head)]
        case Started():
            _announce_turn(outcome)
            running.start(outcome.run)
            return [wire.ack(key, outcome.run.turn)]
        case Occupied():
            return [wire.error(refusals.BUSY, key)]


async def _apply(conversation_id: str, owner: str, command: wire.Command, received_ms: int) -> Outcome:
    """Apply; a command by which the user turned away from a running answer ends that answer first."""
    apply = database_sync_to_async(commands.apply)
    outcome = await apply(conversation_id, owner, command, received_ms)
    if isinstance(outcome, Occupied) and commands.may_interrupt(command):
        await running.stop_and_wait(conversation_id, outcome.turn)
        outcome = await apply(conversation_id, owner, command, received_ms)
    return outcome


async def _stop(conversation_id: str, owner: str, command: wire.Stop) -> Frames:
    refusal = await access(conversation_id, owner)
    if refusal is None and not await running.stop(conversation_id, command.turn):
        known = await database_sync_to_async(queries.has_turn)(conversation_id, command.turn)
        refusal = None if known else refusals.UNKNOWN_TURN
    return [wire.error(refusal)] if refusal else [wire.ack(None, command.turn)]


def _announce_turn(started: Started) -> None:
    """The row is there: now its frames. In order, and nobody waits for them."""
    run, publisher = started.run, ports.current().publisher()
    publisher.post(run.conversation, "turn.created", {"turn": started.turn})
    publisher.post(run.conversation, "head.changed", {"head": run.turn})
    if started.title:
        publisher.post(run.conversation, "title.changed", {"title": started.title})


async def _announce_move(conversation_id: str, moved: Moved) -> None:
    ports.current().publisher().post(conversation_id, "head.changed", {"head": moved.head})
    if moved.left:
        await ports.current().driver().close_branch(moved.left)


async def create(owner: str, mode: str, title: str = "") -> Run:
    """A new conversation, its greeting and first offer complete, and the offer's branch open. Asks no model."""
    run = await database_sync_to_async(commands.start_conversation)(owner, mode, title)
    await asyncio.wait({running.start(run)})  # a client that goes away meanwhile does not cancel it
    return run


async def latest(owner: str) -> str | None:
    """The conversation that the owner used last."""
    return await database_sync_to_async(queries.latest_id)(owner)


async def rename(conversation_id: str, title: str) -> None:
    await database_sync_to_async(commands.rename)(conversation_id, title)
    ports.current().publisher().post(conversation_id, "title.changed", {"title": title})


async def delete(conversation_id: str, owner: str) -> Refusal | None:
    """Remove every row; a running turn is stopped first, open branches end, and open pages are told."""
    refusal = await access(conversation_id, owner)
    if refusal is not None:
        return refusal
    for turn in await database_sync_to_async(queries.running_turns)(conversation_id):
        await running.stop_and_wait(conversation_id, turn)
    await presence.close_branches(conversation_id)
    await database_sync_to_async(commands.delete)(conversation_id)
    await ports.current().publisher().signal(conversation_id, {"gone": True})
    return None
