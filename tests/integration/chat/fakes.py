"""A small workflow and a driver without engine or stores, for tests of the chat alone."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.runtime import wiring
from apps.runtime.driver import How, Served
from apps.runtime.program import Action, Asker, Emit, Finished
from apps.runtime.scope import Scope
from apps.serving.outcomes import Result
from apps.serving.workflow import DecisionPoint, Semantics, Sharing, Stage, StageCall, StageKind, Window, Workflow

REPLY = Stage("reply", StageKind.MODEL, True, 1, 100)
UNDERSTAND = Stage("understand", StageKind.MODEL, True, 1, 100)
OFFER = Stage("offer", StageKind.TOOL, True, 1)
GREETING = "Hello. What would you like?"
LABELS = ("Find a table", "Find a room", "Book it")


class FakeProgram:
    """start -> greeting; text -> understand, reply, offer; pick -> reply, offer."""

    workflow = Workflow(
        "concierge", 1, (UNDERSTAND, REPLY, OFFER),
        (
            DecisionPoint("understand", Semantics.EXCLUSIVE, Window.DECODE),
            DecisionPoint("offer", Semantics.INDEPENDENT, Window.USER),
        ),
    )  # fmt: skip

    def start_turn(self, asker: Asker):
        return {"kind": "start"}

    def text_turn(self, text: str, context, asker: Asker):
        return {"kind": "text", "text": text, "depth": context.get("depth", 0), "operation": asker.operation}

    def pick_turn(self, payload, context, asker: Asker):
        return {
            "kind": "pick",
            "text": payload["intent"],
            "depth": context.get("depth", 0),
            "operation": asker.operation,
        }

    def next_call(self, turn, outputs):
        stages = {"start": (), "text": (UNDERSTAND, REPLY, OFFER), "pick": (REPLY, OFFER)}[turn["kind"]]
        for stage in stages:
            if stage.name not in outputs:
                return StageCall(stage, {"text": turn["text"]}, Sharing.SESSION)
        return None

    def finish(self, turn, outputs):
        reply = GREETING if turn["kind"] == "start" else outputs["reply"]
        actions = tuple(Action(label, {"intent": label}, index < 2) for index, label in enumerate(LABELS))
        return Finished(reply, actions, {"depth": turn.get("depth", 0) + 1})

    def shown(self, call, output):
        return output if call.stage.name == "reply" else ""


@dataclass
class Reply:
    """What the next `reply` stage does: says `pieces`; waits at a None piece until `go`; then raises `error`."""

    pieces: tuple[str | None, ...] = ("Here ", "you are.")
    error: Exception | None = None
    served: bool = False
    go: asyncio.Event = field(default_factory=asyncio.Event)


class FakeDriver:
    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.calls: list[str] = []
        self.opened: list[tuple[str, Mapping]] = []
        self.resolved: list[tuple[str, str | None]] = []
        self.closed: list[str] = []
        self.store_there = True
        self.cancelled = 0

    async def serve(self, call: StageCall, scope: Scope, emit: Emit) -> Served:
        self.calls.append(call.stage.name)
        if call.stage.name != "reply":
            return Served(Result({"ok": True}, {}, 1.0, {}), How.EXECUTED, "absent", 1.0, 0.0)
        reply = self.replies.pop(0) if self.replies else Reply()
        text = "".join(piece or "" for piece in reply.pieces)
        if reply.served:
            await emit(text)
            return Served(Result(text, {}, 700.0, {}), How.PROMOTED, "", 2.0, 700.0)
        try:
            for piece in reply.pieces:
                await (reply.go.wait() if piece is None else emit(piece))
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if reply.error:
            raise reply.error
        return Served(Result(text, {}, 9.0, {"tokens": 3}), How.EXECUTED, "absent", 9.0, 0.0)

    async def serve_decision(self, call, turn, outputs, scope, emit):
        self.calls.append(f"decision:{call.stage.name}")
        return await self.serve(call, scope, emit)

    async def open_branch(self, stage, turn, outputs, scope):
        self.opened.append((stage, turn))
        return f"branch-{len(self.opened)}"

    async def resolve(self, branch_id, choice):
        self.resolved.append((branch_id, choice))
        return True

    async def close_branch(self, branch_id):
        self.closed.append(branch_id)
        return self.store_there


class FakeRuntime:
    """The real publisher and event streams, on the test run's Redis; program and driver are fakes."""

    def __init__(self) -> None:
        self.fake_driver = FakeDriver()
        self.fake_program = FakeProgram()
        self.publisher = wiring.publisher
        self.events_read = wiring.events_read
        self.events_head = wiring.events_head

    def driver(self):
        return self.fake_driver

    def program(self, name):
        return self.fake_program


__all__ = ["GREETING", "LABELS", "FakeDriver", "FakeProgram", "FakeRuntime", "Reply"]
