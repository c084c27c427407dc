"""Actions around bookings: when, what to change, yes or no, and afterwards."""

from collections.abc import Mapping
from datetime import date, timedelta

from apps.concierge.booking import MOST_PEOPLE
from apps.concierge.hours import DAYS, is_open
from apps.concierge.offer_place import beside, others_here, question
from apps.concierge.offer_types import Offered, offered
from apps.concierge.requests import Request, request
from apps.concierge.slots_offered import booking_label, slots_asked
from apps.concierge.wording import near_day, people_words
from apps.serving.names import Json

Row = Mapping[str, Json]


def when_to_book(asked: Request, found: Row, today: str) -> list[Offered]:
    place, slots = found["place"], slots_asked(found["place"], asked, today)
    if not slots:
        return [question("hours", place), others_here(place)]
    people = int(asked.get("people", 2))
    actions = [booking_label(place, slot, people, today) for slot in slots[:2]]
    more = people + 2 if people + 2 <= MOST_PEOPLE else people - 2
    return [*actions, booking_label(place, slots[0], more, today)]


def after_confirm(asked: Request, found: Row, today: str) -> list[Offered]:
    if found.get("booking", found.get("place")) is None:
        return []
    if asked["op"] == "cancel":
        return _before_cancel(asked, found["booking"])
    if found["refusal"]:
        return _after_refusal(asked, found, today)
    if asked["op"] == "change":
        order = {"do": "change", "ref": asked["ref"], **found["wanted"]}
        return [
            offered("Yes, change it", request("commit", order=order)),
            offered("Change something else", request("change", ref=asked["ref"])),
            offered("No, leave it", request("drop", place=found["place"]["slug"])),
        ]
    order = {"do": "book", **{key: asked[key] for key in ("place", "day", "time", "people")}}
    return [
        offered("Yes, book it", request("commit", order=order)),
        offered("Change the time", request("book", place=asked["place"], people=asked["people"])),
        offered("No, do not book", request("drop", place=asked["place"])),
    ]


def _before_cancel(asked: Request, booking: Row) -> list[Offered]:
    return [
        offered("Yes, cancel it", request("commit", order={"do": "cancel", "ref": asked["ref"]})),
        offered("Change it instead", request("change", ref=asked["ref"])),
        offered("No, keep it", request("drop", place=booking["place"])),
    ]


def _after_refusal(asked: Request, found: Row, today: str) -> list[Offered]:
    place = found["place"]
    if asked["op"] == "change":
        return [offered("Change something else", request("change", ref=asked["ref"])), question("hours", place)]
    slots = [s for s in slots_asked(place, asked, today) if (s.day, s.time) != (asked["day"], asked["time"])]
    people = min(int(asked["people"]), MOST_PEOPLE)
    return [
        *(booking_label(place, slot, people, today) for slot in slots[:2]),
        others_here(place),
    ]


def after_bookings(asked: Request, found: Row, today: str) -> list[Offered]:
    actions: list[Offered] = []
    for row in found["bookings"][:2]:
        name, ref = row["name"], row["ref"]
        actions.append(offered(f"Change {ref} at {name}", request("change", ref=ref)))
        actions.append(offered(f"Cancel {ref} at {name}", request("cancel", ref=ref)))
    return actions


def what_to_change(asked: Request, found: Row, today: str) -> list[Offered]:
    booking = found["booking"]
    if not booking:
        return []
    ref, people = asked["ref"], int(booking["people"])
    more = people + 1 if people < MOST_PEOPLE else people - 1
    actions = [offered(f"Make it {people_words(more)}", request("change", ref=ref, people=more))]
    later = f"{(int(str(booking['time'])[:2]) + 1) % 24:02d}{str(booking['time'])[2:]}"
    day = date.fromisoformat(str(booking["day"]))
    if is_open(found["place"]["hours"], DAYS[day.weekday()], later):
        actions.append(offered(f"Make it {later}", request("change", ref=ref, time=later)))
    open_days = (day + timedelta(days=n) for n in range(1, 8))
    for other in open_days:
        if is_open(found["place"]["hours"], DAYS[other.weekday()], str(booking["time"])):
            label = f"Move it to {near_day(other.isoformat(), today).removeprefix('on ')}"
            actions.append(offered(label, request("change", ref=ref, day=other.isoformat())))
            break
    actions.append(offered("Cancel it", request("cancel", ref=ref)))
    return actions


def after_commit(asked: Request, found: Row, today: str) -> list[Offered]:
    booking = found.get("booking")
    mine = offered("Show my bookings", request("bookings"))
    if not booking:
        return [mine, offered("Show restaurants", request("find", service="restaurant"))]
    place = {"slug": booking["place"], **{key: booking[key] for key in ("name", "service", "area")}}
    if not found["ok"] or found["do"] == "cancel":
        return [mine, question("hours", place), others_here(place)]
    return [question("directions", place), mine, beside(place)]
