"""The engine request of the `understand` stage, in two dialects (setting PROMPTS).

terse       for the model trained on exactly this form: one word of system prompt
instructed  for any other model: the labels are explained to it

Both answer one label as a JSON string. The schema is the same for every message, so engines compile it once.
"""

from collections.abc import Mapping

from django.conf import settings

from apps.concierge.prompts import greedy_body
from apps.concierge.requests import is_confirmed_first
from apps.concierge.understand.labels import LABELS
from apps.serving.names import Json

TERSE_SYSTEM = "understand"
INSTRUCTED_SYSTEM = """You sort what a guest types to the concierge of a city. Answer with one label, a JSON string.
find restaurant|hotel|event|museum|ride|spa: wants such places (food, a bed, something fun, art, transport, wellness)
find: wants a place, but of which sort is not said
others: wants other places than those just shown
ask hours|price|address|directions|phone|rating|capacity|overview: asks that about one place, named or talked about
ask features: what a place offers; ask feature: whether it has one certain thing, like parking
book, change, cancel: wants to make, alter, call off a booking; bookings: wants to see the own bookings
yes, no: agrees to or refuses what was offered; else: wants something different altogether
hello, thanks, bye: small talk; menu: asks what you can do
outside: asks for what a city concierge does not do; unclear: makes no sense
A first line "about:" says what was talked about before."""
SCHEMA: Mapping[str, Json] = {"type": "string", "enum": list(LABELS)}
MOST_TOKENS = 12


def context_line(context: Mapping[str, Json]) -> str:
    """ "about: hotel", "about: restaurant, list": what is talked about, in a few tokens; "" at the start of a talk.

    First the service in focus, or "city" without one; then at most one state: "list" after a search that showed
    several places, "booking" while a day or time is chosen, "confirm" while yes or no is awaited, "change" while it
    is open what to change, "booked" when a booking of the guest's own was shown.
    """
    service = str((context.get("focus") or {}).get("service", ""))
    state = _state(context)
    if not service and not state:
        return ""
    return f"about: {service or 'city'}{', ' if state else ''}{state}"


def _state(context: Mapping[str, Json]) -> str:
    before = context.get("request") or {"op": ""}
    awaited = any(action["payload"]["op"] == "commit" for action in context.get("actions", []))
    if is_confirmed_first(before) and awaited:
        return "confirm"
    if before["op"] in ("book", "change"):
        return "booking" if before["op"] == "book" else "change"
    if before["op"] in ("find", "compare") and len(context.get("results", [])) > 1:
        return "list"
    return "booked" if context.get("ref") else ""


def user_text(message: str, context: Mapping[str, Json]) -> str:
    """What the model reads: the context line, if any, and the message (cleaned, cut)."""
    line = context_line(context)
    return f"{line}\n{message}" if line else message


def understand_body(user: str) -> dict[str, Json]:
    """The whole engine request for `user_text`."""
    system = TERSE_SYSTEM if settings.PROMPTS == "terse" else INSTRUCTED_SYSTEM
    return {
        **greedy_body([{"role": "system", "content": system}, {"role": "user", "content": user}]),
        "max_tokens": MOST_TOKENS,
        "response_format": {"type": "json_schema", "json_schema": {"name": "label", "schema": dict(SCHEMA)}},
    }
