"""A message with all that the rules found in it, and the talk it came in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from apps.concierge.requests import Request
from apps.concierge.understand.clean import plain
from apps.concierge.understand.consent import agrees
from apps.concierge.understand.cues import REF, Cues, cues
from apps.concierge.understand.gazetteer import Gazetteer, Known
from apps.concierge.understand.mentions import Mentions, mentions
from apps.concierge.understand.moments import Moment, moment
from apps.serving.names import Json

_REF = re.compile(REF)


@dataclass(frozen=True)
class Seen:
    """shown: cleaned; text: plain; masked text is in `mentions`; names: what the rules know of the catalogue"""

    shown: str
    text: str
    mentions: Mentions
    moment: Moment
    cues: Cues
    context: Mapping[str, Json]
    names: Gazetteer

    @cached_property
    def focus(self) -> Mapping[str, Json]:
        return self.context.get("focus") or {}

    @cached_property
    def before(self) -> Request:
        """The request of the turn before."""
        return self.context.get("request") or {"op": ""}

    @cached_property
    def commit(self) -> Request | None:
        """What is carried out once the guest agrees; None when no order waits for that."""
        offered = (action["payload"] for action in self.context.get("actions", []))
        return next((payload for payload in offered if payload["op"] == "commit"), None)

    @cached_property
    def agrees(self) -> bool:
        """Whether the message says yes to that order, and nothing else."""
        return self.commit is not None and agrees(self.shown, str(self.commit["order"]["do"]))

    def agreed(self, otherwise: Request) -> dict[str, Json]:
        """The order carried out if the message agrees to it; without that, `otherwise`. The only way to a commit."""
        return dict(self.commit if self.commit and self.agrees else otherwise)

    @cached_property
    def search(self) -> Request:
        """The last search, be it some turns ago."""
        return self.before if self.before["op"] == "find" else self.context.get("search") or {"op": ""}

    @cached_property
    def results(self) -> list[str]:
        """Slugs of the places that the last search showed."""
        return [str(place["slug"]) for place in self.context.get("results", [])]

    @property
    def people(self) -> int | None:
        return self.moment.people or None

    @cached_property
    def ref(self) -> str:
        """The booking meant: the reference said, else the one shown before; "" without either."""
        said = next((word for word in self.text.split() if _is_ref(word)), "")
        return said.upper() or str(self.context.get("ref") or "")

    @cached_property
    def says_ref(self) -> bool:
        return any(_is_ref(word) for word in self.text.split())

    @cached_property
    def named(self) -> Known | None:
        """The place said: by name, else by its order among those shown."""
        if self.mentions.places:
            return self.mentions.places[0]
        return self._by_order()

    @cached_property
    def place(self) -> Known | None:
        """`named`, else the place in focus."""
        return self.named or (self.names.known(str(self.focus["slug"])) if self.focus else None)

    def _by_order(self) -> Known | None:
        shown, index = self.results, self.cues.ordinal
        if index is None and len(shown) == 2 and "other one" in self.text and self.focus:
            index = next((i for i, slug in enumerate(shown) if slug != self.focus["slug"]), None)
        if index is None or not -len(shown) <= index < len(shown):
            return None
        return self.names.known(shown[index])


def see(shown: str, context: Mapping[str, Json], today: date, names: Gazetteer) -> Seen:
    """`shown` is cleaned."""
    words = plain(shown)
    talked_of = [str(place["slug"]) for place in context.get("results", [])]
    if context.get("focus"):
        talked_of.append(str(context["focus"]["slug"]))
    found = mentions(words, names, talked_of)
    return Seen(shown, words, found, moment(found.masked, today), cues(found.masked), context, names)


def _is_ref(word: str) -> bool:
    return _REF.fullmatch(word) is not None
