"""The whole evaluation on one engine: understand, reply and confirm, equal bytes, speed, attack."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from apps.concierge.model_evaluation.atoms import AtomKind
from apps.concierge.model_evaluation.attack import attack
from apps.concierge.model_evaluation.equality import Body, chosen, equality
from apps.concierge.model_evaluation.expected import expected
from apps.concierge.model_evaluation.items import Item, speech_items, understand_items
from apps.concierge.model_evaluation.judge import COMMON_TERMS, Judge
from apps.concierge.model_evaluation.progress import Progress
from apps.concierge.model_evaluation.report import Evaluation, Judged
from apps.concierge.model_evaluation.speed import ALONE, AT_ONCE, ROUNDS, speed
from apps.concierge.model_evaluation.stages import Said, hear, say, speech_call, understood_by_rules
from apps.engines.factory import make_engine
from apps.runtime.engine_process import Target

Log = Callable[[str], object]
OneItem, OneResult = TypeVar("OneItem"), TypeVar("OneResult")


@dataclass(frozen=True, slots=True)
class Plan:
    """concurrency: stages at once, >= 1; prompts: of the equality check, 0 for none of it"""

    items: Sequence[Item]
    concurrency: int
    prompts: int
    attack: bool
    seed: int


async def evaluate(target: Target, plan: Plan, log: Log) -> Evaluation:
    """Raises EngineError when the engine fails, and ValueError when an item does not fit the product's stages."""
    engine = make_engine(target.kind, target.url, target.model, target.api_key)
    result, judge = Evaluation(alone=plan.concurrency == 1), judge_of(plan.items)
    speech = list(speech_items(plan.items))
    try:
        heard = list(understand_items(plan.items))
        result.heard = await _each(
            heard, lambda one: hear(one, engine), plan.concurrency, Progress("understand", len(heard), log)
        )
        said = await _each(speech, lambda one: say(one, engine), plan.concurrency, Progress("speech", len(speech), log))
        result.judged = [judged(one, judge) for one in said]
        if speech:
            log(f"speed: {ALONE} replies alone, then {ROUNDS} times {AT_ONCE} at once")
            result.speed = await speed(speech, engine)
    finally:
        await engine.aclose()
    if plan.prompts:
        bodies = chosen(prompts_of(plan.items), plan.prompts, plan.seed)
        result.equality = await equality(target, bodies, Progress("equality", len(bodies), log).reached)
    if plan.attack:
        result.attacked = await attack(said, judge, plan.seed, Progress("attack", len(said), log).one_more)
    return result


async def _each(
    items: Sequence[OneItem],
    run: Callable[[OneItem], Awaitable[OneResult]],
    concurrency: int,
    progress: Progress,
) -> list[OneResult]:
    """The results, in the order of the items; so many run at once."""
    free = asyncio.Semaphore(concurrency)

    async def one(item: OneItem) -> OneResult:
        async with free:
            result = await run(item)
        progress.one_more()
        return result

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(item)) for item in items]
    except ExceptionGroup as failed:  # the first failure ended the others
        raise failed.exceptions[0] from failed
    return [task.result() for task in tasks]


def judge_of(items: Sequence[Item]) -> Judge:
    """With the terms of every catalogue and fact of the items, so that a stranger's feature is known as one."""
    terms = set(COMMON_TERMS)
    for item in understand_items(items):
        terms |= {feature.lower() for feature in item.names.features}
        terms |= {place.kind.lower() for place in item.names.places}
    for item in speech_items(items):
        supported = expected(item.request, item.found).supported
        terms |= {atom.value for atom in supported if atom.kind is AtomKind.TERM}
    return Judge(frozenset(terms))


def judged(said: Said, judge: Judge) -> Judged:
    return Judged(said, judge.faults(said.text, expected(said.item.request, said.item.found)))


def prompts_of(items: Sequence[Item]) -> list[Body]:
    """The engine request of every model stage that the items walk: the product's real mix."""
    heard = [understood_by_rules(item)[1] for item in understand_items(items)]
    calls = [*filter(None, heard), *(speech_call(item) for item in speech_items(items))]
    return [call.rendered["body"] for call in calls]
