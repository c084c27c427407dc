"""The declared shape of a workflow: stages, decision points, and which stages are safe to run twice. §3.1"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from apps.serving.errors import UnknownStage
from apps.serving.names import Coordinate, Json, digest


class StageKind(StrEnum):
    MODEL = "model"
    TOOL = "tool"


class Semantics(StrEnum):
    EXCLUSIVE = "exclusive"  # one winner; losers are aborted at selection
    INDEPENDENT = "independent"  # completed fills stay eligible until demanded or expired


class Window(StrEnum):
    DECODE = "decode"  # the branch waits for a model
    USER = "user"  # the branch waits for a person


class Sharing(StrEnum):
    TENANT = "tenant"  # no user text in the input: any session of the tenant may use the result
    SESSION = "session"  # a user's own words are in the input


class LookupMode(StrEnum):
    """What a demand allows, as a caller or a template's stage asks."""

    NORMAL = "normal"  # served if it can be, kept when it had to run
    REFRESH = "refresh"  # never served; runs, and replaces what is kept
    NO_STORE = "no-store"  # may be served; what it runs itself, or takes from a shadow, is not kept
    ONLY_IF_CACHED = "only-if-cached"  # served or refused; never runs, nor waits for what runs
    BYPASS = "bypass"  # never served and not kept: refresh and no-store in one


@dataclass(frozen=True, slots=True)
class Lookup:
    """max_age_ms  an entry confirmed longer ago does not serve; None for any age"""

    mode: LookupMode = LookupMode.NORMAL
    max_age_ms: int | None = None


NORMAL = Lookup()


@dataclass(frozen=True, slots=True)
class Stage:
    """One model or tool call.

    speculable    no external effect, and the same result for the same input and record versions
    code_version  changes with every change of the code that turns input into output
    kv_tokens     most KV that one execution holds: prompt bound + max_tokens; 0 for a tool
    lookup        how its demands are looked up, unless the caller asks otherwise
    """

    name: str
    kind: StageKind
    speculable: bool
    code_version: int
    kv_tokens: int = 0
    lookup: Lookup = NORMAL


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A stage whose output, or a user's pick after it, selects what runs next."""

    stage: str
    semantics: Semantics
    window: Window


@dataclass(frozen=True, slots=True)
class Workflow:
    name: str
    version: int
    stages: tuple[Stage, ...]
    decision_points: tuple[DecisionPoint, ...]

    def stage(self, name: str) -> Stage:
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise UnknownStage(self.name, name, tuple(s.name for s in self.stages))

    def decision_point(self, stage: str) -> DecisionPoint:
        for point in self.decision_points:
            if point.stage == stage:
                return point
        raise UnknownStage(self.name, stage, tuple(p.stage for p in self.decision_points))

    def coordinate(self, stage: str) -> Coordinate:
        """Address of the decision point at `stage`; depends on nothing at run time."""
        return Coordinate(self.name, self.version, self.decision_point(stage).stage)


@dataclass(frozen=True, slots=True)
class StageCall:
    """One stage on its complete rendered input `q`; what a demand and a fill both are.

    rendered  every field that can determine the output (for a model stage: the whole engine request,
              and whatever the stage's own code uses after it)
    uses      stages of this run whose outputs entered `rendered`: its producer edges. None: every stage before
              it, since provenance that is not known extends a cascade, never shortens it
    """

    stage: Stage
    rendered: Mapping[str, Json]
    sharing: Sharing
    uses: tuple[str, ...] | None = None


def fingerprint(workflow: Workflow, stage: Stage, executor: Mapping[str, Json]) -> str:
    """fp(v): workflow, stage, stage code version and, for a model stage, the whole executor identity.

    executor  engine kind, version, backend, determinism, model and its revision, and what else decides that engine's
              answers; ignored for tools
    Execution parameters and tool schemas need no place here: they are in the rendered input, which is named whole.
    What is in neither stands, with its reason, in serving/subtracted.py.
    """
    return digest(
        {
            "workflow": [workflow.name, workflow.version],
            "stage": [stage.name, stage.kind, stage.code_version],
            "executor": dict(executor) if stage.kind is StageKind.MODEL else {},
        }
    )
