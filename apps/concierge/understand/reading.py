"""Reads a message: one certain request, or what it would mean under every label, for the model to choose."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from apps.concierge.requests import Request, request
from apps.concierge.understand import gazetteer
from apps.concierge.understand.assemble import assemble
from apps.concierge.understand.assemble_compare import compared
from apps.concierge.understand.clean import cleaned, says
from apps.concierge.understand.gazetteer import Gazetteer
from apps.concierge.understand.labels import LABELS
from apps.concierge.understand.languages import is_foreign
from apps.concierge.understand.prompt import user_text
from apps.concierge.understand.ranking import ranked
from apps.concierge.understand.seen import Seen, see
from apps.serving.names import Json

MODEL_CHARS = 240
_MUST_BOOK = (
    r"(?:do|should|must) (?:i|we) (?:really )?(?:have to |need to |need )?(?:book|reserve|a (?:booking|reservation))"
    r"(?: (?:ahead|first|in advance|a table|(?:a )?seats?|tickets?|there))*$"
    r"|(?:booking|reservation)s? (?:needed|required|necessary)"
    r"|walk[- ]ins?"
)
_NUMBER = re.compile(r"(?:option|number|action|choice|nr|the)? ?([1-5])")


@dataclass(frozen=True)
class Reading:
    """What the rules make of a message.

    likely    labels, best first, never empty: what the rules think; the first stands in for a model that fails
    certain   the request when no model is needed, else None
    user      what the model reads
    seen      what the rules found
    """

    likely: tuple[str, ...]
    certain: Request | None
    user: str
    seen: Seen

    @cached_property
    def requests(self) -> Mapping[str, Request]:
        """Label -> request, for every label; put together only for a message that is not certain."""
        return {label: assemble(label, self.seen) for label in LABELS}


def read(text: str, context: Mapping[str, Json], now: datetime, names: Gazetteer | None = None) -> Reading:
    """Read `text` in its conversation; names: by default the catalogue's as last refreshed.

    Same text, context, catalogue and day: same reading.
    """
    shown = cleaned(text)
    seen = see(shown, context, now.date(), names or gazetteer.current())
    ranking = ranked(seen)
    beyond = _foreign(seen) or _needs_booking(seen) or compared(seen)
    certain = (
        seen.resumed or _picked(seen) or beyond or (assemble(ranking.labels[0], seen) if ranking.certain else None)
    )
    return Reading(ranking.labels, certain, user_text(shown[:MODEL_CHARS], context), seen)


def _foreign(seen: Seen) -> Request | None:
    """Nothing of another language is guessed at; an order that waits stays."""
    return request("outside", about="language") if is_foreign(seen.shown, seen.mentions.masked) else None


def _needs_booking(seen: Seen) -> Request | None:
    """ "Do we have to book?" books nothing, and no record tells."""
    asked = seen.place is not None and says(seen.mentions.masked, _MUST_BOOK)
    return request("ask", place=seen.place.slug, aspect="unknown") if asked and seen.place else None


def _picked(seen: Seen) -> Request | None:
    """ "option 2" names an offered action by its place in the list; "1?" does not."""
    number, actions = _NUMBER.fullmatch(seen.text), seen.context.get("actions", [])
    if number is None or "?" in seen.shown or int(number[1]) > len(actions):
        return None
    return dict(actions[int(number[1]) - 1]["payload"])
