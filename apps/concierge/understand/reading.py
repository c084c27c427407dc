"""Rules that read a message: one certain request, or the most likely few for the model to choose from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from apps.concierge.requests import Request, request
from apps.concierge.understand import gazetteer
from apps.concierge.understand.clean import cleaned, plain
from apps.concierge.understand.cues import NO, YES, cues
from apps.concierge.understand.mentions import mentions
from apps.concierge.understand.moments import moment
from apps.concierge.understand.readings_ask import ask_options
from apps.concierge.understand.readings_book import book_options
from apps.concierge.understand.readings_find import find_options
from apps.concierge.understand.seen import Option, Seen, option
from apps.serving.names import Json

MOST_OPTIONS = 4
MODEL_CHARS = 240


@dataclass(frozen=True, slots=True)
class Reading:
    """options: best first, never empty; certain: only the first counts; text: the message as the model sees it"""

    options: tuple[Option, ...]
    certain: bool
    text: str


def read(text: str, context: Mapping[str, Json], now: datetime) -> Reading:
    """Read `text` in its conversation. Same text, context, catalogue and day: same reading."""
    shown = cleaned(text)
    words = plain(shown)
    seen = Seen(words, mentions(words, gazetteer.current()), moment(words, now.date()), cues(words), context)
    options = _options(seen)
    certain = len(options) == 1
    if not certain:
        options += [option("a question that has nothing to do with a visit", request("outside"))]
    return Reading(tuple(_distinct(options)[:MOST_OPTIONS]), certain, shown[:MODEL_CHARS])


def _options(seen: Seen) -> list[Option]:
    """One option is certain; several are for the model. In order: answers to the offer, then intents."""
    if not re.search(r"\w", seen.text):
        return [option("nothing", request("unclear"))]
    answer = _answer(seen)
    if answer is not None:
        return [answer]
    for rule in (_chat, book_options, _simple, ask_options, find_options):
        options = rule(seen)
        if options:
            return options
    if seen.cues.outside:
        return [option("a question that has nothing to do with a visit", request("outside"))]
    return _guesses(seen)


def _answer(seen: Seen) -> Option | None:
    """ "yes", "no" and "option 2" name an offered action."""
    actions = seen.context.get("actions", [])
    for start, pattern in (("yes", YES), ("no", NO)):
        if re.fullmatch(pattern, seen.text):
            return next((_taken(a) for a in actions if re.match(rf"{start}\b", str(a["label"]).lower())), None)
    number = re.fullmatch(r"(?:option|number)? ?([1-5])", seen.text)
    if number and int(number[1]) <= len(actions):
        return _taken(actions[int(number[1]) - 1])
    return None


def _taken(action: Mapping[str, Json]) -> Option:
    return option(str(action["label"]), action["payload"])


def _chat(seen: Seen) -> list[Option]:
    return [option("small talk", request("chat", about=seen.cues.chat))] if seen.cues.chat else []


def _simple(seen: Seen) -> list[Option]:
    named = seen.mentions.places and seen.mentions.sure
    if not seen.cues.simple or named or seen.mentions.services:
        return []
    if seen.cues.simple == "else":
        return [option("something else", request("else", page=0))]
    return [option("what you can do", request("menu"))]


def _guesses(seen: Seen) -> list[Option]:
    """Nothing was recognised: what people most often want then."""
    focus = seen.focus
    about = (
        [option(f"more about {focus['name']}", request("ask", place=focus["slug"], aspect="overview"))] if focus else []
    )
    return [
        *about,
        option("something that is not clear", request("unclear")),
        option("what you can do", request("menu")),
    ]


def _distinct(options: list[Option]) -> list[Option]:
    seen: list[Request] = []
    return [o for o in options if o.request not in seen and not seen.append(o.request)]
