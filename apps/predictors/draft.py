"""A small draft model, sampled N times; a candidate ranks by how often it was named."""

import asyncio
import re
import threading
from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from apps.predictors.interface import Box
from apps.serving.branch.candidates import Context, Guess
from apps.serving.names import Coordinate

NUMBER = re.compile(r"\d+")
MOST_READ_CHARS = 4_000  # of the text read last: a draft model is small, and so is its context


class Sampler(Protocol):
    """One answer of a draft model to one prompt; `apps/engines/sampling.py` has it for every engine."""

    async def __call__(self, prompt: str, seed: int) -> str: ...


@dataclass(frozen=True, slots=True)
class DraftConfig:
    """samples  how often the model is asked at each branch, all at once, >= 1"""

    samples: int = 5


class DraftModel:
    """`Predictor`. After every answer it says what was named so far; equally often named ones keep their order.

    loop  runs the sampler: the loop that its engine was made on. Its thread must not be one that waits for a predictor.
    A sample that fails names nothing; when all fail the first failure is raised.
    """

    def __init__(self, sampler: Sampler, loop: asyncio.AbstractEventLoop, config: DraftConfig | None = None) -> None:
        self._sampler, self._loop, self._config = sampler, loop, config or DraftConfig()

    def predict(self, coordinate: Coordinate, context: Context, box: Box) -> None:
        ended = threading.Event()
        failures: list[BaseException] = []

        def over(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and (failure := task.exception()) is not None:
                failures.append(failure)
            ended.set()

        def begin() -> None:
            task = self._loop.create_task(self._sample(context, box))
            task.add_done_callback(over)
            box.at_close(self._loop, task.cancel)

        self._loop.call_soon_threadsafe(begin)
        # Also after the deadline: a sampler that will not end keeps its place among the calls in progress.
        ended.wait()
        if failures:
            raise failures[0]

    async def _sample(self, context: Context, box: Box) -> None:
        prompt, named = prompt_for(context), Counter[str]()

        async def one(seed: int) -> None:
            choice = named_in(await self._sampler(prompt, seed), context)
            if choice is not None:
                named[choice] += 1
                box.say([Guess(choice, times) for choice, times in _in_order(named, context)])

        samples = (one(seed) for seed in range(self._config.samples))
        outcomes = await asyncio.gather(*samples, return_exceptions=True)
        failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        if len(failures) == len(outcomes):
            raise failures[0]


def _in_order(named: Counter[str], context: Context) -> list[tuple[str, int]]:
    places = {option.choice: place for place, option in enumerate(context.offered)}
    return sorted(named.items(), key=lambda one: (-one[1], places.get(one[0], 0)))


def prompt_for(context: Context) -> str:
    """Asks for one of the numbered labels, or, where nothing is offered, for what will be looked up next."""
    read = "\n\n".join(context.read)[-MOST_READ_CHARS:]
    parts = [f"Read so far:\n{read}"] if read else []
    if context.recent:
        parts.append(f"Chosen before: {'; '.join(context.recent[-5:])}")
    if context.wanted:
        parts.append(f"Last said:\n{context.wanted}")
    if context.offered:
        labels = "\n".join(f"{number}. {option.label}" for number, option in enumerate(context.offered, start=1))
        parts.append(f"Which of these will be chosen next?\n{labels}\nAnswer with its number only.")
    else:
        parts.append("What will be looked up next? Answer with its name only.")
    return "\n\n".join(parts)


def named_in(answer: str, context: Context) -> str | None:
    """The one candidate that an answer names: by its label, or by a number that stands alone in it."""
    first_line, *_ = answer.strip().splitlines() or [""]
    text = first_line.strip(" \t\"'`*.")
    if not context.offered:
        return text or None
    for option in context.offered:
        if text.casefold() == option.label.casefold():
            return option.choice
    numbers = set(NUMBER.findall(text))
    if len(numbers) != 1 or len(number := numbers.pop()) > 4:  # int() of a very long one raises
        return None
    place = int(number) - 1
    return context.offered[place].choice if 0 <= place < len(context.offered) else None
