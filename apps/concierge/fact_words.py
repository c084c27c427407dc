"""How each kind of fact may be worded: the words that a sentence may use, those it must use, what it denies, and where
values stand.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.concierge.fact_types import Fact

LEADS = ("Yes", "No", "Sorry")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATORS = _set("no not nothing never none nobody nowhere cannot without neither nor")
CONTRACTIONS = {"can't": "cannot", "won't": "will not", "i'm": "i am", "i'd": "i would"}
ENDINGS = {"n't": "not", "'ll": "will", "'ve": "have", "'re": "are", "'s": "is", "'d": "would"}
"""Short forms stand for the words that they are made of; after a name, "'s" may be either of two."""
LINKING = _set(
    "a an the is are it its this that which there here you your our for at on in from to of and with has have"
    " lovely great wonderful nice good also located"
)
DENIED_THROUGH = _set(
    "a an the any of have has offer offers find found provide get come with know take takes accept groups more than"
    " was be that quite also"
)
"""What may stand between a negator and what it denies; anything else, a value or a break, ends its reach."""
CLAUSE_ENDS = frozenset({",", "but", "and"})
BOUND = _set("close closes closing stops stopping ends start starts starting opening off leave charge")
"""Words that turn a sentence's meaning unless they stand right where a cue or a needed phrase has them."""
START, BREAK, VALUE = "^", ",", "="
"""What may precede a value besides words: the sentence's start, a comma or the like, another value ("=walk": of that
slot).
"""


def _cues(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cue.split()) for cue in text.split("|"))


CUES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "name": _cues(
        "^|,|=|the|at|of|to|for|from|by|with|and|find|visit|reach|call|rate|give|about|seeing|riding|that|so"
        "|suggest|recommend|like|try|take|book|choose|afraid|inside|lovely|but|here is"
    ),
    # Where what a place has may begin the sentence, or follow "with", its name may not follow "with".
    "host": _cues("^|,|=|the|at|of|that|so|afraid|but|inside|lovely|here is"),
    # Of "Guests rate A B" only one order is right.
    "scored": _cues("^|,|the|of|at|rate|give|that|so|lovely|for|to"),
    "noun": _cues("a|an|the|our|good|fine|great|lovely|nice|wonderful"),
    "area": _cues("in"),
    "rated": _cues("rated|rating of|rating is|rate|rate it|score of|scores|gets|at|has"),
    "score": _cues("rated|rating of|is|rate =|rate it|give =|score of|scores|gets|at|has"),
    "days": _cues("open|opens|guests|runs|on|=|,|are|from"),
    "opens": _cues("from|opens at|open at|starting at|starts at|= at|between|open|hours are|opening hours are|,"),
    "closes": _cues("to|until|till|closes at|close at|stopping at|stops at|ends at|between = and|closing at"),
    "day": _cues("on"),
    "time": _cues("at"),
    "listed": _cues("open|guests|runs|on|=|,|and|are"),
    "cost": _cues("costs|cost|is|charges|pay|for|at|comes to|are|price of"),
    "line": _cues(
        "take|ride|catch|board|get on|^|with|take the|ride the|catch the|board the|get on the|^ the|with the"
    ),
    # Where the line leads to, never where one gets on.
    "stop": _cues("to|off at|leave at|the stop at"),
    # Where the way ends: only the walk may be measured from it.
    "goal": _cues("^|,|to|for|and|then|are at|=walk from"),
    "walk": _cues("is|,|then|=|you are"),
    "capacity": _cues("for|seat|seats|holds|hold|take|takes|carries|up to|fits|welcome|is"),
    "phone": _cues("is|on|call|at|dial|ring|,"),
    "address": _cues("at|is|to|from"),
    "feature": _cues(
        "offers|offer|has|have|is|get|find|with|without|count on|a|an|also|^|no|any|,|and|provides|includes"
    ),
    "what": _cues("no|any|the|best|these|good|for|of|favourite|rated|other|are|few|among|more|in"),
    "place": _cues("are|suggest|recommend|like|try|,|and|to|visit|is"),
    "item": _cues("find|,|and|with|help|in|to|book|of|for"),
    "city": _cues("in|to|of|visiting"),
    "party": _cues("for|of"),
    "new": _cues("for|to"),
    "most": _cues("more than"),
    "ref": _cues("is|reference|,"),
    "more": _cues("are|is|have|,"),
}
"""Slot -> what may stand right before its value; a value elsewhere might belong to something else."""


@dataclass(frozen=True, slots=True)
class Wording:
    """slots  of the fact's values in order; the last one is also that of all further values
    words   allowed beside the plain sentence's own and those that state nothing
    needs   groups of phrases that carry the meaning: a sentence must have one of each; "=" and a slot is its value
    denies  what each negator denies, in order, as alternatives: a word, or "=" and a slot; nothing else is denied
    bars    words that state nothing elsewhere, and would here
    """

    slots: tuple[str, ...]
    words: frozenset[str]
    needs: tuple[tuple[tuple[str, ...], ...], ...]
    denies: tuple[frozenset[str], ...]
    bars: frozenset[str]

    def slot(self, index: int) -> str:
        return self.slots[min(index, len(self.slots) - 1)]


def _say(slots: str, needs: str = "", words: str = "", denies: str = "", bars: str = "") -> Wording:
    """Groups stand between blanks, their alternatives between bars; "_" joins the words of a phrase."""
    groups = [[tuple(phrase.split("_")) for phrase in group.split("|")] for group in needs.split()]
    needed = (word for group in groups for phrase in group for word in phrase)
    return Wording(
        tuple(slots.split()),
        _set(words).union(needed),
        tuple(map(tuple, groups)),
        tuple(frozenset(group.split("|")) for group in denies.split()),
        _set(bars),
    )


_SORRY = "sorry sadly unfortunately i am afraid but we"
_NONE = f"{_SORRY} could not no find any know of found we have"
_CLOSED = "=name_is_closed|=name_stays_closed|=name_will_be_closed|=name_is_shut"
_SUCCESS = "you your our have has for with here"
_ORDER, _NEW_ORDER = "name party day time", "name new day time"
_PROPOSED = (
    "i_will_book|i_will_reserve|i_will_get|i_would_book|i_would_reserve|let_me_book|let_me_reserve"
    "|so_that_is_a|so_that_is_the|so_that_is_tickets|so_that_will_be|that_would_be|so_this_is_a"
)
WORDINGS: Mapping[str, Wording] = {
    "overview": _say("name noun area rated", "rated|rate|rating|score", "guests visitors by over will find based"),
    "hours": _say(
        "name days opens closes",
        "open|opens|welcomes|runs|hours|opening_hours|visit",
        "until till between closes close guests can starting stopping will be",
    ),
    "always open": _say(
        "name days",
        "open|runs|welcomes|hour|visit|come day|clock|hour",
        "and night around at any all can come guests always will be",
    ),
    "hours by day": _say("name listed", "open|welcomes|runs|hours|opening_hours|visit|timetable", "guests can"),
    "never open": _say("name", f"{_CLOSED} every_day|all_week", _SORRY),
    "open on day": _say(
        "name day opens closes",
        "open|opens|welcomes|takes|visit|runs",
        "until till between closes close guests can place starting stopping will be",
    ),
    "open all day": _say("name day", "open|runs|welcomes|visit day|clock night|clock", "all around can guests"),
    "open at time": _say("name day time", "open|running|welcomes|visit", "guests will be can"),
    "closed on day": _say("name day", _CLOSED, f"{_SORRY} all day"),
    "closed at time": _say("name day time", _CLOSED, _SORRY),
    "price": _say(
        "name cost",
        "costs|cost|is|charges|pay|comes|price",
        "will visit can",
    ),
    "free": _say("name", "free_for_everyone|free_of_charge_for_everyone", "visit", bars="has have with"),
    "directions": _say(
        "line stop walk goal", "", "take ride catch board get off brings leave there stop then takes can will from"
    ),
    "rating": _say("scored score", "rated|rating|rate|give|scores|score", "guests visitors by gets"),
    "features": _say(
        "host feature", "offers|has|find|comes|get|includes|have|provides|offer", "will can with also features"
    ),
    "no features": _say("name", "nothing_special", "about mention i can know of", denies="special"),
    "has feature": _say(
        "host feature", "offers|has|have|is|find|comes|get|includes|provides|count", "will can available also with"
    ),
    "lacks feature": _say(
        "host feature",
        "offer|have|is|comes|has|provide|find|offers",
        f"{_SORRY} does not no without any do will get can cannot",
        denies="=feature",
    ),
    "phone": _say("name phone", "phone|call|number|reach|ring|dial|telephone", "can by ask about"),
    "address": _say("name address area", "", "will find found can takes place address based waiting stands be"),
    "capacity": _say("name capacity", "room|seat|seats|holds|take|takes|carries|fits|space", "can up there"),
    "place gone": _say("", "find place", _SORRY, denies="place"),
    "booking gone": _say("", "find booking", _SORRY, denies="booking"),
    "best of many": _say(
        "what place", "best|suggest|recommend|picks|favourite|top", "i would my among rated try are can few these you"
    ),
    "all found": _say("what place", "", "i found we have choose can these all among would suit"),
    "only one": _say("name area noun", "", "i would suggest recommend try fine can you could"),
    "none found": _say("what", "", _NONE, denies="=what"),
    "none exactly": _say("what", "", _NONE, denies="=what"),
    "some instead": _say("what place", "", "might like these instead could try i can suggest recommend take other but"),
    "one instead": _say("name", "try|like|go|visit|take|suggest|recommend", "might could instead i can but would"),
    "to book": _say(_ORDER, _PROPOSED, "i me be then", bars="have has"),
    "to change": _say(_NEW_ORDER, "change|changes|then|move will|would", "i be so", bars="is are have has"),
    "to cancel": _say(_ORDER, "cancel|cancels will|would", "i so that then", bars="is are have has"),
    "your booking": _say(_ORDER, "booking|booked", "i can see also"),
    "booked": _say(_ORDER, "booked|reserved", "done have i now"),
    "changed": _say(_NEW_ORDER, "changed|now|moved", "done have i been"),
    "cancelled": _say(_ORDER, "cancelled|canceled", "done have i been"),
    "reference": _say("ref", "reference", "booking under keep"),
    "more bookings": _say("more", "", "besides these have"),
    "closed then": _say("name day time", _CLOSED, _SORRY, bars=_SUCCESS),
    "full then": _say("name day time", "=name_is_fully_booked", _SORRY, bars=_SUCCESS),
    "too many": _say(
        "name most", "take|accept|takes groups", f"{_SORRY} does not cannot can more than", denies="=most"
    ),
    "choose time": _say("party name", "choose|pick|tell day time", "please me which what would suit"),
    "choose visit": _say("name", "choose|pick|tell day time", "please me which what would suit"),
    "choose change": _say("", "change tell|say", "please i should"),
    "no bookings": _say("", "bookings", "so far yet", denies="bookings"),
    "nothing done": _say("", "nothing_was_done", "so", denies="done find"),
    "left as it is": _say("", "leave", "all right"),
    "nothing changed": _say(
        "name", "change_nothing_for|nothing_changes_for|will_not_change", "all right fine", denies="for|change|changes"
    ),
    "thanks": _say("", "welcome", "most"),
    "goodbye": _say("city", "goodbye", "a time enjoy"),
    "hello": _say("city", "hello|welcome", "and"),
    "something else": _say("", "instead|else", "then"),
    "outside": _say("item", "only_help", _SORRY),
    "unclear": _say("item", "understand can_help", f"{_SORRY} quite", denies="understand"),
    "menu": _say("item", "help|find", "you can"),
}
"""`Fact.about` -> its wording. A kind that is missing here is an error, not a free pass."""
_SOLD: Mapping[str, frozenset[str]] = {
    "restaurant": _set("meal eating"),
    "hotel": _set("room staying"),
    "event": _set("ticket entry seeing"),
    "museum": _set("ticket entry seeing"),
    "ride": _set("ride riding"),
    "spa": _set("session entry"),
}
_PRICED = _set("price free")
_RATED_BY: Mapping[str, frozenset[str]] = {"ride": _set("riders")}
_UNWANTED = frozenset({"to cancel", "cancelled", "left as it is"})


def allowed_words(stated: Fact) -> frozenset[str]:
    """What its kind allows, and what only its service has: a ride "to" a restaurant has no price, nor a show riders."""
    by_service = _SOLD if stated.about in _PRICED else _RATED_BY if stated.about == "rating" else {}
    return WORDINGS[stated.about].words | by_service.get(stated.service, frozenset())


def is_bad_news(stated: Fact) -> bool:
    """Whether it denies, refuses or ends something, so that good wishes beside it would deny it."""
    wording = WORDINGS[stated.about]
    return bool(wording.denies) or "sorry" in wording.words or stated.about in _UNWANTED
