"""Rules that rank what a message may want. One label that explains every word is certain; the rest is the model's."""

from dataclasses import dataclass

from apps.concierge.understand.clean import says, whole, words_of
from apps.concierge.understand.cues import ELSE, unexplained
from apps.concierge.understand.lexicon import FILLERS
from apps.concierge.understand.moments import without_moment
from apps.concierge.understand.seen import Seen

_TELL = r"tell me|more about|details|more info|information|what(?:'s| is) _place_|describe"
_YES_NO = r"is there|are there|do they|does it|does|has it|have they|is it|can i|can we|do you|is|are|have|got|any"
_HAVING = (
    r"(?:is|are) there|(?:do|does|did) (?:you|u|they|it|_place_) (?:have|offer|do|sell|allow)|whats the|what is the"
    r"|(?:have|has) (?:you|u|they|it|_place_) got"
)
_POINTING = words_of("first second third last 1st 2nd 3rd best top rated others other another more")
_WISH = (
    r"(?:want|need|fancy|like|find|looking for|show) (?:me |us )?(?:some|something|somewhere|a|an)|something"
    r"|somewhere"
)
# Of those shown, some are wished for.
_OF_THOSE = (
    r"which (?:ones?|of (?:them|these|those)|have|has|are)|what ones|any of (?:them|these|those)|do any|only"
    r"|just (?:the|those)|(?:any|ones?) with"
)
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
    certain = len(likely) == 1 and not _left_over(seen) and _is_outright(seen, likely[0])
    if not certain:
        likely = [*likely, *_guesses(seen)]
        if likely[0] == "ask overview" and _asks_for_unknown(seen):
            likely = ["unclear", *likely]
    return Ranking(tuple(dict.fromkeys(likely))[:MOST], certain)


def _is_outright(seen: Seen, label: str) -> bool:
    """A place's overview is also what a question is taken for whose aspect was not seen: then the model must look."""
    if label != "ask overview":
        return True
    told = says(seen.mentions.masked, rf"{_TELL}|about|describe") and not seen.mentions.services
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
    if cues.simple == "menu":
        return "menu"
    free = cues.simple == "else" and not said.services and not _left_over(seen, ELSE)
    return "else" if free else ""


def _says_yes(seen: Seen) -> bool:
    """To an order that waits for it; else to the days that are offered."""
    return seen.agrees if seen.commit else seen.cues.answer == "yes" and seen.before["op"] == "book"


def _left_over(seen: Seen, known: str = "") -> bool:
    """Whether a word stays that neither mention, moment, cue nor filler explains."""
    rest = without_moment(seen.mentions.rest)
    words = unexplained(whole(known).sub(" ", rest) if known else rest, FILLERS)
    return any(word not in _POINTING and not word.startswith("vb") for word in words)


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
    return seen.place is not None and says(seen.mentions.masked, _HAVING) and _left_over(seen)


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
    whole = when.people and (when.day or when.time) and not seen.cues.aspect
    if meant and whole and seen.place and seen.before["op"] != "change":
        return ["book"] if seen.named else ["book", *_finds(seen)]
    said = when.day or when.time or when.people
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
    if says(seen.text, _OF_THOSE) and seen.results and not seen.named:
        return []
    if seen.named and not (cues.others and said.strong):
        return [_aspect(seen)] if said.sure or not said.places else [_aspect(seen), "unclear"]
    tell_more = says(seen.text, _TELL)
    aspect = cues.aspect if cues.aspect != "overview" or cues.refers or tell_more else ""
    if not seen.place or not (aspect or said.feature or seen.moment.day or tell_more):
        return []
    if said.area or (cues.others and not tell_more) or cues.best or (said.kinds and not cues.refers):
        return []
    if said.strong and says(seen.text, r"near\w*|around|close"):
        return []
    if not cues.refers and (said.strong or said.price or (not cues.aspect and says(seen.text, _WISH))):
        return []
    sure = cues.refers or aspect not in ("", "overview") or says(seen.text, _YES_NO)
    # A bare "parking?" may be about this place or a wish for another one; so may "something fun tonight".
    return [_aspect(seen)] if sure else [_aspect(seen), "find"]


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
        return [f"find {service}" for service in said.services[:2]] + ["find"]
    wishes = said.area or said.price or said.feature or cues.best or (says(seen.text, _OF_THOSE) and seen.moment.day)
    if wishes and shown:
        return ["find", f"find {shown}"]
    return ["find", "find restaurant", "find hotel"] if wishes else []
