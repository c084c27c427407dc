"""One fact: what kind it is, a plain sentence, and the values in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.serving.names import Json


@dataclass(frozen=True, slots=True)
class Fact:
    """about    what is said about the values, in a few plain words: a key of `fact_words.WORDINGS`
    text     the plain sentence: shown whenever no model's sentence passes
    values   phrases of `text`, in the order said, that any rewording keeps letter by letter
    name     the one name that `values` belong to; "" where there is none or several
    service  the key of the place's service; "" where none is known
    """

    about: str
    text: str
    values: tuple[str, ...]
    name: str = ""
    service: str = ""

    def as_json(self) -> dict[str, Json]:
        return {
            "about": self.about,
            "text": self.text,
            "values": list(self.values),
            "name": self.name,
            "service": self.service,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> "Fact":
        about, text, name, service = (str(data[key]) for key in ("about", "text", "name", "service"))
        return cls(about, text, tuple(map(str, data["values"])), name, service)


def fact(about: str, text: str, *values: str, name: str = "", service: object = "") -> Fact:
    return Fact(about, text, values, name, str(service))
