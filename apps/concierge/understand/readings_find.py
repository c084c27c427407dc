"""Searches: a service with wishes; without a service, the few that the wishes fit."""

from apps.concierge.catalogue import SERVICES
from apps.concierge.requests import request
from apps.concierge.understand.gazetteer import current
from apps.concierge.understand.seen import Option, Seen, option
from apps.serving.names import Json


def find_options(seen: Seen) -> list[Option]:
    """Empty when the message wishes for no place."""
    wishes = seen.mentions
    if wishes.services:
        return [_find(seen, service) for service in wishes.services[:3]]
    if not (wishes.area or wishes.price or wishes.feature or seen.cues.best or seen.cues.others):
        return []
    service = seen.focus.get("service") or seen.before.get("service")
    if service:
        return [_find(seen, str(service))]
    if wishes.area or wishes.price or wishes.feature:
        return [_find(seen, service) for service in _serving(wishes.feature)]
    return []


def _serving(feature: str) -> list[str]:
    """Services to choose from; with a feature, the most usual ones first."""
    return (
        ["hotel", "spa", "restaurant"]
        if feature in ("pool", "sauna", "breakfast")
        else ["restaurant", "event", "museum"]
    )


def _find(seen: Seen, service: str) -> Option:
    wishes, when = seen.mentions, seen.moment
    before = seen.before if seen.before["op"] == "find" and seen.before.get("service") == service else {}
    more = not wishes.services
    skip: list[Json] = [p["slug"] for p in seen.context.get("results", [])] if seen.cues.others and before else []
    if seen.cues.others and seen.focus.get("service") == service and not skip:
        skip = [seen.focus["slug"]]
    area = wishes.area or (_here(seen) if seen.cues.refers or seen.cues.others else "")
    asked = request(
        "find",
        service=service,
        area=area or (before.get("area") if more else None),
        kind=_kind(seen, service) or (before.get("kind") if more else None),
        feature=wishes.feature or (before.get("feature") if more else None),
        price=wishes.price,
        day=when.weekday,
        time=when.time if when.day and not when.vague else "",
        skip=skip,
        best=seen.cues.best or None,
    )
    where = f" in {area}" if area else ""
    return option(f"find {SERVICES[service].many}{where}", asked)


def _here(seen: Seen) -> str:
    near = any(word in seen.text.split() for word in ("near", "nearby", "there", "around", "close"))
    return str(seen.focus.get("area", "")) if near else ""


def _kind(seen: Seen, service: str) -> str:
    fits = any(p.kind == seen.mentions.kind and p.service == service for p in current().places)
    return seen.mentions.kind if fits else ""
