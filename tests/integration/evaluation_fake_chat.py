"""A small server that speaks the chat's wire, to hold the evaluation's client to it without the product.

It can be told to answer the n-th command only after a restart of its socket, and to answer it in other words.
"""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

ACTIONS = (("Casa Luma", "speculable"), ("Harbour Inn", "speculable"), ("Something else", "speculable"))
PAUSE_S = {"floor": 0.08, "c2": 0.0}
HOW = {"floor": "executed", "c2": "promoted"}
DOWN_S = 0.3


@dataclass(eq=False)
class Room:
    """One conversation: its turns, its numbered events, what its keys were answered with."""

    room_id: str
    mode: str
    turns: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    sockets: set[ServerConnection] = field(default_factory=set)

    async def tell(self, kind: str, **data: Any) -> None:
        seq = len(self.events) + 1
        frame = {"type": "event", "epoch": "e1", "seq": seq, "kind": kind, "at_ms": 1000 * seq, "data": data}
        self.events.append(frame)
        for socket in tuple(self.sockets):
            with suppress(ConnectionClosed):
                await socket.send(json.dumps(frame))

    def turn(self, text: str, state: str, reply: str = "", *, offered: bool = False) -> dict[str, Any]:
        turn_id = f"{self.room_id}-t{len(self.turns)}"
        actions = [{"index": i, "label": label, "kind": kind} for i, (label, kind) in enumerate(ACTIONS)]
        offer = {"id": f"{turn_id}-o", "branch": f"{turn_id}-b", "actions": actions} if offered else None
        return {"id": turn_id, "text": text, "state": state, "reply": reply, "offer": offer, "error": None}


@dataclass(eq=False)
class FakeChat:
    """restart_at: the command, counted from 1 over all, in whose answer the socket goes down. other_words: the
    command that is answered differently in mode c2. silent: never answers a command. refuses: the status that new
    conversations are refused with. received: every frame."""

    restart_at: int = 0
    other_words: int = 0
    silent: bool = False
    refuses: int = 0
    url: str = ""
    rooms: dict[str, Room] = field(default_factory=dict)
    received: list[dict[str, Any]] = field(default_factory=list)
    commands: int = 0
    down: bool = False
    _port: int = 0
    _server: Server | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def create(self, mode: str) -> dict[str, str]:
        room = Room(f"c{len(self.rooms)}", mode)
        room.turns.append(room.turn("", "done", "Hello.", offered=True))
        self.rooms[room.room_id] = room
        return {"id": room.room_id, "socket": f"ws://127.0.0.1:{self._port}/{room.room_id}", "url": "/"}

    async def listen(self) -> None:
        self._server = await serve(self._serve, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def hang_up(self) -> None:
        if self._server is not None:
            self._server.close(code=1012)
            await self._server.wait_closed()

    async def _serve(self, socket: ServerConnection) -> None:
        room = self.rooms[socket.request.path.strip("/")]
        try:
            async for text in socket:
                frame = json.loads(text)
                self.received.append(frame)
                if frame["type"] == "hello":
                    await self._hello(room, socket, frame)
                else:
                    await self._command(room, socket, frame)
        except ConnectionClosed:
            pass
        finally:
            room.sockets.discard(socket)

    async def _hello(self, room: Room, socket: ServerConnection, frame: dict[str, Any]) -> None:
        room.sockets.add(socket)
        if frame["epoch"] == "e1":
            for event in room.events[frame["seq"] :]:
                await socket.send(json.dumps(event))
            return
        head = room.turns[-1]["id"]
        known = {"epoch": "e1", "seq": len(room.events), "conversation": {"head": head}, "turns": room.turns}
        await socket.send(json.dumps({"type": "snapshot", **known}))

    async def _command(self, room: Room, socket: ServerConnection, frame: dict[str, Any]) -> None:
        if self.silent:
            return
        key = frame["key"]
        if key in room.keys:
            return await socket.send(json.dumps({"type": "ack", "key": key, "turn": room.keys[key]}))
        if frame["head"] != room.turns[-1]["id"]:
            refusal = {"code": "stale_head", "message": "The conversation went on.", "mend": "Look again."}
            return await socket.send(json.dumps({"type": "error", "key": key, **refusal}))
        self.commands += 1
        text = frame.get("text") or ACTIONS[frame["action"]][0]
        turn = room.turn(text, "running")
        room.turns.append(turn)
        room.keys[key] = turn["id"]
        if self.commands == self.restart_at:  # the ack is lost with the socket
            task = asyncio.create_task(self._restart(room, turn))
        else:
            await socket.send(json.dumps({"type": "ack", "key": key, "turn": turn["id"]}))
            task = asyncio.create_task(self._answer(room, turn, self.commands))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _restart(self, room: Room, turn: dict[str, Any]) -> None:
        await room.tell("turn.created", turn=turn)
        await room.tell("turn.text", turn=turn["id"], turn_epoch=1, offset=0, text="You as")
        await self.hang_up()
        await asyncio.sleep(DOWN_S)
        await self.listen()
        await room.tell("turn.restarted", turn=turn["id"], turn_epoch=2)
        await self._finish(room, turn, self.commands)

    async def _answer(self, room: Room, turn: dict[str, Any], number: int) -> None:
        await room.tell("turn.created", turn=turn)
        await asyncio.sleep(PAUSE_S[room.mode])
        await self._finish(room, turn, number)

    async def _finish(self, room: Room, turn: dict[str, Any], number: int) -> None:
        reply = f"You asked for {turn['text']}."
        if number == self.other_words and room.mode == "c2":
            reply += " Perhaps."
        await room.tell("turn.text", turn=turn["id"], turn_epoch=1, offset=0, text=reply)
        stages = [
            {"stage": stage, "how": HOW[room.mode], "ms": 1.0, "saved_ms": 0, "reason": "", "notes": {}}
            for stage in ("lookup", "reply", "offer")
        ]
        done = {**turn, "state": "done", "reply": reply, "timing": {"stages": stages}}
        done["offer"] = {**room.turns[0]["offer"], "id": f"{turn['id']}-o"}
        room.turns[room.turns.index(turn)] = done
        await room.tell("turn.done", turn=done)
        if room.mode == "c2":
            fill = {"fill": f"{turn['id']}-f", "branch": "b", "chain": "x", "stage": "reply", "reason": ""}
            await room.tell("fill.moved", **fill, state="running")
            await room.tell("fill.moved", **fill, state="shadow", engine_ms=40.0)


def api(chat: FakeChat) -> type[BaseHTTPRequestHandler]:
    class Api(BaseHTTPRequestHandler):
        """POST /api/conversations/, with a CSRF cookie that GET hands out."""

        def do_GET(self) -> None:
            self._send(200, {}, cookie="csrftoken=secret; Path=/")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.headers.get("X-CSRFToken") != "secret":
                return self._send(403, {})
            self._send(chat.refuses or 201, {} if chat.refuses else chat.create(body["mode"]))

        def _send(self, status: int, body: dict[str, Any], cookie: str = "") -> None:
            self.send_response(status)
            if cookie:
                self.send_header("Set-Cookie", cookie)
            content = json.dumps(body).encode()
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            """Quiet."""

    return Api


@contextmanager
def running(chat: FakeChat) -> Iterator[FakeChat]:
    """Socket and API, each on a free port, in threads of their own."""
    loop = asyncio.new_event_loop()
    sockets = threading.Thread(target=loop.run_forever)
    sockets.start()
    asyncio.run_coroutine_threadsafe(chat.listen(), loop).result(10)
    http = ThreadingHTTPServer(("127.0.0.1", 0), api(chat))
    chat.url = f"http://127.0.0.1:{http.server_port}"
    requests = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05})
    requests.start()
    try:
        yield chat
    finally:
        http.shutdown()
        http.server_close()
        requests.join()
        asyncio.run_coroutine_threadsafe(chat.hang_up(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        sockets.join()
        loop.close()
