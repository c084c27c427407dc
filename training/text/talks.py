"""Where in a conversation a message comes: the context that the product itself would have kept."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from apps.concierge.catalogue import SERVICES, SeedPlace
from apps.concierge.hours import DAYS
from apps.concierge.offers import offer
from apps.concierge.requests import Request, request
from apps.concierge.state import context_after, offer_view
from apps.serving.names import Json
from training.text.catalogues import Catalogue, any_catalogue, band, brief_row, full_row
from training.text.example import Split

_REF_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_FIRST_DAY = date(2026, 9, 1)


@dataclass(frozen=True, slots=True)
class Talk:
    """state: how it stands ("start", "list", "place", "booking", "confirm", "confirm change", "confirm cancel",
    "change", "booked"); focus: the place talked about; shown: places of the last search; ref: the booking shown
    """

    catalogue: Catalogue
    now: datetime
    state: str
    context: Mapping[str, Json]
    focus: SeedPlace | None = None
    shown: tuple[SeedPlace, ...] = ()
    ref: str = ""

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def before(self) -> Request:
        return self.context.get("request") or {"op": ""}


def talk(rng: random.Random, split: Split, state: str) -> Talk:
    """A conversation that stands so; before any guest's wish in an hour, so that no time today has passed."""
    places = any_catalogue(rng, split)
    day = _FIRST_DAY + timedelta(days=rng.randrange(365))
    return _MAKERS[state](rng, places, datetime(day.year, day.month, day.day, 6, 30, tzinfo=UTC))


def _after(asked: Request, found: Mapping[str, Json], now: datetime, known: Mapping[str, Json]) -> dict[str, Json]:
    actions = offer(asked, offer_view(found), now.date().isoformat())
    return context_after(asked, {"lookup": dict(found)}, [dict(a) for a in actions], known)


def _start(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    if rng.random() < 0.5:
        return Talk(places, now, "start", {})
    op = rng.choice(("menu", "hello", "start"))
    asked = request("chat", about="hello") if op == "hello" else request(op)
    return Talk(places, now, "start", _after(asked, {"services": list(SERVICES)}, now, {}))


def _list(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    service = rng.choice(list(SERVICES))
    shown = tuple(rng.sample(places.of(service), rng.choice((2, 3, 3, 3))))
    asked = request("find", service=service, **_wishes(rng, shown[0]))
    found = {"total": len(shown) + rng.randint(0, 4), "places": [brief_row(p) for p in shown], "given_up": []}
    return Talk(places, now, "list", _after(asked, found, now, {}), shown[0], shown)


def _wishes(rng: random.Random, place: SeedPlace) -> dict[str, Json]:
    wishes: dict[str, Json] = {
        "area": place.area,
        "kind": place.kind,
        "feature": rng.choice(place.features),
        "price": band(place),
        "day": rng.choice(DAYS),
    }
    return {key: wishes[key] for key in rng.sample(sorted(wishes), rng.choice((0, 0, 1, 1, 2)))}


def _place(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    """After a question about one place, half the time one of a list."""
    listed = _list(rng, places, now)
    place = rng.choice(listed.shown) if rng.random() < 0.5 else rng.choice(places.places)
    known = _known(listed) if place in listed.shown else {}
    aspect = rng.choice(("overview", "hours", "price", "directions", "features", "rating", "feature", "address"))
    feature = rng.choice(place.features) if aspect == "feature" else None
    asked = request("ask", place=place.slug, aspect=aspect, feature=feature)
    context = _after(asked, {"place": full_row(place)}, now, known)
    return Talk(places, now, "place", context, place, listed.shown if known else ())


def _known(listed: Talk) -> dict[str, Json]:
    return {"search": listed.context["search"], "results": listed.context["results"]}


def _booking(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    place = rng.choice(places.places)
    asked = request("book", place=place.slug, people=rng.choice((None, None, 2, 3, 4, 6)))
    return Talk(places, now, "booking", _after(asked, {"place": full_row(place)}, now, {}), place)


def _confirm(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    place = rng.choice(places.places)
    asked = request("book", place=place.slug, **_order(rng, now.date()))
    context = _after(asked, {"place": full_row(place), "refusal": ""}, now, {})
    return Talk(places, now, "confirm", context, place)


def _order(rng: random.Random, today: date) -> dict[str, Json]:
    day, hour = today + timedelta(days=rng.randint(1, 12)), rng.randint(10, 21)
    return {"day": day.isoformat(), "time": f"{hour:02d}:{rng.choice(('00', '30'))}", "people": rng.randint(1, 8)}


def _booked_row(rng: random.Random, place: SeedPlace, today: date) -> dict[str, Json]:
    return {
        "ref": "VB" + "".join(rng.choice(_REF_SIGNS) for _ in range(6)),
        "place": place.slug,
        "name": place.name,
        "service": place.service,
        "area": place.area,
        "booked": SERVICES[place.service].booked,
        **_order(rng, today),
        "status": "confirmed",
    }


def _confirm_change(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    place = rng.choice(places.places)
    row, wanted = _booked_row(rng, place, now.date()), _order(rng, now.date())
    key = rng.choice(("day", "time", "people"))
    asked = request("change", ref=row["ref"], **{key: wanted[key]})
    found = {"booking": row, "wanted": {**row, key: wanted[key]}, "refusal": "", "place": full_row(place)}
    return Talk(places, now, "confirm change", _after(asked, found, now, {}), place, (), str(row["ref"]))


def _confirm_cancel(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    return _about_own("cancel", "confirm cancel", rng, places, now)


def _change(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    return _about_own("change", "change", rng, places, now)


def _about_own(op: str, state: str, rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    """After a wish that names the guest's booking and nothing new."""
    place = rng.choice(places.places)
    row = _booked_row(rng, place, now.date())
    asked = request(op, ref=row["ref"])
    found = {"booking": row, "wanted": row, "refusal": "", "place": full_row(place)}
    return Talk(places, now, state, _after(asked, found, now, {}), place, (), str(row["ref"]))


def _booked(rng: random.Random, places: Catalogue, now: datetime) -> Talk:
    """After the guest's bookings were shown; the first is the one meant."""
    place = rng.choice(places.places)
    row = _booked_row(rng, place, now.date())
    context = _after(request("bookings"), {"bookings": [row]}, now, {})
    return Talk(places, now, "booked", context, place, (), str(row["ref"]))


_MAKERS: Mapping[str, Callable[[random.Random, Catalogue, datetime], Talk]] = {
    "start": _start,
    "list": _list,
    "place": _place,
    "booking": _booking,
    "confirm": _confirm,
    "confirm change": _confirm_change,
    "confirm cancel": _confirm_cancel,
    "change": _change,
    "booked": _booked,
}
