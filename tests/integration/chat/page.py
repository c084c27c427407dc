"""A page as a test drives it: one socket, its frames folded as the browser folds them."""

import asyncio
import json
from contextlib import asynccontextmanager
from itertools import count

from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator

from apps.chat.routing import websocket_urlpatterns

ROUTER = URLRouter(websocket_urlpatterns)
KEYS = count(1)
WAIT_S = 5


class Page:
    def __init__(self, conversation, owner):
        self.socket = WebsocketCommunicator(ROUTER, f"/ws/chat/{conversation}/")
        self.socket.scope["session"] = {"owner": owner} if owner else {}
        self.epoch, self.seq, self.head = None, 0, None
        self.turns, self.events, self.errors, self.acks, self.snapshots = {}, [], [], {}, 0

    async def open(self, epoch=None, seq=None):
        accepted, _ = await self.socket.connect()
        assert accepted
        await self.send(type="hello", epoch=epoch, seq=seq)

    async def send(self, **frame):
        await self.socket.send_to(text_data=json.dumps(frame))

    async def step(self):
        frame = json.loads(await self.socket.receive_from(timeout=WAIT_S))
        getattr(self, f"on_{frame['type']}")(frame)
        return frame

    async def until(self, condition):
        while not (found := condition()):
            await self.step()
        return found

    async def quiet(self):
        """Take in what is there; nothing more comes."""
        while not await self.socket.receive_nothing(timeout=0.3):
            await self.step()

    def on_snapshot(self, frame):
        self.snapshots += 1
        self.epoch, self.seq, self.head = frame["epoch"], frame["seq"], frame["conversation"]["head"]
        self.turns = {turn["id"]: turn for turn in frame["turns"]}

    def on_event(self, frame):
        assert (frame["epoch"], frame["seq"]) == (self.epoch, self.seq + 1), "a gap or a double"
        self.seq = frame["seq"]
        self.events.append(frame)
        kind, data = frame["kind"], frame["data"]
        if kind in ("turn.created", "turn.done"):
            self.turns[data["turn"]["id"]] = data["turn"]
        elif kind == "turn.text":
            turn = self.turns[data["turn"]]
            assert data["offset"] == len(turn["reply"]), "text out of place"
            turn["reply"] += data["text"]
        elif kind == "turn.restarted":
            self.turns[data["turn"]].update(reply="", epoch=data["turn_epoch"])
        elif kind == "head.changed":
            self.head = data["head"]

    def on_ack(self, frame):
        self.acks[frame["key"]] = frame["turn"]

    def on_error(self, frame):
        self.errors.append(frame)

    def on_pong(self, frame):
        self.ponged = True

    async def command(self, **frame):
        """Send a command under a new key; its ack's turn, or the error frame."""
        key = frame.setdefault("key", f"key-{next(KEYS)}")
        await self.send(**frame)
        answered = lambda: self.acks.get(key) or next((e for e in self.errors if e["key"] == key), None)  # noqa: E731
        return await self.until(answered)

    async def say(self, text, **fields):
        return await self.command(type="say", head=fields.pop("head", self.head), text=text, **fields)

    async def pick(self, action=0, **fields):
        offer = fields.pop("offer", None) or self.turns[self.head]["offer"]["id"]
        return await self.command(type="pick", head=fields.pop("head", self.head), offer=offer, action=action, **fields)

    async def ended(self, turn_id):
        return await self.until(
            lambda: turn_id in self.turns and self.turns[turn_id]["state"] != "running" and self.turns[turn_id]
        )

    async def text(self, turn_id, text):
        return await self.until(lambda: turn_id in self.turns and self.turns[turn_id]["reply"] == text)

    async def closed(self):
        while (message := await self.socket.receive_output(timeout=WAIT_S))["type"] != "websocket.close":
            pass
        return message["code"]


@asynccontextmanager
async def page(conversation, owner="alice", epoch=None, seq=None, **state):
    shown = Page(conversation, owner)
    vars(shown).update(state)
    await shown.open(epoch, seq)
    try:
        if epoch is None:
            await shown.until(lambda: shown.snapshots)
        yield shown
    finally:
        await shown.socket.disconnect()


async def wait_for(condition):
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await asyncio.sleep(0.01)
