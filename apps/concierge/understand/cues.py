"""Words that show what a message wants; the first that matches counts, so the order matters."""

import re
from dataclasses import dataclass

INTENTS = (
    ("cancel", r"cancel|call off|delete my|drop my"),
    (
        "change",
        r"(?:change|move|reschedule|postpone|modify|alter|push)\b.*(?:book|reserv|table|it|to\b|vb\w{6})|reschedule",
    ),
    ("bookings", r"my (?:bookings?|reservations?|plans)|(?:have|did) i (?:got )?book(?:ed)?|bookings? (?:do i|have i)"),
    ("book", r"book(?! a? ?shop)|reserve|reservation|table for|tickets? for|rooms? for|get (?:a|us a) table"),
)
ASPECTS = (
    ("phone", r"phone|telephone|call (?:them|it)|number (?:of|for)|contact"),
    ("directions", r"get (?:to|there)|directions?|how (?:do|can) (?:i|we) (?:reach|go)|way to|which (?:tram|bus)"),
    ("address", r"address|where(?:'s| is| are)|located|location"),
    ("price", r"how much|cost|costs|price|prices|pricey|expensive is|charge"),
    ("rating", r"rated|rating|reviews?|stars|how good|any good"),
    ("capacity", r"how many people|capacity|how big|how large"),
    ("features", r"what (?:does|do|can) .*(?:offer|have|provide)|features?|facilities|amenities|offers?"),
    ("hours", r"open|opens|opening|close|closes|closing|closed|hours|what time"),
    ("overview", r"tell me (?:more )?about|more about|about|what(?:'s| is)|describe|info|information|details"),
)
CHATS = (
    ("thanks", r"thanks?|thank you|cheers|great|perfect|awesome|lovely"),
    ("bye", r"bye|goodbye|see you|good night"),
    ("hello", r"hi|hello|hey|good (?:morning|evening|afternoon)|greetings"),
)
SIMPLE = (
    ("menu", r"help|what can you do|how does this work|what do you do|who are you|start over|menu"),
    ("else", r"something else|anything else|other ideas?|different|more options|what else"),
)
OUTSIDE = r"weather|president|joke|poem|code|python|flight|news|stock|translate|math|football|recipe|homework|bitcoin"
YES = (
    r"(?:yes|yeah|yep|sure|ok|okay|go ahead|do it|please do|confirm|correct)"
    r"(?: please| thanks| book it| do it| go ahead)*"
)
NO = r"(?:no|nope|nah|don't|never mind|not now|leave it)(?: thanks| thank you| don't| please)*"
REFERENCE = (
    r"it|its|it's|there|that|this|they|them|their|that place|the place|the restaurant|the hotel|the museum|the spa"
)
OTHERS = r"others?|another|similar|else|alternatives?|instead|more"
ORDINALS = (("first", 0), ("1st", 0), ("second", 1), ("2nd", 1), ("third", 2), ("3rd", 2), ("last", -1))
BEST = r"best|top|highest rated|best rated"


@dataclass(frozen=True, slots=True)
class Cues:
    """Each "" or False when the message has no such word."""

    intent: str
    aspect: str
    simple: str
    chat: str
    outside: bool
    refers: bool
    others: bool
    best: bool
    ordinal: int | None


def cues(text: str) -> Cues:
    """`text` is plain."""
    ordinals = (index for word, index in ORDINALS if re.search(rf"\b(?:the )?{word}(?: one)?\b", text))
    return Cues(
        intent=_first(text, INTENTS),
        aspect=_first(text, ASPECTS),
        simple=_first(text, SIMPLE),
        chat=next(
            (name for name, words in CHATS if re.fullmatch(rf"(?:(?:{words}|so much|a lot|there)\s*)+", text)), ""
        ),
        outside=says(text, OUTSIDE),
        refers=says(text, REFERENCE),
        others=says(text, OTHERS),
        best=says(text, BEST),
        ordinal=next(ordinals, None),
    )


def says(text: str, pattern: str) -> bool:
    return re.search(rf"\b(?:{pattern})\b", text) is not None


def _first(text: str, table: tuple[tuple[str, str], ...]) -> str:
    return next((name for name, pattern in table if says(text, pattern)), "")
