"""A two-stage program for tests of the driver: `look` reads a record, `say` asks the engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.engines.base import Completion, EngineRequest
from apps.runtime.program import Candidate, StageTools
from apps.serving.names import Json
from apps.serving.outcomes import Result
from apps.serving.workflow import (
    DecisionPoint,
    Semantics,
    Sharing,
    Stage,
    StageCall,
    StageKind,
    Window,
    Workflow,
)

LOOK = Stage("look", StageKind.TOOL, True, 1)
SAY = Stage("say", StageKind.MODEL, True, 1, kv_tokens=100)
ROUTE = Stage("route", StageKind.MODEL, True, 1, kv_tokens=100)

WORKFLOW = Workflow(
    "toy",
    1,
    (LOOK, SAY, ROUTE),
    (
        DecisionPoint("say", Semantics.INDEPENDENT, Window.USER),
        DecisionPoint("route", Semantics.EXCLUSIVE, Window.DECODE),
    ),
)


@dataclass
class ToyProgram:
    versions: dict[str, int] = field(default_factory=lambda: {"place:a": 1})
    looked: int = 0
    workflow: Workflow = WORKFLOW

    def next_call(self, turn: Mapping[str, Json], outputs: Mapping[str, Json]) -> StageCall | None:
        if turn.get("routed") and "route" not in outputs:
            return StageCall(ROUTE, self._asks(f"route {turn['pick']}"), Sharing.SESSION, uses=())
        if "look" not in outputs:
            return StageCall(LOOK, {"pick": turn["pick"]}, Sharing.TENANT, uses=())
        if "say" not in outputs:
            asks = self._asks(f"say {turn['pick']} {outputs['look']['seen']}")
            return StageCall(SAY, asks, Sharing.TENANT, uses=("look",))
        return None

    @staticmethod
    def _asks(prompt: str) -> dict[str, Json]:
        return {"messages": [{"role": "user", "content": prompt}], "max_tokens": 8, "temperature": 0, "model": "toy"}

    async def execute(self, call: StageCall, tools: StageTools) -> Result:
        if call.stage.name == "look":
            self.looked += 1
            return Result({"seen": "a"}, {"place:a": self.versions["place:a"]}, 1.0, {})
        text, engine_ms = "", 0.0
        async for piece in tools.engine.stream(EngineRequest(call.rendered, tools.request_id, tools.lane)):
            if isinstance(piece, Completion):
                engine_ms = piece.engine_ms
            else:
                text += piece.text
                if call.stage.name == "say":
                    await tools.emit(piece.text)
        return Result({"text": text}, {}, engine_ms, {})

    def shown(self, call: StageCall, output: Json) -> str:
        return output["text"] if call.stage.name == "say" else ""

    def candidates(self, stage: str, turn: Mapping[str, Json], outputs: Mapping[str, Json]) -> Sequence[Candidate]:
        return [
            Candidate(choice, rank, f"pick {choice}", {"pick": choice}, ("look", "say"))
            for rank, choice in enumerate(turn["offers"])
        ]

    def choice(self, stage: str, output: Json) -> str:
        return output["text"].strip()
