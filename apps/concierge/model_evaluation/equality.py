"""Whether the engine answers a prompt with the same bytes alone, again, beside others, and without its prefix cache."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from apps.engines.base import Engine, EngineRequest, Lane
from apps.engines.factory import make_engine
from apps.engines.llamacpp import LlamaCppEngine
from apps.engines.request_ids import new_request_id
from apps.runtime.engine_probes import answer, answers
from apps.runtime.engine_process import Target
from apps.serving.names import Json

AT_ONCE = 4
Body = Mapping[str, Json]


class ColdLlamaCpp(LlamaCppEngine):
    """Reads every prompt from its first token."""

    def extras(self, request: EngineRequest) -> dict[str, Json]:
        return {**super().extras(request), "cache_prompt": False}


@dataclass(slots=True)
class Equality:
    """equal[way]: prompts whose answer then has the bytes of the answer alone; a way that the engine lacks is absent"""

    prompts: int = 0
    equal: dict[str, int] = field(default_factory=dict)
    all_equal: int = 0
    different: list[str] = field(default_factory=list)


def cold_engine(target: Target) -> Engine | None:
    """None for a kind of engine that cannot be told to leave its cache aside for one request."""
    return ColdLlamaCpp(target.url, target.model, target.api_key) if target.kind == LlamaCppEngine.kind else None


async def equality(target: Target, bodies: Sequence[Body], said: Callable[[int], None]) -> Equality:
    """Ask each prompt in every way, four prompts at a time. `said` is told how many are done."""
    warm, cold = make_engine(target.kind, target.url, target.model, target.api_key), cold_engine(target)
    result = Equality()
    try:
        for start in range(0, len(bodies), AT_ONCE):
            group = bodies[start : start + AT_ONCE]
            _count(result, await _ways(warm, cold, group))
            said(result.prompts)
    finally:
        await warm.aclose()
        if cold is not None:
            await cold.aclose()
    return result


async def _ways(warm: Engine, cold: Engine | None, group: Sequence[Body]) -> dict[str, list[str]]:
    """Way -> the group's answers. Cold first, so that no way before it leaves the cache that it does without."""
    ways: dict[str, list[str]] = {}
    if cold is not None:
        ways["cold"] = [(await answer(cold, _asked(body))).text for body in group]
        ways["cold_four_at_once"] = [one.text for one in await answers(cold, [_asked(body) for body in group])]
    alone: list[str] = []
    again: list[str] = []
    for body in group:
        alone.append((await answer(warm, _asked(body))).text)
        again.append((await answer(warm, _asked(body))).text)
    together = await answers(warm, [_asked(body) for body in group])
    return {"alone": alone, "warm": again, "four_at_once": [one.text for one in together], **ways}


def _count(result: Equality, ways: Mapping[str, list[str]]) -> None:
    alone = ways["alone"]
    for way, texts in ways.items():
        if way != "alone":
            equal = sum(a == b for a, b in zip(alone, texts, strict=True))
            result.equal[way] = result.equal.get(way, 0) + equal
    for index, text in enumerate(alone):
        if all(texts[index] == text for texts in ways.values()):
            result.all_equal += 1
        else:
            result.different.append(" | ".join(f"{way}: {texts[index]}" for way, texts in ways.items()))
    result.prompts += len(alone)


def chosen(bodies: Sequence[Body], count: int, seed: int) -> list[Body]:
    """So many of the prompts, drawn without repeats; all where there are fewer."""
    return random.Random(seed).sample(list(bodies), min(count, len(bodies)))


def _asked(body: Body) -> EngineRequest:
    return EngineRequest(body, new_request_id(), Lane.CANONICAL)
