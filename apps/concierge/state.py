"""What one turn leaves for the next, and what a stage sees of another's output."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from apps.concierge.requests import Request
from apps.serving.names import Json

# What `offer` uses of a place; more would split its name for a change that cannot matter.
OFFER_KEYS = ("slug", "name", "service", "area", "hours")


def offer_view(found: Mapping[str, Json]) -> dict[str, Json]:
    """A lookup's or commit's output, less what no offered action depends on."""
    view = dict(found)
    if view.get("place"):
        view["place"] = {key: view["place"][key] for key in OFFER_KEYS}
    if "places" in view:
        view["places"] = [{k: p[k] for k in OFFER_KEYS if k in p} for p in view["places"]]
    view.pop("total", None)
    view.pop("given_up", None)
    return view


def still_ahead(asked: Request, now: datetime) -> dict[str, Json]:
    """A booking for a moment that has passed becomes the question when to book; anything else is unchanged."""
    order = asked.get("order", {}) if asked["op"] == "commit" else asked
    if not order.get("day") or asked["op"] not in ("book", "commit", "change"):
        return dict(asked)
    today, clock = now.date().isoformat(), now.strftime("%H:%M")
    if str(order["day"]) > today or (order["day"] == today and str(order.get("time", "24:00")) > clock):
        return dict(asked)
    if "ref" in order:
        return {"op": "change", "ref": order["ref"]}
    return {"op": "book", "place": order["place"], "people": order.get("people", 2)}


def context_after(
    asked: Request | None, outputs: Mapping[str, Json], actions: Sequence[Json], talk: Mapping[str, Json]
) -> dict[str, Json]:
    """What later words may refer to: the offered actions, the place in focus, the booking, and the last search.

    talk: `search` and `results` of the turn before; they stay until another search takes their place.
    """
    found = outputs.get("commit", outputs.get("lookup", {}))
    places = [{"slug": p["slug"], "name": p["name"]} for p in found.get("places", [])]
    searched = asked is not None and asked["op"] == "find"
    booking = found.get("booking") or (found["bookings"][0] if found.get("bookings") else None)
    focus = found.get("place") or (found["places"][0] if found.get("places") else None) or {}
    context: dict[str, Json] = {
        "actions": [{"label": a["label"], "payload": a["payload"]} for a in actions],
        "request": dict(asked) if asked else None,
        "search": dict(asked) if asked and searched else talk.get("search"),
        "results": places if searched else talk.get("results", []),
        "focus": {key: focus[key] for key in ("slug", "name", "service", "area") if key in focus},
        "ref": booking["ref"] if booking else None,
    }
    if booking and not focus:
        context["focus"] = {"slug": booking["place"], **{key: booking[key] for key in ("name", "service", "area")}}
    return context
