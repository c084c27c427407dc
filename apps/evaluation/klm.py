"""Think gaps drawn from the Keystroke-Level Model.

Source: Card, Moran and Newell, "The Keystroke-Level Model for User Performance Time with Interactive Systems",
Communications of the ACM 23(7), 1980. Means and spreads, in seconds:

| operator | what a person does                      | mean | spread (standard deviation)                          |
|----------|-----------------------------------------|------|------------------------------------------------------|
| M        | mentally prepares: reads, decides       | 1.35 | 1.1, as stated there                                 |
| H        | moves the hand to the mouse             | 0.40 | 0.1 [ours: the paper gives none]                     |
| P        | points at a target                      | 1.10 | 0.2: the paper's range 0.8 to 1.5 as about ±2 sigma  |
| B        | presses or releases the mouse button    | 0.10 | 0.03 [ours]                                          |
| K        | presses one key, an average typist      | 0.20 | 0.08: spread between its skilled and average typists |

A time is never negative and its tail is long, so each operator is log-normal with that mean and deviation. A
pick is M H P B B: mean 3.05 s, median 2.77 s. Typed text is M and one K for each character and the Enter key;
the typist's speed is drawn once for a message.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Operator:
    """mean_s and spread_s (one standard deviation), both > 0, seconds."""

    mean_s: float
    spread_s: float

    def draw_s(self, rng: np.random.Generator) -> float:
        variance = float(np.log1p((self.spread_s / self.mean_s) ** 2))
        return float(rng.lognormal(np.log(self.mean_s) - variance / 2, np.sqrt(variance)))


MENTAL = Operator(1.35, 1.1)
HOMING = Operator(0.40, 0.1)
POINTING = Operator(1.10, 0.2)
BUTTON = Operator(0.10, 0.03)
KEYSTROKE = Operator(0.20, 0.08)
PICK = (MENTAL, HOMING, POINTING, BUTTON, BUTTON)


def pick_gap_s(rng: np.random.Generator) -> float:
    """Seconds from the offer being shown to the click on one of its actions."""
    return sum(operator.draw_s(rng) for operator in PICK)


def typing_gap_s(text: str, rng: np.random.Generator) -> float:
    """Seconds from the offer being shown to the Enter key behind `text`."""
    return MENTAL.draw_s(rng) + KEYSTROKE.draw_s(rng) * (len(text) + 1)
