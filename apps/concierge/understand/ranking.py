"""Rules that rank what a message may want. One label that explains every word is certain; the rest is the model's."""

from dataclasses import dataclass

from apps.concierge.understand.assemble_book import switches
from apps.concierge.understand.clean import says
from apps.concierge.understand.cues import ELSE
from apps.concierge.understand.people import NUMBER
from apps.concierge.understand.questions import HAVING, TELL, left_over
from apps.concierge.understand.seen import Seen

_YES_NO = r"is there|are there|do they|does it|does|has it|have they|is it|can i|can we|do you|is|are|have|got|any"
_WISH = (
    r"(?:want|need|fancy|like|find|looking for|show) (?:me |us )?(?:some|something|somewhere|a|an)|something"
    r"|somewhere"
)
# Of those shown, some are wished for.
_OF_THOSE = (
    r"which (?:ones?|of (?:them|these|those)|have|has|are)|what ones|any of (?:them|these|those)|do any|only"
    r"|just (?:the|those)|(?:any|ones?) with"
)
# What a guest says beside a new day, time or number for the order under way.
_CORRECTS = (
    r"no+|nope|nah|sorry|meant|mean|actually|wait|hang on|hold on|said|i said|rather(?: than)?|instead(?: of)?|better"
    r"|doesn't|don't|won't|can't|isn't|wasn't|was|good|fine"
    r"|oops|hm+|now|make|change|but|not|than|who|wrong|today's|prefer|works?|suits?|earlier|later"
)
_NIGHTS = rf"(?:{NUMBER}|a) nights?"
_NEAR = r"near(?:est|by|er)?|close(?:st|r)?(?: to| by)|around"
_NOT = r"(?:don't|do not|dont|never|not) (?:\w+ )?cancel"
_BARE_NAME_WORDS = 4
MOST = 4


@dataclass(frozen=True, slots=True)
class Ranking:
    """labels: best first, distinct, one to MOST; certain: the first needs no model"""

    labels: tuple[str, ...]
    certain: bool


def ranked(seen: Seen) -> Ranking:
    exact = _exact(seen)
    if exact:
        return Ranking((exact,), True)
    likely = _likely(seen)
    known = _CORRECTS if _narrows(seen) or (seen.says_when and seen.order["op"] in ("book", "change")) else ""
    certain = len(likely) == 1 and not left_over(seen, known) and _is_outright(seen, likely[0])
    if not certain:
        likely = [*likely, *_guesses(seen)]
        if likely[0] == "ask overview" and _asks_for_unknown(seen):
            likely = ["unclear", *likely]
    return Ranking(tuple(dict.fromkeys(likely))[:MOST], certain)


def _is_outright(seen: Seen, label: str) -> bool:
    """A place's overview is also what a question is taken for whose aspect was not seen: then the model must look."""
    if label != "ask overview":
        return True
    told = says(seen.mentions.masked, rf"{TELL}|about|describe") and not seen.mentions.services
    return told or (seen.named is not None and len(seen.text.split()) <= _BARE_NAME_WORDS)


def _exact(seen: Seen) -> str:
    """A label whose words stand alone: small talk, answers, help; "" for any other message."""
    cues, said = seen.cues, seen.mentions
    if not any(c.isalnum() for c in seen.text):
        return "unclear"
    if said.places or said.area:
        return ""
    if cues.answer == "no":
        return "no"
    if _says_yes(seen):
        return "yes"
    if cues.chat:
        return cues.chat
    if cues.outside and (says(said.masked, _NEAR) or not (said.strong or said.kinds or said.feature)):
        return "outside"
    if cues.simple == "menu":
        return "menu"
    free = cues.simple == "else" and not said.services and not left_over(seen, ELSE)
    return "else" if free else ""


def _says_yes(seen: Seen) -> bool:
    """To an order that waits for it; else to the days that are offered."""
    return seen.agrees if seen.commit else seen.cues.answer == "yes" and seen.before["op"] == "book"


def _likely(seen: Seen) -> list[str]:
    """In order: bookings, then questions about one place, then searches."""
    for rule in (_bookings, _asks, _finds):
        labels = rule(seen)
        if labels:
            return labels
    if seen.cues.simple == "else":
        return ["else"]
    return ["outside", "unclear"] if seen.cues.outside else []


def _asks_for_unknown(seen: Seen) -> bool:
    """ "Is there a dress code?": a thing that no rule knows, so that no fact known of the place answers it."""
    return seen.place is not None and says(seen.mentions.masked, HAVING) and left_over(seen)


def _guesses(seen: Seen) -> list[str]:
    """What people most often want when nothing was recognised."""
    about = ["ask overview"] if seen.focus else []
    return [*about, "unclear", "outside"]


def _bookings(seen: Seen) -> list[str]:
    intent, when = seen.cues.intent, seen.moment
    if intent == "cancel" and says(seen.text, _NOT):
        return ["no", "cancel"]
    if intent in ("bookings", "cancel"):
        return [intent]
    if seen.says_ref and not intent:
        return ["bookings", "change", "cancel"]
    if intent == "change":
        own = seen.ref or seen.before["op"] in ("book", "change")
        return ["change"] if own else ["change", "book"]
    if intent == "book":
        return _books(seen)
    meant = seen.named or seen.cues.refers or seen.mentions.services
    told = seen.asked["op"] == "ask" and not seen.mentions.area and not seen.mentions.kinds
    meant = meant or (told and not seen.mentions.feature)
    if seen.place and switches(seen):
        return ["book"]
    about = seen.named or (told and seen.place and not seen.mentions.feature and not seen.mentions.services)
    if about and when.day and when.exact_time and not seen.cues.aspect and "?" not in seen.shown:
        return ["book"]
    if when.day and seen.focus.get("service") == "hotel" and says(seen.text, _NIGHTS) and not seen.mentions.strong:
        return ["book"]
    whole = when.people and (when.day or when.time) and not seen.cues.aspect
    if meant and whole and seen.place and seen.before["op"] != "change":
        return ["book"] if seen.named else ["book", *_finds(seen)]
    said = seen.says_when
    if not said or seen.mentions.places or seen.mentions.services or seen.cues.aspect:
        return []
    return [str(seen.before["op"])] if seen.before["op"] in ("book", "change") else []


def _books(seen: Seen) -> list[str]:
    """A booking of one place, or a wish to book some place of a sort."""
    said = seen.mentions
    if seen.named:
        return ["book"]
    services = said.strong or tuple(said.kinds)
    if services and not seen.cues.refers:
        return [f"find {services[0]}", "book"]
    return ["book"] if seen.place else ["book", "bookings"]


def _asks(seen: Seen) -> list[str]:
    """Empty when the message asks about no one place."""
    said, cues = seen.mentions, seen.cues
    if (says(seen.text, _OF_THOSE) and seen.results and not seen.named) or _narrows(seen):
        return []
    if seen.named and not (cues.others and said.strong):
        return [_aspect(seen)] if said.sure or not said.places else [_aspect(seen), "unclear"]
    tell_more = says(seen.text, TELL)
    aspect = cues.aspect if cues.aspect != "overview" or cues.refers or tell_more else ""
    if not seen.place or not (aspect or said.feature or seen.moment.day or tell_more):
        return []
    if said.area or (cues.others and not tell_more) or cues.best or (said.kinds and not cues.refers):
        return []
    if said.strong and says(seen.text, r"near\w*|around|close"):
        return []
    if not cues.refers and (said.strong or said.price or (not cues.aspect and says(seen.text, _WISH))):
        return []
    asks_on = seen.asked["op"] == "ask" and "?" in seen.shown
    sure = cues.refers or aspect not in ("", "overview") or says(seen.text, _YES_NO) or asks_on
    # A bare "parking?" may be about this place or a wish for another one; so may "something fun tonight".
    return [_aspect(seen)] if sure else [_aspect(seen), "find"]


def _narrows(seen: Seen) -> bool:
    """ "Open today" after a list: a wish about those shown, where no question is asked of one."""
    listed = seen.asked["op"] == "find" and len(seen.results) > 1 and not seen.named
    asks_one = seen.cues.refers or says(seen.text, _YES_NO) or seen.cues.intent or seen.moment.people
    return bool(listed and seen.moment.day and not asks_one)


def _aspect(seen: Seen) -> str:
    aspect = seen.cues.aspect
    if seen.mentions.feature and aspect in ("", "features", "overview", "hours", "directions"):
        return "ask feature"
    if aspect == "hours" or (not aspect and seen.moment.day):
        return "ask hours"
    return f"ask {aspect or 'overview'}"


def _finds(seen: Seen) -> list[str]:
    """Empty when the message wishes for no place."""
    said, cues = seen.mentions, seen.cues
    shown = seen.search.get("service") or seen.focus.get("service")
    if cues.others and shown and (not said.strong or shown in said.strong):
        return ["others", _aspect(seen)] if cues.aspect else ["others"]
    if said.feature in ("cafe", "spa") and seen.place:
        return ["ask feature", f"find {said.services[0]}"] if said.services else ["ask feature", "find"]
    if said.strong or said.kinds:
        return [f"find {service}" for service in (said.strong or tuple(said.kinds))[:3]]
    if said.services:
        goes_on = said.feature and shown and shown in seen.having
        return ["find"] if goes_on else [f"find {service}" for service in said.services[:2]] + ["find"]
    of_those = seen.moment.day and (says(seen.text, _OF_THOSE) or _narrows(seen))
    wishes = said.area or said.price or said.feature or cues.best or of_those
    if wishes and shown:
        return ["find"] if _narrows(seen) else ["find", f"find {shown}"]
    return ["find", "find restaurant", "find hotel"] if wishes else []
