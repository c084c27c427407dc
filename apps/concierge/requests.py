"""A request: what a turn asks for, free of any user's words. Offered actions and typed text both become one.

op        further keys
start     –                                      the greeting
menu      –                                      what the concierge can do
find      service, area?, kind?, feature?, price?, day?, time?, skip?, best?, order?
                                                 order: "price" or "-price" (the dearest first); else by rating
ask       place, aspect, also?, day?, time?, feature?
                                                 day is a weekday's key; also: a second aspect; aspect "unknown":
                                                 something that no record tells
compare   places, aspect, order?, day?, time?, feature?
                                                 order: the key by which the places are told, "-" for the most first
book      place, day?, time?, people?            complete with all three; day is a date
bookings  –                                      the session's own
change    ref, day?, time?, people?              complete with any of the three
cancel    ref
commit    order                                  what `services.run_operation` carries out
drop      place?                                 the offered booking is not wanted
else      page                                   "something else"
chat      about                                  hello, thanks, bye
outside   about?                                 "language": the message is in another one
unclear   –
"""

from collections.abc import Mapping

from apps.serving.names import Json

Request = Mapping[str, Json]
FILTERS = ("area", "kind", "feature", "price", "day", "time", "skip", "best", "order")
OWN_OPS = frozenset({"bookings", "change", "cancel", "commit"})


def request(op: str, **slots: Json) -> dict[str, Json]:
    """A request without its empty slots, so that one meaning has one form."""
    return {"op": op, **{key: value for key, value in slots.items() if value not in (None, "", [])}}


def is_confirmed_first(asked: Request) -> bool:
    """Whether the next words shown restate an order before it is carried out."""
    if asked["op"] == "book":
        return all(key in asked for key in ("day", "time", "people"))
    if asked["op"] == "change":
        return any(key in asked for key in ("day", "time", "people"))
    return asked["op"] == "cancel"


def is_own(asked: Request) -> bool:
    """Whether the answer depends on the session's own bookings."""
    return asked["op"] in OWN_OPS


def chain_of(asked: Request) -> tuple[str, ...]:
    """Stages that a turn with this request walks, in order."""
    if asked["op"] == "start":
        return ("offer",)
    if asked["op"] == "commit":
        return ("commit", "reply", "offer")
    return ("lookup", "confirm" if is_confirmed_first(asked) else "reply", "offer")


def lookup_query(asked: Request, session: str) -> dict[str, Json]:
    """The lookup's rendered input: only what its rows depend on, so every aspect of a place shares one lookup."""
    op = asked["op"]
    if op == "find":
        return {"query": "find", **{k: asked[k] for k in ("service", *FILTERS) if k in asked}}
    if op == "compare":
        return {"query": "places", "places": asked["places"], "order": asked.get("order", "")}
    if op == "ask" or (op == "drop" and "place" in asked):
        return {"query": "place", "place": asked["place"]}
    if op == "book":
        query = "slot" if is_confirmed_first(asked) else "place"
        keys = ("place", "day", "time", "people") if query == "slot" else ("place",)
        return {"query": query, **{k: asked[k] for k in keys}}
    if op == "bookings":
        return {"query": "bookings", "session": session}
    if op in ("change", "cancel"):
        wanted = {k: asked[k] for k in ("day", "time", "people") if k in asked}
        return {"query": "booking", "session": session, "ref": asked["ref"], **wanted}
    return {"query": "menu"}
