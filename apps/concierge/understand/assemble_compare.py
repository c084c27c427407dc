"""Comparisons from what a message says."""

from apps.concierge.requests import Request, request
from apps.concierge.understand.clean import says
from apps.concierge.understand.comparing import MOST, all_named, compares, order_of, points_at_shown
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.seen import Seen
from apps.serving.names import Json

# "Something cheaper than that" wishes for another place.
_WISHES = r"something|anything|somewhere|anywhere|any|another|others?|place|places|find|show|want|like|need"
_EACH = r"which (?:one|is|has|of the two)"
_ASKED = ("hours", "price", "address", "directions", "rating", "capacity", "features")


def compared(seen: Seen) -> Request | None:
    """A comparison of the places named, of the one named with that in focus, or of those shown; None if it is none."""
    text = seen.mentions.masked
    if seen.cues.intent in ("cancel", "change", "bookings"):
        return None
    aspect = compares(text)
    places = _compared_places(seen, aspect)
    if len(places) < 2:
        return None
    about = aspect or _asked(seen)
    slugs: list[Json] = [place.slug for place in places]
    slots: dict[str, Json] = {"feature": seen.mentions.feature} if about == "feature" else {}
    if about == "hours":
        slots = {"day": seen.moment.weekday, "time": seen.moment.exact_time if seen.moment.day else ""}
    return request("compare", places=slugs, aspect=about, order=order_of(text), **slots)


def _asked(seen: Seen) -> str:
    if seen.mentions.feature:
        return "feature"
    return "hours" if seen.moment.day else seen.cues.aspect if seen.cues.aspect in _ASKED else ""


def _compared_places(seen: Seen, aspect: str) -> list[Known]:
    text, said = seen.mentions.masked, seen.mentions
    about = aspect or _asked(seen)
    if not about:
        return []
    if said.places:
        return _with_named(seen, aspect) if said.sure else []
    shown = [place for place in map(seen.names.known, seen.results[:MOST]) if place]
    new = said.area or said.kinds or any(service != seen.search.get("service") for service in said.strong)
    pointed = points_at_shown(text) if aspect else says(text, _EACH)
    return shown if pointed and not new and seen.cues.ordinal is None else []


def _with_named(seen: Seen, aspect: str) -> list[Known]:
    """Those named; one alone is compared with that in focus, unless others like it are wished for."""
    named = all_named(seen.text, seen.names, [str(seen.focus.get("slug", "")), *seen.results])
    if len(named) != 1:
        return named if aspect or says(seen.text, r"or|and|both|than") else []
    focus = seen.names.known(str(seen.focus.get("slug", "")))
    alone = focus is None or focus == named[0] or focus.service != named[0].service
    plain_word = aspect in ("price", "capacity") or (aspect and says(seen.text, r"than|or|this|compare\w*|difference"))
    return [] if alone or not plain_word or says(seen.mentions.masked, _WISHES) else [named[0], focus]
