"""The `offer` stage: 2 to 5 actions that go on sensibly from what was just said; "Something else" is the last."""

from collections.abc import Callable, Mapping

from apps.concierge.catalogue import SERVICES
from apps.concierge.offer_book import (
    after_bookings,
    after_commit,
    after_confirm,
    what_to_change,
    when_to_book,
)
from apps.concierge.offer_place import after_ask, after_compare, after_find
from apps.concierge.offer_types import Offered, offered, something_else
from apps.concierge.requests import Request, is_confirmed_first, request
from apps.serving.names import Json

Rule = Callable[[Request, Mapping[str, Json], str], list[Offered]]
PAGES = (("restaurant", "hotel", "event"), ("museum", "ride", "spa"))


def offer(asked: Request, found: Mapping[str, Json], today: str) -> list[Offered]:
    """Actions after `asked`. `today` ("YYYY-MM-DD") is used only where `uses_today` says so."""
    rules: dict[str, Rule] = {
        "find": after_find,
        "ask": after_ask,
        "compare": after_compare,
        "book": when_to_book,
        "change": what_to_change,
        "bookings": after_bookings,
        "commit": after_commit,
        "drop": after_ask,
    }
    rule = after_confirm if is_confirmed_first(asked) else rules.get(str(asked["op"]), _menu)
    if asked["op"] in ("ask", "book", "drop") and not found.get("place"):
        rule = _menu
    actions = rule(asked, found, today)
    if not actions:
        actions = _menu(asked, found, today)
    page = int(asked.get("page", -1)) + 1 if asked["op"] == "else" else 0
    return [*actions[:4], something_else(page % (len(PAGES) + 1))]


def uses_today(asked: Request) -> bool:
    """Whether the offer after `asked` names days relative to today, so that its input must hold the date."""
    return asked["op"] in ("ask", "book", "change", "commit", "drop")


def _menu(asked: Request, found: Mapping[str, Json], today: str) -> list[Offered]:
    page = int(asked.get("page", 0)) if asked["op"] == "else" else 0
    if page >= len(PAGES):
        return [
            offered("Show my bookings", request("bookings")),
            offered("Best rated restaurant", request("find", service="restaurant", best=True)),
            offered("What can you do?", request("menu")),
        ]
    return [offered(f"Show {SERVICES[key].many}", request("find", service=key)) for key in PAGES[page]]
