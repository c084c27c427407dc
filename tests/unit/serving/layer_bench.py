"""A layer over memory, for tests of the core alone."""

from itertools import count

from apps.serving.branch.candidates import proposal
from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchRecord
from apps.serving.config import Mode, ServingConfig
from apps.serving.demand import Demand, Terms
from apps.serving.gate.policy import PlainGate
from apps.serving.layer import Layer, Stores
from apps.serving.names import Coordinate, ReuseName, reuse_name
from apps.serving.outcomes import Miss, Result
from apps.serving.ports import Invalidated
from apps.serving.workflow import NORMAL, DecisionPoint, Lookup, Semantics, Stage, StageKind, Window, Workflow
from apps.stores.memory import MemoryStore

NOW = 1_000_000
LOOK = Stage("look", StageKind.TOOL, True, 1)
SAY = Stage("say", StageKind.MODEL, True, 1, kv_tokens=100)
BOOK = Stage("book", StageKind.TOOL, False, 1)
WORKFLOW = Workflow("toy", 1, (LOOK, SAY, BOOK), (DecisionPoint("say", Semantics.INDEPENDENT, Window.USER),))


class Bench:
    """A layer over memory, and short ways to bring a fill to where a test needs it."""

    def __init__(self, **config: int) -> None:
        self.store = MemoryStore()
        ids = count(1)
        self.layer = Layer(
            Stores(
                self.store.library,
                self.store.shadows,
                self.store.branches,
                self.store.records,
                self.store.reservations,
            ),
            PlainGate(),
            ServingConfig(**config),
            lambda: f"{next(ids):032x}",
        )
        self.store.records.publish({"place:a": 1}, NOW)

    def open(self, *choices: str, semantics: Semantics = Semantics.INDEPENDENT) -> tuple[str, list]:
        branch = BranchRecord(
            self.layer.new_id(), Coordinate("toy", 1, "say"), semantics, {"conversation": "c"}, NOW, NOW + 60_000
        )
        proposals = [
            proposal(WORKFLOW, choice, rank, f"action {choice}", {"pick": choice}, ("look", "say"))
            for rank, choice in enumerate(choices)
        ]
        return branch.branch_id, self.layer.on_branch_opened(branch, proposals, None, NOW)

    def chain(self, branch_id: str, choice: str):
        chains = [self.store.shadows.chain(c) for c in self.store.branches.chains(branch_id)]
        return next(chain for chain in chains if chain.choice == choice)

    def start(self, branch_id: str, choice: str, position: int = 0, upstream=()):
        fill_id = self.chain(branch_id, choice).fill_ids[position]
        name = self.name(choice, position)
        assert self.store.shadows.start(fill_id, name, "worker", NOW, upstream) is None
        return fill_id, name

    def shadow(self, branch_id: str, choice: str, position: int = 0):
        fill_id, name = self.start(branch_id, choice, position)
        result = Result({"text": choice}, {"place:a": 1}, 40.0, {})
        assert self.store.shadows.complete(fill_id, result, NOW, NOW + 60_000) is None
        return fill_id, name

    @staticmethod
    def name(choice: str, position: int = 0):
        return reuse_name("t/shared", "f" * 64, {"pick": choice, "position": position})

    @staticmethod
    def asked(
        name: ReuseName,
        mode: Mode = Mode.FULL,
        expected: str | None = None,
        stage: str = "look",
        lookup: Lookup = NORMAL,
    ) -> Demand:
        return Demand(name, "toy/1", stage, Terms(mode, lookup), expected)

    def demand(self, name: ReuseName, *asked: object, at_ms: int = NOW, **more: object):
        return self.layer.on_demand(self.asked(name, *asked, **more), at_ms)

    def keep(self, name: ReuseName, text: str = "x", lookup: Lookup = NORMAL) -> Miss | None:
        result = Result({"text": text}, {"place:a": 1}, 5.0, {})
        return self.layer.on_executed(self.asked(name, lookup=lookup), result, "canonical:1", NOW)

    def write(self, record: str, version: int) -> Invalidated:
        self.store.records.begin_write([record], "w", NOW + 5_000)
        return self.store.records.commit_write({record: version}, "w", NOW)

    def state(self, fill_id: str) -> FillState:
        return self.store.shadows.fill(fill_id).state

    def held(self) -> tuple[int, int]:
        return tuple(self.store.reservations.held(NOW))
