"""How long one reply stage takes, alone and beside three others."""

import asyncio
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from apps.concierge.model_evaluation.items import SpeechItem
from apps.concierge.model_evaluation.stages import say
from apps.engines.base import Engine

ALONE, ROUNDS, AT_ONCE = 40, 10, 4


@dataclass(frozen=True, slots=True)
class Speed:
    """Medians, ms of a whole stage; None where there were too few replies."""

    alone_ms: float | None
    four_ms: float | None


async def speed(items: Sequence[SpeechItem], engine: Engine) -> Speed:
    """Over different replies, none asked twice, so that only the constant part of a prompt is cached."""
    replies = [item for item in items if item.task == "reply"]
    single, grouped = replies[:ALONE], replies[ALONE : ALONE + ROUNDS * AT_ONCE]
    alone = [(await say(item, engine)).ms for item in single]
    four: list[float] = []
    for start in range(0, len(grouped) - AT_ONCE + 1, AT_ONCE):
        together = grouped[start : start + AT_ONCE]
        four += [said.ms for said in await asyncio.gather(*(say(item, engine) for item in together))]
    return Speed(statistics.median(alone) if alone else None, statistics.median(four) if four else None)
