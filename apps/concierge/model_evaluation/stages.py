"""Runs one item through the product's own stages: rules, model, fact check, fallback. No database, no queue."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from apps.concierge.model_evaluation.items import SpeechItem, UnderstandItem
from apps.concierge.program import PROGRAM
from apps.concierge.requests import Request, chain_of
from apps.concierge.state import still_ahead
from apps.concierge.understand import gazetteer
from apps.engines.base import Engine, Lane
from apps.engines.request_ids import new_request_id
from apps.runtime.program import Asker, StageTools
from apps.runtime.scope import Scope
from apps.serving.config import Mode
from apps.serving.names import Json
from apps.serving.outcomes import Result
from apps.serving.workflow import StageCall

SCOPE = Scope("concierge", "evaluation", "evaluation", "evaluation", "evaluation", Mode.FLOOR)
# Before every order of a set: none of them is turned into a question because its day has passed.
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Heard:
    """request     what the product acts on
    ms          of the model's stage; None where rules decided
    fallback    an answer outside the schema
    choices     the requests among which the model chose; empty where rules decided
    """

    item: UnderstandItem
    request: Request
    ms: float | None
    fallback: bool
    choices: Sequence[Request] = ()

    @property
    def by_rule(self) -> bool:
        return self.ms is None

    @property
    def exact(self) -> bool:
        return self._accepts(self.request)

    @property
    def reachable(self) -> bool:
        """Whether some label would have been right: what rules put together bounds what any model can reach."""
        return self.exact or any(self._accepts(one) for one in self.choices)

    def _accepts(self, asked: Request) -> bool:
        return any(dict(asked) == still_ahead(one, self.item.now) for one in self.item.accepted)

    @property
    def intent(self) -> bool:
        """Whether the intent, with the service or the aspect it is about, is that of an accepted request."""
        return any(intent_of(self.request) == intent_of(still_ahead(one, self.item.now)) for one in self.item.accepted)


@dataclass(frozen=True, slots=True)
class Said:
    """text: all that was shown. fallback: plain sentences had to stand in for the model's. ms: of the stage"""

    item: SpeechItem
    text: str
    fallback: bool
    ms: float


def intent_of(asked: Request) -> tuple[str, ...]:
    """What a model's label can tell of a request."""
    order = asked["order"] if asked["op"] == "commit" else {}  # of other requests it is how places are sorted
    told = (asked["op"], asked.get("service"), asked.get("aspect"), asked.get("about"), order.get("do"))
    return tuple(str(word) for word in told if word)


async def hear(item: UnderstandItem, engine: Engine) -> Heard:
    """Raises EngineError when the engine gives no complete answer."""
    turn, call = understood_by_rules(item)
    if call is None:
        return Heard(item, turn["request"], None, False)
    result, ms = await _timed(call, engine)
    requests = turn["requests"]
    choices = tuple(requests.values())
    return Heard(item, requests[result.output["label"]], ms, bool(result.notes["fallback"]), choices)


def understood_by_rules(item: UnderstandItem) -> tuple[Mapping[str, Json], StageCall | None]:
    """The typed message's turn, and its `understand` call; None where the rules left nothing to decide."""
    with gazetteer.using(item.names):
        turn = PROGRAM.text_turn(item.text, item.context, Asker("evaluation", "", item.now))
        call = PROGRAM.next_call(turn, {})
    return turn, call if call is not None and call.stage.name == "understand" else None


async def say(item: SpeechItem, engine: Engine) -> Said:
    """Raises EngineError when the engine gives no complete answer."""
    result, ms = await _timed(speech_call(item), engine)
    return Said(item, str(result.output["text"]), bool(result.output["fallback"]), ms)


def speech_call(item: SpeechItem) -> StageCall:
    """The stage that the product runs on this request and what was found.

    Raises ValueError where the item's task is not that stage.
    """
    turn = PROGRAM.pick_turn(item.request, {}, Asker("evaluation", "", LONG_AGO))
    call = PROGRAM.next_call(turn, {chain_of(item.request)[0]: item.found})
    if call is None or call.stage.name != item.task:
        ran = "nothing" if call is None else call.stage.name
        raise ValueError(f"set {item.set_name}, line {item.number}: the product runs {ran}, not {item.task}")
    return call


async def _timed(call: StageCall, engine: Engine) -> tuple[Result, float]:
    """The result, and ms. What a stage shows is in its output too."""
    tools = StageTools(engine, Lane.CANONICAL, new_request_id(), _unseen, SCOPE)
    begun = time.perf_counter()
    result = await PROGRAM.execute(call, tools)
    return result, (time.perf_counter() - begun) * 1000


async def _unseen(text: str) -> None:
    """Nobody watches."""
