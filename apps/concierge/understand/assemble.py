"""From a label to the request that it means, with the slots that the rules found in the message."""

from collections.abc import Callable, Mapping

from apps.concierge.requests import Request, request
from apps.concierge.understand.assemble_book import amended, book, cancel, change, corrects
from apps.concierge.understand.assemble_find import find, find_some, others
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.labels import ASK, FIND
from apps.concierge.understand.seen import Seen
from apps.serving.names import Json


def assemble(label: str, seen: Seen) -> dict[str, Json]:
    """The request for one of LABELS; a label that cannot be met here (no place to ask about) gets the nearest one."""
    if label in FIND:
        return find(seen, label.removeprefix("find "))
    if label in ASK:
        return _ask(seen, label.removeprefix("ask "))
    return _OTHER[label](seen)


def _ask(seen: Seen, aspect: str) -> dict[str, Json]:
    place = seen.place if aspect == "feature" and seen.mentions.feature else asked_about(seen)
    if place is None:
        return find_some(seen) if seen.mentions.services else request("unclear")
    if aspect == "hours":
        when = seen.moment
        # Only with a day: opening hours differ by weekday.
        time = when.exact_time if when.day else ""
        return request("ask", place=place.slug, aspect="hours", day=when.weekday, time=time)
    if aspect == "feature":
        if not seen.mentions.feature:
            return request("ask", place=place.slug, aspect="features")
        return request("ask", place=place.slug, aspect="feature", feature=seen.mentions.feature)
    return request("ask", place=place.slug, aspect=aspect)


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
    if taken:
        return dict(taken["payload"])
    if corrects(seen):
        return change(seen)
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
    "find": find_some,
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
    "outside": _plain("outside"),
    "unclear": _plain("unclear"),
}
