"""What every arm plays: conversations of picks and typed text, each with its think gap. Pure, by seed."""

from dataclasses import dataclass

import numpy as np

from apps.evaluation.klm import pick_gap_s, typing_gap_s

SHORTEST_CONVERSATION, LONGEST_CONVERSATION = 5, 8  # user turns
TYPED_FRAC = 1 / 6
TEXTS = (
    "a quiet place for dinner tonight",
    "find me a cheap hotel for tomorrow",
    "what is on this weekend?",
    "I need a ride to the station",
    "somewhere vegetarian with a terrace",
    "which one is the cheapest?",
    "is there anything closer to the river?",
    "a museum that is open on Sunday",
    "table for two at 19:30",
    "what else do you have?",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One user turn.

    kind      "pick" or "text"
    position  where in the offer the pick lands, in [0, 1): see `index`
    text      what is typed; a pick types it when there is no offer to pick from
    gap_s     seconds between the offer being shown and this turn being sent
    """

    kind: str
    position: float
    text: str
    gap_s: float

    def index(self, offered: int) -> int:
        """The action picked of `offered` >= 1, uniform over them, and the same in every arm."""
        return int(self.position * offered)


@dataclass(frozen=True, slots=True)
class Script:
    """One conversation."""

    steps: tuple[Step, ...]


def step(rng: np.random.Generator, typed_frac: float) -> Step:
    kind = "text" if rng.random() < typed_frac else "pick"
    position = float(rng.random())
    text = TEXTS[int(rng.integers(len(TEXTS)))]
    gap_s = typing_gap_s(text, rng) if kind == "text" else pick_gap_s(rng)
    return Step(kind, position, text, gap_s)


def schedule(turns: int, seed: int, typed_frac: float = TYPED_FRAC) -> tuple[Script, ...]:
    """Conversations with `turns` user turns in all; the last one may be short.

    Each conversation has a generator of its own, so a longer schedule begins with the shorter one's
    conversations.
    """
    scripts: list[Script] = []
    left = turns
    while left > 0:
        rng = np.random.default_rng([seed, len(scripts)])
        length = int(rng.integers(SHORTEST_CONVERSATION, LONGEST_CONVERSATION + 1))
        steps = tuple(step(rng, typed_frac) for _ in range(length))[:left]
        scripts.append(Script(steps))
        left -= len(steps)
    return tuple(scripts)
