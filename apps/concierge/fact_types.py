"""One fact: a plain sentence and the values in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.serving.names import Json


@dataclass(frozen=True, slots=True)
class Fact:
    """values  phrases of `text`, in the order said, that any rewording keeps letter by letter
    name    the one name that `values` belong to; "" where there is none or several
    """

    text: str
    values: tuple[str, ...]
    name: str = ""

    def as_json(self) -> dict[str, Json]:
        return {"text": self.text, "values": list(self.values), "name": self.name}

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> "Fact":
        return cls(str(data["text"]), tuple(data["values"]), str(data["name"]))


def fact(text: str, *values: str, name: str = "") -> Fact:
    return Fact(text, values, name)
