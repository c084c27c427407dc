"""A conversation as its stream tells it at one sequence number, also in the middle of an answer.

Rows are written before their events, so rows read after number `before` reflect every event up to it. Events
from there to the snapshot's own number are applied on top, and the text of a running turn, which has no row
until it ends, is put together from the stream's pieces of its current epoch.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from channels.db import database_sync_to_async

from apps.chat import ports, queries
from apps.chat.markdown import to_html
from apps.chat.models import State
from apps.chat.queries import Whole
from apps.runtime.publisher import conversation_stream
from apps.serving.names import Json
from apps.serving.ports import Event

PAGE = 500  # events per read
TEXT_TAIL = 2_000  # a running turn's text events are among this many last ones
XRAY_TAIL = 400
XRAY_KINDS = ("branch.", "fill.", "stage.", "write.")


@dataclass(frozen=True, slots=True)
class Snapshot:
    epoch: str
    seq: int
    frame: dict[str, Json]


async def take(conversation_id: str) -> Snapshot | None:
    """None when the conversation is gone."""
    runtime, stream = ports.current(), conversation_stream(conversation_id)
    before = await runtime.events_head(stream)
    whole = await database_sync_to_async(queries.whole)(conversation_id)
    if whole is None:
        return None
    now = await runtime.events_head(stream)
    if now.epoch != before.epoch:
        return await take(conversation_id)
    tail = TEXT_TAIL if any(turn["state"] == State.RUNNING for turn in whole.turns) else XRAY_TAIL
    events = await read_range(stream, max(0, min(before.seq, now.seq - tail)), now.seq)
    turns = fold(whole, events, before.seq)
    xray = [_traced(event) for event in events if event.kind.startswith(XRAY_KINDS)][-XRAY_TAIL:]
    frame = {
        "type": "snapshot", "epoch": now.epoch, "seq": now.seq, "conversation": whole.conversation,
        "turns": turns, "xray": xray,
    }  # fmt: skip
    return Snapshot(now.epoch, now.seq, frame)


async def read_range(stream: str, after: int, last: int) -> list[Event]:
    """Events with after < seq <= last, as far as the stream still has them."""
    events: list[Event] = []
    while after < last:
        page = await ports.current().events_read(stream, after, min(PAGE, last - after))
        if not page:
            break
        events += [event for event in page if event.seq <= last]
        after = page[-1].seq
    return events


def fold(whole: Whole, events: Iterable[Event], before: int) -> list[Json]:
    """The turns with the events applied. Changes `whole.conversation`'s head and title likewise."""
    turns: dict[str, dict[str, Any]] = {turn["id"]: dict(turn) for turn in whole.turns}
    ended = {turn_id for turn_id, turn in turns.items() if turn["state"] != State.RUNNING}
    for event in events:
        data: Any = event.data
        match event.kind:
            case "turn.text" if data["turn"] in turns and data["turn"] not in ended:
                _append(turns[data["turn"]], data)
            case _ if event.seq <= before:
                pass
            case "turn.created":
                turns.setdefault(data["turn"]["id"], dict(data["turn"]))
            case "turn.done" if data["turn"]["id"] not in ended:
                turns[data["turn"]["id"]] = dict(data["turn"])
                ended.add(data["turn"]["id"])
            case "turn.restarted" if data["turn"] in turns and turns[data["turn"]]["epoch"] < data["turn_epoch"]:
                turns[data["turn"]].update(epoch=data["turn_epoch"], reply="")
            case "head.changed":
                whole.conversation["head"] = data["head"]
            case "title.changed":
                whole.conversation["title"] = data["title"]
    for turn_id, turn in turns.items():
        if turn_id not in ended:
            turn["html"] = to_html(turn["reply"])
    return list(turns.values())


def _append(turn: dict[str, Any], data: Any) -> None:
    """Text at its offset. A piece that was published twice replaces itself; one of another epoch is void."""
    if data["turn_epoch"] == turn["epoch"] and data["offset"] <= len(turn["reply"]):
        turn["reply"] = turn["reply"][: data["offset"]] + data["text"]


def _traced(event: Event) -> Json:
    return {"seq": event.seq, "kind": event.kind, "at_ms": event.at_ms, "data": dict(event.data)}
