"""One training or evaluation example: a chat of system (the task), user and assistant (the answer)."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from apps.serving.names import Json


class Split(StrEnum):
    TRAIN = "train"
    HELD_OUT = "held_out"  # names, areas, streets and some phrasings that the other split never shows


@dataclass(frozen=True, slots=True)
class Example:
    """user: what the product would render; answer: what the model is to say; meta: for evaluation, never trained on"""

    task: str
    user: str
    answer: str
    meta: Mapping[str, Json] = field(default_factory=dict)

    def line(self) -> str:
        """As one line of JSON, keys in the order above."""
        return json.dumps(asdict(self), ensure_ascii=False)
