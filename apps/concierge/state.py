"""What one turn leaves for the next, and what a stage sees of another's output."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from apps.concierge.requests import Request, is_confirmed_first
from apps.serving.names import Json

# What `offer` uses of a place; more would split its name for a change that cannot matter.
OFFER_KEYS = ("slug", "name", "service", "area", "hours")
_WORTH_KEYS = ("slug", "price", "rating")
# After these the talk is still about the same place and booking.
_ASIDES = ("chat", "outside", "unclear")
_BOOKED_KEYS = ("ref", "place", "service", "day", "time", "people")
MOST_BOOKED = 20


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

    talk: what the turn before left: `search` and `results` stay until another search takes their place, `focus` and
    `ref` while nothing is asked of the catalogue.
    """
    found = outputs.get("commit", outputs.get("lookup", {}))
    places = [{"slug": p["slug"], "name": p["name"]} for p in found.get("places", [])]
    searched = asked is not None and asked["op"] == "find"
    listed = searched or (asked is not None and asked["op"] == "compare")
    booking = found.get("booking") or (found["bookings"][0] if found.get("bookings") else None)
    stays = asked is not None and asked["op"] in (*_ASIDES, "drop")
    shown = found.get("place") or (found["places"][0] if found.get("places") else None)
    focus = shown or (talk.get("focus") if stays else None) or {}
    context: dict[str, Json] = {
        "actions": [{"label": a["label"], "payload": a["payload"]} for a in actions],
        "request": dict(asked) if asked else None,
        "search": dict(asked) if asked and searched else talk.get("search"),
        "results": places if listed else talk.get("results", []),
        "focus": {key: focus[key] for key in ("slug", "name", "service", "area") if key in focus},
        "ref": booking["ref"] if booking else talk.get("ref") if stays else None,
    }
    if booking and not focus:
        context["focus"] = {"slug": booking["place"], **{key: booking[key] for key in ("name", "service", "area")}}
    return context


def with_orders(context: Mapping[str, Json], outputs: Mapping[str, Json], talk: Mapping[str, Json]) -> dict[str, Json]:
    """`context` with the order that is still open, the guest's bookings as last seen, and what the results cost.

    worth   rows of slug, price and rating of the places last listed: by them "the cheaper one" is found
    order   {"asked": its request, "place": its slug}; it stays through small talk and questions about its place
    booked  rows of ref, place, service, day, time and people, in the order last listed; the newest is the last
    """
    found = outputs.get("commit", outputs.get("lookup", {}))
    kept = {
        "order": _open_order(context, talk.get("order")),
        "booked": _booked(found, talk.get("booked", [])),
        "worth": [{key: p[key] for key in _WORTH_KEYS} for p in found.get("places", [])] or talk.get("worth"),
    }
    return {**context, **{key: value for key, value in kept.items() if value}}


def _open_order(context: Mapping[str, Json], before: Mapping[str, Json] | None) -> dict[str, Json] | None:
    asked, place = context["request"] or {"op": ""}, context["focus"].get("slug")
    if asked["op"] in ("book", "change", "cancel"):
        awaited = any(action["payload"]["op"] == "commit" for action in context["actions"])
        return {"asked": asked, "place": place} if place and (awaited or not is_confirmed_first(asked)) else None
    if before is None:
        return None
    here = asked["op"] in _ASIDES or (asked["op"] == "ask" and asked["place"] == before["place"])
    return dict(before) if here else None


def _booked(found: Mapping[str, Json], before: Sequence[Json]) -> list[Json]:
    if "bookings" in found:
        return [_brief(row) for row in found["bookings"][:MOST_BOOKED]]
    row = found.get("booking")
    if not row:
        return list(before)
    others = [other for other in before if other["ref"] != row["ref"]]
    cancelled = found.get("do") == "cancel" and found["ok"]
    return others if cancelled else [*others, _brief(row)][-MOST_BOOKED:]


def _brief(row: Mapping[str, Json]) -> dict[str, Json]:
    return {key: row[key] for key in _BOOKED_KEYS}
