"""Searches from what a message says, and what it leaves standing of the search before."""

from collections.abc import Mapping

from apps.concierge.catalogue import SERVICES
from apps.concierge.hours import DAYS
from apps.concierge.requests import Request, request
from apps.concierge.understand.clean import says, whole
from apps.concierge.understand.seen import Seen
from apps.serving.names import Json

KEPT = ("area", "kind", "feature", "price", "day", "time")
# The one that costs least or most. Of several ("the cheapest hotels") those of the price band are shown.
_SUPERLATIVE = r"(?:cheapest|least expensive|most affordable)|(most expensive|priciest|dearest)"
_SEVERAL = rf"(?:{'|'.join([*(service.many for service in SERVICES.values()), 'places', 'ones', 'hostels', 'cafes'])})"
_ANYWHERE = r"anywhere|all areas|any area|whole city|everywhere|all over|other areas?|another area"
_NEAR = (
    r"nearby|near(?:$| (?:it|there|by|that|this|here|them))|around there|close(?: by|$| to (?:it|there|that|this))"
    r"|next to (?:it|that)|same (?:area|part|street|place|neighbou?rhood)|this area"
)


def find(seen: Seen, service: str) -> dict[str, Json]:
    """A search for `service`. Wishes of the search just before stay when the message names no service of its own.

    A feature that only places of other services have is a wish for those.
    """
    talked = str(seen.search.get("service", ""))
    if seen.having and service not in (*seen.having, *seen.mentions.strong):
        likeliest = max(seen.having, key=lambda one: seen.having[one])
        service = talked if talked in seen.having else service if service in seen.mentions.services else likeliest
    going_on = seen.before["op"] == "find" and seen.before.get("service") == service and not seen.mentions.strong
    return _search(seen, service, seen.before if going_on else {}, [])


def find_some(seen: Seen) -> dict[str, Json]:
    """A search for places of a service that is not said; with no wish at all, what there is to find."""
    service = _likely_service(seen)
    return find(seen, service) if service else request("menu")


def others(seen: Seen) -> dict[str, Json]:
    """Places like those shown, without them; something else when none were shown."""
    said = seen.mentions.strong or tuple(seen.mentions.kinds)
    service = said[0] if said else str(seen.search.get("service") or seen.focus.get("service") or "")
    if said and seen.focus and seen.focus["service"] in said:
        service = str(seen.focus["service"])
    if not service:
        return request("else", page=0)
    same_search = seen.search.get("service") == service
    skip = list(seen.results) if same_search else []
    skip += [place.slug for place in seen.mentions.places if seen.mentions.sure and place.slug not in skip]
    if seen.focus and seen.focus["service"] == service and seen.focus["slug"] not in skip:
        skip = [*skip, str(seen.focus["slug"])]
    return _search(seen, service, seen.search if same_search else {}, skip)


def _search(seen: Seen, service: str, before: Request, skip: list[str]) -> dict[str, Json]:
    said, when = seen.mentions, seen.moment
    wishes: dict[str, Json] = {key: before[key] for key in KEPT if key in before}
    if says(seen.text, _ANYWHERE):
        wishes.pop("area", None)
    if when.day or when.exact_time:
        day = when.weekday or wishes.get("day") or DAYS[seen.today.weekday()]
        wishes |= {"day": day, "time": when.exact_time}
    area = said.area or _here(seen)
    wishes |= _said(
        {"area": area, "kind": said.kinds.get(service, ""), "feature": _feature(seen, service), "price": said.price}
    )
    skipped: list[Json] = list(skip)
    order = _order(seen)
    if order:
        wishes.pop("price", None)
    return request(
        "find", service=service, **wishes, skip=skipped, best=seen.cues.best or bool(order) or None, order=order
    )


def _order(seen: Seen) -> str:
    """By price when the cheapest or the dearest one is wanted; "" else: by rating."""
    match = whole(_SUPERLATIVE).search(seen.mentions.masked)
    if match is None or says(seen.mentions.masked, _SEVERAL):
        return ""
    return "-price" if match[1] else "price"


def _said(wishes: Mapping[str, str]) -> dict[str, Json]:
    return {key: value for key, value in wishes.items() if value}


def _feature(seen: Seen, service: str) -> str:
    """Not the word that already chose the kind: a thermal pool is no wish for a pool."""
    feature = seen.mentions.feature
    chosen = seen.mentions.kinds.get(service, "")
    # "Breakfast" for a meal where no place of the service has it as a feature.
    other = service in seen.mentions.services and seen.having and service not in seen.having
    return "" if feature and (feature in chosen or feature == service or other) else feature


def _here(seen: Seen) -> str:
    """The area of the place in focus when the message says "near there"."""
    return str(seen.focus.get("area", "")) if says(seen.mentions.masked, _NEAR) else ""


def _likely_service(seen: Seen) -> str:
    """A service named in passing, else the one talked about, else the one that most has the feature; "" if no wish."""
    said = seen.mentions
    if said.strong:
        return said.strong[0]
    talked = str(seen.search.get("service") or seen.focus.get("service") or "")
    if said.feature:
        if seen.having and talked not in seen.having:
            return max(seen.having, key=lambda service: seen.having[service])
    elif said.services:
        return said.services[0]
    if talked:
        return talked
    return "restaurant" if said.area or said.price or said.feature or seen.cues.best else ""
