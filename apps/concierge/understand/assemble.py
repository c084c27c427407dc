"""From a label to the request that it means, with the slots that the rules found in the message."""

from collections.abc import Callable, Mapping, Sequence

from apps.concierge.requests import Request, request
from apps.concierge.understand.assemble_book import amended, book, cancel, change, corrects, switches
from apps.concierge.understand.assemble_find import find, find_some, others
from apps.concierge.understand.clean import says
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.labels import ASK, FIND
from apps.concierge.understand.questions import HAVING, ONE_MORE, asks, is_unknown, left_over, one_more, two_aspects
from apps.concierge.understand.seen import Seen
from apps.serving.names import Json

# With these some place is wished for, and nothing asked about the one talked about.
_SOME = r"something|anything|somewhere|anywhere|any|some|for|place|places"
# Beside a name these wish for other places than it.
_LIKE = r"near\w*|around|close|like|similar|others?|another|else|than|instead|not|after|before"


def assemble(label: str, seen: Seen) -> dict[str, Json]:
    """The request for one of LABELS; a label that cannot be met here (no place to ask about) gets the nearest one."""
    if label in FIND or label == "find":
        label = _instead_of_search(seen) or label
    if label in ASK or label in ("no", "others", "unclear"):
        label = "change" if _corrects_order(seen) else label
    if label in FIND:
        return find(seen, label.removeprefix("find "))
    if label in ASK:
        return _ask(seen, label.removeprefix("ask "))
    return _OTHER[label](seen)


def _instead_of_search(seen: Seen) -> str:
    """What a search is taken for: while an order waits, or of a place that is named, mostly none is wished for."""
    said = seen.mentions
    if seen.commit and seen.place and said.feature and not said.strong and asks(seen):
        return "ask feature"
    if _corrects_order(seen):
        return "change"
    if (
        ONE_MORE.match(seen.text)
        and not says(said.masked, _SOME)
        and seen.place
        and seen.place.service in seen.having
        and not said.strong
    ):
        return "ask feature"
    if not (said.places and said.sure) or says(said.masked, _LIKE):
        return ""
    return "book" if switches(seen) else "ask overview"


def _corrects_order(seen: Seen) -> bool:
    """Whether the message only says a day, a time or a number, while an order is under way."""
    under_way = seen.says_when and seen.order["op"] in ("book", "change")
    return under_way and not (_wishes(seen) or seen.cues.aspect or asks(seen))


def _ask(seen: Seen, aspect: str) -> dict[str, Json]:
    place = seen.place if aspect == "feature" and seen.mentions.feature else asked_about(seen)
    if place is None and aspect == "directions":
        return request("find", service="ride")
    if place is None:
        return find_some(seen) if seen.mentions.services else request("unclear")
    if is_unknown(seen, aspect):
        return request("ask", place=place.slug, aspect="unknown")
    if aspect == "overview" and (again := one_more(seen)):
        return request("ask", place=place.slug, **again)
    if aspect == "feature" and not seen.mentions.feature:
        aspect = "features"
    both = two_aspects(seen, place)
    first, also = both if len(both) == 2 and aspect in both else (aspect, "")
    return request("ask", place=place.slug, aspect=first, also=also, **_asked_of(seen, (first, also)))


def _asked_of(seen: Seen, aspects: Sequence[str]) -> dict[str, Json]:
    """Day, time and feature, for the aspects that have them. A time only with a day, said now or just before."""
    when, slots = seen.moment, dict[str, Json]()
    if "hours" in aspects:
        asked = seen.asked.get("day", "") if seen.asked["op"] == "ask" and when.exact_time else ""
        day = when.weekday or str(asked)
        slots |= {"day": day, "time": when.exact_time if day else ""}
    return slots | ({"feature": seen.mentions.feature} if "feature" in aspects else {})


def _find_some(seen: Seen) -> dict[str, Json]:
    """A question without any wish that a search knows is one about the place talked about."""
    wish = _wishes(seen) or seen.moment.day or seen.cues.best
    return find_some(seen) if wish else _unanswered(seen, "") or find_some(seen)


def _wishes(seen: Seen) -> bool:
    """Whether a word is said by which places are searched."""
    said = seen.mentions
    return bool(said.places or said.services or said.kinds or said.feature or said.area or said.price)


def _unanswered(seen: Seen, otherwise: str) -> dict[str, Json]:
    """A question about the place talked about has at least that place to ask; anything else is `otherwise`."""
    about = seen.named or seen.cues.refers or says(seen.mentions.masked, HAVING)
    place = asked_about(seen) if about and not seen.cues.outside and asks(seen) and left_over(seen) else None
    if place:
        return request("ask", place=place.slug, aspect="unknown")
    return request(otherwise) if otherwise else {}


def asked_about(seen: Seen) -> Known | None:
    """The place said, else the one in focus, unless the message is about places of another service."""
    if seen.named:
        return seen.named
    strong = seen.mentions.strong
    elsewhere = strong and seen.focus and seen.focus["service"] not in strong
    return None if elsewhere else seen.place


def _yes(seen: Seen) -> dict[str, Json]:
    """The order that waits for a yes, said again if it is not quite one; while a day is chosen, the first offered.

    What a yes says besides of day, time and number is done to that order, and is all that is taken.
    """
    if seen.commit:
        return seen.agreed(otherwise=amended(seen))
    if seen.says_when and seen.before["op"] in ("book", "change"):
        return dict(amended(seen))
    if seen.kept:
        return dict(seen.kept)
    actions = seen.context.get("actions", [])
    taken = next((a for a in actions if _begins(a, "yes")), None)
    if taken is None and seen.before["op"] == "book" and actions:
        taken = actions[0]
    return dict(taken["payload"]) if taken else request("menu")


def _no(seen: Seen) -> dict[str, Json]:
    taken = next((a for a in seen.context.get("actions", []) if _begins(a, "no")), None)
    if corrects(seen) or (seen.says_when and seen.order["op"] in ("book", "change")):
        return change(seen)
    if taken:
        return dict(taken["payload"])
    if seen.kept:
        return request("drop", place=seen.context["order"]["place"])
    return request("drop", place=seen.before["place"] if seen.before["op"] == "book" else None)


def _begins(action: Mapping[str, Json], word: str) -> bool:
    return str(action["label"]).lower().split()[0].strip(",") == word


def _else(seen: Seen) -> dict[str, Json]:
    offered = (a["payload"] for a in seen.context.get("actions", []) if a["payload"]["op"] == "else")
    return dict(next(offered, request("else", page=0)))


def _plain(op: str, **slots: Json) -> Callable[[Seen], dict[str, Json]]:
    asked: Request = request(op, **slots)
    return lambda seen: dict(asked)


_OTHER: Mapping[str, Callable[[Seen], dict[str, Json]]] = {
    "find": _find_some,
    "others": others,
    "book": book,
    "change": change,
    "cancel": cancel,
    "bookings": _plain("bookings"),
    "yes": _yes,
    "no": _no,
    "else": _else,
    "hello": _plain("chat", about="hello"),
    "thanks": _plain("chat", about="thanks"),
    "bye": _plain("chat", about="bye"),
    "menu": _plain("menu"),
    "outside": lambda seen: _unanswered(seen, "outside"),
    "unclear": lambda seen: _unanswered(seen, "unclear"),
}
