"""What a guest may have asked and what the lookup or the commit found: the inputs of `facts.sheet`."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from apps.concierge.catalogue import SERVICES
from apps.concierge.hours import DAYS
from apps.concierge.queries import GIVE_UP, SHOWN
from apps.concierge.requests import request
from apps.serving.names import Json
from training.text.example import Split
from training.text.odd_rows import any_row, clock_time, open_span, some_days

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Situation:
    asked: Mapping[str, Json]
    found: Mapping[str, Json]


Maker = Callable[[random.Random, Split], Situation]


def any_service(rng: random.Random) -> str:
    return rng.choice(list(SERVICES))


def find(rng: random.Random, split: Split) -> Situation:
    service = any_service(rng)
    rows = [any_row(rng, split, service) for _ in range(rng.choice((1, 1, 2, 2, 3, 3, 3)))]
    wishes = _wishes(rng, rows[0])
    asked = request("find", service=service, **wishes)
    ending = rng.random()
    if ending < 0.15:
        return Situation(
            asked, {"total": 0, "places": [], "given_up": [k for keys in GIVE_UP for k in keys if k in wishes]}
        )
    given_up: list[Json] = []
    if ending < 0.4:
        given = [key for keys in GIVE_UP for key in keys if key in wishes]
        given_up = list(given[: rng.randint(1, len(given))]) if given else []
    total = len(rows) + (rng.randint(1, 9) if len(rows) == SHOWN and rng.random() < 0.6 else 0)
    places: list[Json] = [_brief(row) for row in rows]
    return Situation(asked, {"total": total, "places": places, "given_up": given_up})


def _wishes(rng: random.Random, row: Mapping[str, Json]) -> dict[str, Json]:
    """Up to three wishes that the place might fit."""
    wishes: dict[str, Json] = {}
    for key in rng.sample(("area", "kind", "price", "feature", "day"), rng.choice((0, 1, 1, 2, 2, 3))):
        if key == "price":
            wishes[key] = rng.choice(("cheap", "moderate", "expensive"))
        elif key == "feature" and row["features"]:
            wishes[key] = rng.choice(row["features"])
        elif key == "day":
            wishes |= {"day": rng.choice(DAYS)} | ({"time": clock_time(rng)} if rng.random() < 0.4 else {})
        elif key in ("area", "kind"):
            wishes[key] = row[key]
    return wishes


def _brief(row: Mapping[str, Json]) -> dict[str, Json]:
    return {key: row[key] for key in ("slug", "name", "service", "area", "kind", "price", "rating")}


def ask(aspect: str) -> Maker:
    def make(rng: random.Random, split: Split) -> Situation:
        row = any_row(rng, split, any_service(rng))
        feature = _feature(rng, split, row) if aspect == "feature" else None
        return Situation(request("ask", place=row["slug"], aspect=aspect, feature=feature), {"place": row})

    return make


def _feature(rng: random.Random, split: Split, row: Mapping[str, Json]) -> Json:
    """One that the place has, or one of another place that it lacks."""
    other = any_row(rng, split, str(row["service"]))
    lacking = [f for f in other["features"] if f not in row["features"]]
    pool = row["features"] if row["features"] and rng.random() < 0.5 else lacking
    return rng.choice(pool or ["parking"])


def ask_hours_on(rng: random.Random, split: Split) -> Situation:
    row = any_row(rng, split, any_service(rng))
    time = clock_time(rng) if rng.random() < 0.5 else None
    asked = request("ask", place=row["slug"], aspect="hours", day=rng.choice(DAYS), time=time)
    return Situation(asked, {"place": row})


def ask_rare(rng: random.Random, split: Split) -> Situation:
    """What few places are: free, never or always open, open otherwise on some days, without anything special."""
    row = any_row(rng, split, any_service(rng))
    nothing: list[Json] = []
    always = {day: ["00:00", "24:00"] for day in DAYS}
    changed: dict[str, Json]
    aspect, changed = rng.choice(
        (
            ("price", {"price": 0}),
            ("features", {"features": nothing}),
            ("hours", {"hours": {}}),
            ("hours", {"hours": {day: always[day] for day in some_days(rng)}}),
            ("hours on", {"hours": always}),
            ("hours", {"hours": row["hours"] | dict.fromkeys(rng.sample(DAYS, 2), open_span(rng))}),
        )
    )
    day = rng.choice(DAYS) if aspect == "hours on" else None
    return Situation(request("ask", place=row["slug"], aspect=aspect.split()[0], day=day), {"place": row | changed})


def when(rng: random.Random, split: Split) -> Situation:
    row = any_row(rng, split, any_service(rng))
    people = rng.randint(1, 12) if rng.random() < 0.6 else None
    return Situation(request("book", place=row["slug"], people=people), {"place": row})


def what_change(rng: random.Random, split: Split) -> Situation:
    booking = any_booking(rng, split)
    return Situation(request("change", ref=booking["ref"]), {"booking": booking})


def own_bookings(rng: random.Random, split: Split) -> Situation:
    count = rng.choice((1, 1, 1, 2, 2, 3, 5))
    return Situation(request("bookings"), {"bookings": [any_booking(rng, split) for _ in range(count)]})


def done(rng: random.Random, split: Split) -> Situation:
    booking, do = any_booking(rng, split), rng.choice(("book", "book", "book", "change", "cancel"))
    keys = {"day": booking["day"], "time": booking["time"], "people": booking["people"]}
    order = {"do": do, "place": booking["place"], **keys} if do == "book" else {"do": do, "ref": booking["ref"], **keys}
    return Situation(request("commit", order=order), {"ok": True, "do": do, "booking": booking})


def not_done(rng: random.Random, split: Split) -> Situation:
    """The order was right when it was offered, but another was first."""
    booking, why = any_booking(rng, split), rng.choice(("closed", "full", "full", "too many"))
    keys = {"day": booking["day"], "time": booking["time"], "people": booking["people"]}
    if rng.random() < 0.6:
        order = {"do": "book", "place": booking["place"], **keys}
        found = {"ok": False, "why": why, "do": "book", "place": booking["place"], "name": booking["name"]}
        return Situation(request("commit", order=order), found)
    order = {"do": "change", "ref": booking["ref"], **keys}
    return Situation(request("commit", order=order), {"ok": False, "why": why, "do": "change", "booking": booking})


def drop(rng: random.Random, split: Split) -> Situation:
    row = any_row(rng, split, any_service(rng))
    return Situation(request("drop", place=row["slug"]), {"place": row})


def plain(rng: random.Random, split: Split) -> Situation:
    """Answers that depend on no row of the catalogue."""
    stocked = {"services": [s for s in SERVICES if rng.random() < 0.8]}
    gone: Mapping[str, Json] = {"place": None}
    return rng.choice(
        (
            Situation(request("chat", about="hello"), stocked),
            Situation(request("chat", about="thanks"), stocked),
            Situation(request("chat", about="bye"), stocked),
            Situation(request(rng.choice(("menu", "outside", "unclear", "start"))), stocked),
            Situation(request(rng.choice(("outside", "unclear"))), {"services": list(SERVICES)}),
            Situation(request("else", page=1), stocked),
            Situation(request("bookings"), {"bookings": []}),
            Situation(request("drop"), stocked),
            Situation(request("ask", place="gone", aspect="hours"), gone),
            Situation(request("change", ref=any_ref(rng)), {"booking": None}),
            Situation(
                request("commit", order={"do": "cancel", "ref": any_ref(rng)}),
                {"ok": False, "why": "no such booking", "do": "cancel"},
            ),
        )
    )


def any_day(rng: random.Random) -> date:
    return date(2026, 1, 1) + timedelta(days=rng.randrange(1100))


def any_ref(rng: random.Random) -> str:
    return "VB" + "".join(rng.choices(_ALPHABET, k=6))


def any_booking(rng: random.Random, split: Split) -> dict[str, Json]:
    """As `booking.described` gives it."""
    row = any_row(rng, split, any_service(rng))
    return {
        "ref": any_ref(rng),
        "place": row["slug"],
        "name": row["name"],
        "service": row["service"],
        "area": row["area"],
        "booked": SERVICES[str(row["service"])].booked,
        "day": any_day(rng).isoformat(),
        "time": clock_time(rng),
        "people": rng.randint(1, 12),
        "status": "confirmed",
    }
