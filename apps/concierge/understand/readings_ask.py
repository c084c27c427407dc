"""Questions about one place: a named one, one of the last results, or the one in focus."""

from apps.concierge.requests import request
from apps.concierge.understand.cues import says
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.seen import Option, Seen, option

_YES_NO = r"is there|are there|do they|does it|does|has it|have they|is it|can i|do you|is|are"


def ask_options(seen: Seen) -> list[Option]:
    """Empty when the message asks about no one place."""
    if seen.named and not (seen.cues.others and seen.mentions.services):
        return [_ask(seen, known) for known in seen.named]
    tell_more = says(seen.text, "tell me|more about|details|more info")
    # "What is the meaning of life?" asks for an overview too, but not of the place in focus.
    aspect = seen.cues.aspect if seen.cues.aspect != "overview" or seen.cues.refers or tell_more else ""
    about_focus = aspect or seen.mentions.feature or seen.moment.day or tell_more
    others = seen.cues.others and not tell_more
    looks_for = seen.mentions.kind or seen.mentions.area or others or seen.cues.best
    if not seen.place or not about_focus or looks_for:
        return []
    if seen.cues.refers or not (seen.mentions.services or seen.mentions.price):
        return _about_focus(seen, seen.place[0])
    return []


def _about_focus(seen: Seen, known: Known) -> list[Option]:
    sure = seen.cues.refers or seen.cues.aspect not in ("", "overview") or says(seen.text, _YES_NO)
    asked = _ask(seen, known)
    if sure or not seen.mentions.feature:
        return [asked]
    # A bare "parking?" may be about this place or a wish for another one.
    many = request("find", service=known.service, feature=seen.mentions.feature)
    return [asked, option(f"other places with {seen.mentions.feature}", many)]


def _ask(seen: Seen, known: Known) -> Option:
    aspect, when = seen.cues.aspect, seen.moment
    if seen.mentions.feature and aspect in ("", "features", "overview", "hours"):
        asked = request("ask", place=known.slug, aspect="feature", feature=seen.mentions.feature)
        return option(f"whether {known.name} has {seen.mentions.feature}", asked)
    if aspect == "hours" or (not aspect and when.day):
        asked = request("ask", place=known.slug, aspect="hours", day=when.weekday, time=_time(seen))
        return option(f"when {known.name} is open", asked)
    asked = request("ask", place=known.slug, aspect=aspect or "overview")
    return option(f"the {aspect or 'overview'} of {known.name}", asked)


def _time(seen: Seen) -> str:
    """Only with a day: opening hours differ by weekday. A vague evening asks for the whole day's hours."""
    return seen.moment.time if seen.moment.day and not seen.moment.vague else ""
