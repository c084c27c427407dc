"""One fact: what kind it is, a plain sentence, and the values in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.concierge.catalogue import SERVICES
from apps.serving.names import Json


@dataclass(frozen=True, slots=True)
class Fact:
    """kind    what is said about the values, in a few plain words: a key of `fact_words.WORDINGS`, followed by the
            service of the place where that is known: "open on day restaurant"
    text    the plain sentence: shown whenever no model's sentence passes
    values  phrases of `text`, in the order said, that any rewording keeps letter by letter
    name    the one name that `values` belong to; "" where there is none or several
    """

    kind: str
    text: str
    values: tuple[str, ...]
    name: str = ""

    @property
    def about(self) -> str:
        """The kind without the service."""
        start, _, last = self.kind.rpartition(" ")
        return start if start and last in SERVICES else self.kind

    @property
    def service(self) -> str:
        """The service's key; "" where the kind names none."""
        return self.kind.removeprefix(self.about).strip()

    def as_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "text": self.text, "values": list(self.values), "name": self.name}

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> "Fact":
        return cls(str(data["kind"]), str(data["text"]), tuple(data["values"]), str(data["name"]))


def fact(kind: str, text: str, *values: str, name: str = "") -> Fact:
    return Fact(kind, text, values, name)
