"""A message with all that the rules found in it, and the talk it came in."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from apps.concierge.hours import DAYS
from apps.concierge.requests import Request, is_confirmed_first, request
from apps.concierge.understand.clean import plain, says
from apps.concierge.understand.comparing import chosen_shown
from apps.concierge.understand.consent import agrees
from apps.concierge.understand.cues import REF, Cues, cues
from apps.concierge.understand.gazetteer import Gazetteer, Known
from apps.concierge.understand.mentions import Mentions, mentions
from apps.concierge.understand.moments import Moment, moment
from apps.concierge.understand.people import HEADS, NUMBER, nobody_in, number, people_added
from apps.concierge.understand.times import time_in
from apps.serving.names import Json

_REF = re.compile(REF)
_BOOKED_IN_FOCUS = (("place", "slug"), ("service", "service"))
_ORDERS = ("book", "change", "cancel")
# A weekday without "last" is one to come, and so would it be read with it.
_LAST_DAY = r"last (?:mon|tues|wednes|thurs|fri|satur|sun)day"
_HALF_OF_DAY = r"am|a\.m|pm|p\.m|morning|breakfast|brunch|noon|midday|\d+(?:am|pm)"
_PAST = r"yesterday|last (?:night|week|weekend|month|year)|(?:a|an|one|two|three|\d{1,3}) (?:days?|weeks?) ago"
_MOVED_TO = re.compile(
    rf"\b(?:shift|move|push|postpone|delay|re-?schedule)\b(?: (?!at )[\w'-]+)* to {NUMBER}(?! ?(?:{HEADS}))"
    r"(?: (?:please|pls|instead|then))?$"
)
_FOR = re.compile(rf"\bfor {NUMBER}\b(?! ?(?:{HEADS}|nights?|days?|hours?|weeks?|minutes?))")
_SWAPPED = re.compile(rf"\b{NUMBER} (?:and )?(?:not|instead of|rather than) {NUMBER}\b")


@dataclass(frozen=True)
class Seen:
    """shown: cleaned; text: plain; masked text is in `mentions`; names: what the rules know of the catalogue"""

    shown: str
    text: str
    mentions: Mentions
    moment: Moment
    cues: Cues
    context: Mapping[str, Json]
    names: Gazetteer
    today: date

    @cached_property
    def focus(self) -> Mapping[str, Json]:
        return self.context.get("focus") or {}

    @cached_property
    def asked(self) -> Request:
        """The request of the turn before."""
        return self.context.get("request") or {"op": ""}

    @cached_property
    def before(self) -> Request:
        """What the message may go on with: that request, an order left open since, or the booking just made."""
        if self.asked["op"] == "commit" and self.ref and self.asked["order"].get("do") != "cancel":
            return request("change", ref=self.ref)
        # A question after a question about the place is one more of them.
        asks_on = self.asked["op"] == "ask" and "?" in self.shown
        return self.asked if self.kept is None or asks_on else self.kept

    @cached_property
    def kept(self) -> Request | None:
        """The order of an earlier turn that is still open."""
        order = self.context.get("order")
        return order["asked"] if order and self.asked["op"] not in _ORDERS else None

    @cached_property
    def order(self) -> Request:
        """The order under way; where there is none, as `before`."""
        return self.kept or self.before

    @cached_property
    def resumed(self) -> Request | None:
        """That earlier order, to be stated again: the message says yes to it, and nothing else waits for a yes."""
        if self.kept is None or self.commit or not is_confirmed_first(self.kept):
            return None
        return dict(self.kept) if agrees(self.shown, str(self.kept["op"])) else None

    @cached_property
    def commit(self) -> Request | None:
        """What is carried out once the guest agrees; None when no order waits for that."""
        offered = (action["payload"] for action in self.context.get("actions", []))
        return next((payload for payload in offered if payload["op"] == "commit"), None)

    @cached_property
    def agrees(self) -> bool:
        """Whether the message says yes to that order, and nothing else."""
        return self.commit is not None and agrees(self.shown, str(self.commit["order"]["do"]))

    def agreed(self, otherwise: Request) -> dict[str, Json]:
        """The order carried out if the message agrees to it; without that, `otherwise`. The only way to a commit."""
        return dict(self.commit if self.commit and self.agrees else otherwise)

    @cached_property
    def search(self) -> Request:
        """The last search, be it some turns ago."""
        return self.before if self.before["op"] == "find" else self.context.get("search") or {"op": ""}

    @cached_property
    def results(self) -> list[str]:
        """Slugs of the places that the last search showed."""
        return [str(place["slug"]) for place in self.context.get("results", [])]

    @cached_property
    def having(self) -> Mapping[str, int]:
        """Service -> how many of its places have the feature said; without those that have none."""
        feature = self.mentions.feature
        return Counter(place.service for place in self.names.places if feature and feature in place.features)

    @property
    def people(self) -> int | None:
        return self.moment.people or self._swapped_people or None

    @cached_property
    def people_added(self) -> int:
        """How many more than come already, negative for fewer; 0 when no such sum is said."""
        return people_added(self.mentions.masked)

    @cached_property
    def nobody(self) -> bool:
        return nobody_in(self.mentions.masked)

    @cached_property
    def past(self) -> bool:
        """Whether the day said has passed: then it is open which day is meant."""
        text = self.mentions.masked
        return says(text, _LAST_DAY) or (self.moment.day is None and says(text, _PAST))

    @property
    def day(self) -> str:
        return self.moment.day.isoformat() if self.moment.day and not self.past else ""

    @cached_property
    def moved_to(self) -> str:
        """The time in "move it to nine" and "nine, not eight", where the number alone could be of anything."""
        match = None if self.moment.time else _MOVED_TO.search(self.mentions.masked)
        if match is None and not self._swapped_people:
            match = _SWAPPED.search(self.mentions.masked) if self.order.get("time") else None
        if match is None and not self.moment.time and self.moment.people:
            # "For ten, two people": the number that is not of the people.
            hours = (one for one in _FOR.finditer(self.mentions.masked) if number(one[1]) != self.moment.people)
            match = next(hours, None)
        return time_in(f"at {match[1]}").at if match else ""

    @cached_property
    def _swapped_people(self) -> int:
        """The number in "four not three" where three come; 0 when the number is of something else."""
        match = _SWAPPED.search(self.mentions.masked)
        return number(match[1]) if match and number(match[2]) == self.order.get("people") else 0

    def time_near(self, before: str) -> str:
        """The time said; half a day later if it leaves that open and is then nearer to `before`, the order's time."""
        at = self.moment.time
        if not (at and before) or at >= "12:00" or says(self.text, _HALF_OF_DAY):
            return at
        later = f"{int(at[:2]) + 12:02d}{at[2:]}"
        return later if before > "12:00" and abs(_minutes(later) - _minutes(before)) < 360 else at

    def day_searched(self, place: Known) -> str:
        """The day of the search that showed `place`; "" if there was none."""
        day = self.search.get("day")
        if not day or self.search.get("service") != place.service or place.slug not in self.results:
            return ""
        ahead = (DAYS.index(str(day)) - self.today.weekday()) % 7
        return (self.today + timedelta(days=ahead)).isoformat()

    @property
    def says_when(self) -> bool:
        """Whether a day, a time or a number of people is said."""
        said = self.moment.day or self.moment.time or self.moment.people
        return bool(said or self.past or self.nobody or self.moved_to or self.people)

    @cached_property
    def ref(self) -> str:
        """The booking meant: the reference said, else the one shown before; "" without either."""
        said = next((word for word in self.text.split() if _is_ref(word)), "")
        kept = self.kept.get("ref") if self.kept else None
        return said.upper() or str(self.context.get("ref") or kept or "")

    @cached_property
    def booked(self) -> list[Mapping[str, Json]]:
        """The guest's bookings as last seen; that shown before is at the place in focus if nothing else is known."""
        rows, ref = list(self.context.get("booked", [])), self.ref
        if ref and not self.says_ref and ref not in [row["ref"] for row in rows]:
            rows.append({"ref": ref, **{key: self.focus.get(of, "") for key, of in _BOOKED_IN_FOCUS}})
        return rows

    @cached_property
    def says_ref(self) -> bool:
        return any(_is_ref(word) for word in self.text.split())

    @cached_property
    def named(self) -> Known | None:
        """The place said: by name, else by its order among those shown."""
        if self.mentions.places:
            return self.mentions.places[0]
        return self._by_order()

    @cached_property
    def place(self) -> Known | None:
        """`named`, else the place in focus."""
        return self.named or (self.names.known(str(self.focus["slug"])) if self.focus else None)

    def _by_order(self) -> Known | None:
        shown, index = self.results, self.cues.ordinal
        if says(self.text, _LAST_DAY):
            return None
        if chosen := chosen_shown(self.text, self.context.get("worth", [])):
            return self.names.known(chosen)
        if index is None and len(shown) == 2 and "other one" in self.text and self.focus:
            index = next((i for i, slug in enumerate(shown) if slug != self.focus["slug"]), None)
        if index is None or not -len(shown) <= index < len(shown):
            return None
        return self.names.known(shown[index])


def see(shown: str, context: Mapping[str, Json], today: date, names: Gazetteer) -> Seen:
    """`shown` is cleaned."""
    words = plain(shown)
    talked_of = [str(place["slug"]) for place in context.get("results", [])]
    if context.get("focus"):
        talked_of.append(str(context["focus"]["slug"]))
    found = mentions(words, names, talked_of)
    return Seen(shown, words, found, moment(found.masked, today), cues(found.masked), context, names, today)


def _minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


def _is_ref(word: str) -> bool:
    return _REF.fullmatch(word) is not None
