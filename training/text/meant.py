"""A message as it was meant, before it is typed."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.serving.names import Json
from training.text.talks import Talk


@dataclass(frozen=True, slots=True)
class Meant:
    """label: of the constant list; text: well spelt; gold: the request that a careful listener acts on"""

    talk: Talk
    label: str
    text: str
    gold: Mapping[str, Json]
