"""Actions after a search, and after a fact about one place."""

from collections.abc import Mapping

from apps.concierge.catalogue import SERVICES
from apps.concierge.offer_types import Offered, offered
from apps.concierge.requests import Request, request
from apps.concierge.slots_offered import booking_label, default_slots
from apps.serving.names import Json

Row = Mapping[str, Json]
QUESTIONS = {
    "overview": "Tell me about {name}",
    "hours": "When is {name} open?",
    "price": "What does {name} cost?",
    "directions": "How do I get to {name}?",
    "features": "What does {name} offer?",
    "rating": "How is {name} rated?",
}
# What people tend to ask next after each aspect.
NEXT_ASPECT = {
    "overview": "hours",
    "hours": "price",
    "price": "directions",
    "directions": "features",
    "features": "rating",
    "feature": "hours",
    "rating": "hours",
    "phone": "directions",
    "address": "directions",
    "capacity": "price",
    "unknown": "overview",
}
BESIDE = {
    "restaurant": "event",
    "hotel": "restaurant",
    "event": "restaurant",
    "museum": "restaurant",
    "ride": "museum",
    "spa": "hotel",
}


def question(aspect: str, place: Row) -> Offered:
    asked = request("ask", place=place["slug"], aspect=aspect)
    return offered(QUESTIONS[aspect].format(name=place["name"]), asked)


def others_here(place: Row) -> Offered:
    """The same service in the same area."""
    many, area = SERVICES[str(place["service"])].many, place["area"]
    asked = request("find", service=place["service"], area=area, skip=[place["slug"]])
    return offered(f"Other {many} in {area}", asked)


def beside(place: Row) -> Offered:
    """Another service in the same area."""
    service, area = BESIDE[str(place["service"])], place["area"]
    return offered(f"{SERVICES[service].many.capitalize()} in {area}", request("find", service=service, area=area))


def after_find(asked: Request, found: Row, today: str) -> list[Offered]:
    places = found["places"]
    if not places:
        return []
    actions = [question("overview", place) for place in places[:2]]
    actions.append(_wider(asked, places[0]))
    if len(places) == 1:
        actions.insert(1, offered(f"Book {places[0]['name']}", request("book", place=places[0]["slug"])))
    return actions


def after_compare(asked: Request, found: Row, today: str) -> list[Offered]:
    """Both told about, and the first booked: it is the one that the comparison is for."""
    places = found["places"]
    told = [question("overview", place) for place in places[:2]]
    return [*told, *(offered(f"Book {place['name']}", request("book", place=place["slug"])) for place in places[:1])]


def _wider(asked: Request, top: Row) -> Offered:
    """The search without its narrowest wish, or with a new one when it had none."""
    many = SERVICES[str(asked["service"])].many
    if "price" not in asked and "area" not in asked and "kind" not in asked and "best" not in asked:
        return offered(f"Cheap {many}", request("find", service=asked["service"], price="cheap"))
    if "area" in asked:
        return offered(f"{many.capitalize()} in all areas", request("find", service=asked["service"]))
    here = request("find", service=asked["service"], area=top["area"])
    return offered(f"{many.capitalize()} in {top['area']}", here)


def after_ask(asked: Request, found: Row, today: str) -> list[Offered]:
    place = found["place"]
    aspect = str(asked.get("also") or asked.get("aspect", "features"))
    actions = [question(NEXT_ASPECT[aspect], place)]
    slots = default_slots(place, today)
    if slots and asked["op"] == "ask":
        actions.append(booking_label(place, slots[0], 2, today))
    actions.append(beside(place) if aspect in ("directions", "address") else others_here(place))
    return actions
