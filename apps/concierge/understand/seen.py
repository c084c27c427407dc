"""A message with all that the rules found in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.concierge.requests import Request
from apps.concierge.understand.cues import Cues
from apps.concierge.understand.gazetteer import Known, current
from apps.concierge.understand.mentions import Mentions
from apps.concierge.understand.moments import Moment
from apps.serving.names import Json


@dataclass(frozen=True, slots=True)
class Option:
    """One reading. label: how the model is told of it, without names of keys"""

    label: str
    request: Request


def option(label: str, asked: Request) -> Option:
    return Option(label, dict(asked))


@dataclass(frozen=True, slots=True)
class Seen:
    text: str
    mentions: Mentions
    moment: Moment
    cues: Cues
    context: Mapping[str, Json]

    @property
    def focus(self) -> Mapping[str, Json]:
        return self.context.get("focus") or {}

    @property
    def before(self) -> Request:
        """The request of the turn before."""
        return self.context.get("request") or {"op": ""}

    @property
    def people(self) -> int | None:
        return self.moment.people or None

    @property
    def named(self) -> tuple[Known, ...]:
        """The places meant: named ones, else the one referred to by order or pronoun, else none."""
        if self.mentions.places:
            return self.mentions.places[:1] if self.mentions.sure else self.mentions.places
        results = self.context.get("results", [])
        index = self.cues.ordinal
        if index is not None and results and index < len(results):
            return _known(str(results[index]["slug"]))
        return ()

    @property
    def place(self) -> tuple[Known, ...]:
        """`named`, else the place in focus."""
        return self.named or (_known(str(self.focus["slug"])) if self.focus else ())


def _known(slug: str) -> tuple[Known, ...]:
    return tuple(known for known in current().places if known.slug == slug)
