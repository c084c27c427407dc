"""Whether a message agrees, and agrees to nothing else. Only then is an order carried out that waits for a yes."""

import re

from apps.concierge.understand.clean import plain

# Each is taken away as a whole, so that a word of them ("that", "right") agrees to nothing alone in another sense.
_AGREES = (
    r"yes+|ye|yess|yas|yeah?|yep|yup|yea|y|ja|si|oui|ok|okay|okey|alright|k|kk|sure(?: thing)?|absolutely|definitely"
    r"|certainly|of course|by all means|agreed|deal|exactly|correct|right(?! now)|fine|perfect"
    r"|(?:please |you (?:can|may) )?(?:go (?:ahead|on)|proceed|continue)"
    r"|go for it|(?:let's )?do (?:it|that|this)"
    r"|make it so|please do|confirm(?:ed)?(?: (?:it|that|this))?|i (?:agree|confirm)|i'm in"
    r"|i (?:do )?want (?:it|that|this)|(?:that's|that is|this is|it's|it is|all|looks|seems|sounds) (?:all )?"
    r"(?:right|correct|fine|good|great|perfect|ok|okay)(?: to me)?"
    r"|that works|works for me|that's (?:exactly )?(?:what i want|the one|it exactly)(?: exactly)?|i am sure|i'm sure"
)
_BOOKED = (
    r"(?:it|that|this|(?:the|my|our|that|this) (?:booking|reservation|table|room|tickets?|appointment|order|session"
    r"|ride|visit))"
)
_WANTS = r"(?:(?:i (?:want to|wanna|need to|have to|would like to)|i'd like to) )?"
# To say again what is asked is a yes, but "change it" can ask for another change.
_AGREES_TO = {
    "book": rf"{_AGREES}|{_WANTS}(?:book|reserve|take) {_BOOKED}",
    "change": _AGREES,
    "cancel": rf"{_AGREES}|{_WANTS}(?:(?:cancel|delete)(?: {_BOOKED})?|call (?:it|that) off)",
}
# What may stand beside a yes and is none itself.
_BESIDE = r"please|pls|plz|thanks|thank you|thx|now|right now|then|just|well|so|and|good|nice|great|cool|lovely"
_BESIDE_OF = {"book": _BESIDE, "change": rf"{_BESIDE}|(?:change|move|update) {_BOOKED}", "cancel": _BESIDE}
_QUESTION = re.compile(r"[?\u061f\u00bf]")
_PATTERNS = {
    op: (re.compile(rf"\b(?:{yes})(?!\S)"), re.compile(rf"\b(?:{_BESIDE_OF[op]})(?!\S)"))
    for op, yes in _AGREES_TO.items()
}


def agrees(shown: str, op: str) -> bool:
    """Whether `shown` (cleaned) says nothing but yes to an order that is to book, to change or to cancel.

    A question, a negation, or any word besides leaves it open: the order is then stated again.
    """
    if _QUESTION.search(shown) or op not in _PATTERNS:
        return False
    yes, beside = _PATTERNS[op]
    rest, times = yes.subn(" ", plain(shown))
    return times > 0 and not beside.sub(" ", rest).strip()
