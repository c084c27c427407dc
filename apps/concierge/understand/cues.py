"""Words that show what a message wants. In each table the first that matches counts, so the order matters."""

import re
from dataclasses import dataclass

from apps.concierge.understand.clean import says, whole
from apps.concierge.understand.people import NUMBER

REF = r"vb[2-9a-z]{6}"
_BOOKED = r"(?:booking|reservation|table|room|tickets?|appointment|order)"
_INTENTS = (
    ("bookings",
     r"(?:what|which|show|see|list|view|check|do|have|did|are|any|all|where|when|tell)\b.*\b(?:my|our) (?:bookings?"
     r"|reservations?|plans)"
     r"|^(?:my|our) (?:bookings?|reservations?|plans)$|(?:have|did|had|what) (?:i|we)(?:'ve)? (?:have |got "
     r"|already )*book(?:ed)?"
     r"|(?:what|which) (?:bookings?|reservations?)|(?:bookings?|reservations?) (?:do|did|have) (?:i|we)"
     r"|(?:have|got) (?:any|a) (?:bookings?|reservations?)|(?:what|anything).* (?:i|we) (?:have |got )*(?:booked"
     r"|reserved)"),
    ("cancel",
     rf"cancel\w*|call (?:it |that |the \w+ )?off|(?:delete|drop|scrap|undo|get rid of) (?:my|the|our|that"
     rf"|this) {_BOOKED}"
     r"|(?:can't|cant|cannot|won't|not able to) (?:make it|come|go)(?: any ?more| after all)?|no longer (?:need"
     r"|want)"),
    ("change",
     rf"re-?schedule|postpone|(?:change|move|modify|alter|push|shift|switch|amend|edit|update|bring"
     rf"|put)\b.*\b(?:{_BOOKED}|it|that"
     rf"|this|time|day|date|to|back|forward|for|{REF})|make (?:it|that)|(?:later|earlier) (?:instead|please)"
     rf"|instead of"),
    ("book",
     r"book(?! ?shop|store)|booking|bok|reserve|reserv\w*|resrve|table (?:for|at)|tickets? (?:for|to|at)"
     r"|rooms? for (?=\d|one|two|three|four|five|us\b|me\b|the|a )"
     rf"|(?:get|want|need|have|take) (?:me |us )?(?:a|the|some|{NUMBER}) (?:table|tickets?|seats?|spots?|session"
     r"|room)\b"
     r"|sign (?:me|us) up|put (?:me|us) down|(?:i'll|we'll|ill|well) take (?:it|_place_|the)"),
)  # fmt: skip
_ASPECTS = (
    ("phone",
     r"phone|telephone|tel|call (?:them|it|there|_place_)|(?:number|contact)(?: of| for| details)?|ring them"
     r"|reach them by"),
    ("capacity",
     r"how many (?:people|guests|persons|seats|visitors)|capacity|how (?:big|large|spacious)|room for|seat \d+"
     r"|fit (?:\d+|us)"),
    ("directions",
     r"(?:get|getting|go|come|walk|travel|drive) (?:to|there|from|here)|directions?|how (?:do|can|would|could"
     r"|should) (?:i|we) (?:reach|go|find|come)"
     r"|way (?:to(?! get around)|there)|(?:which|what) (?:tram|bus|metro|line|stop|station)"
     r"|how far|far (?:from|away|is)|nearest (?:stop|tram|bus"
     r"|station)"
     r"|reach (?:it|_place_)|route|take the (?:tram|bus|metro)|get off"),
    ("address",
     r"address|adress|addres|where can (?:i|we) find _place_|where(?:'s| is| are|s)? (?:it|that|_place_|the place"
     r"|exactly|this|they|located)"
     r"|where exactly"
     r"|located|location|what street|which street|which (?:part|area)|whereabouts|^where(?: is it)?$"),
    ("price",
     r"how much|costs?|prices?|(?<!too )(?<!not )(?<!less )pricey|pricing|(?:is|are|it|that|how) (?:it |they |_place_ "
     r"|the \w+ (?:one )?)?(?:very |"
     r"so )?(?:expensive|cheap)|(?:is|are) (?:it|they|_place_|the \w+(?: one)?) too (?:expensive|pricey|dear)"
     r"|charge|entry fee"
     r"|fees?|fare|rates|admission|free (?:of charge|entry)|is (?:it|_place_) free|pay|(?<!too )(?<!not )dear"),
    ("rating",
     r"how(?:'s|s| is| are) (?:the )?(?:food|service|_place_|it)(?! from)"
     r"|rated|ratings?|reviews?|stars|scores?|how good|any good|(?:is|are) (?:it|_place_|they) (?:any )?(?:good|nice"
     r"|worth)|worth (?:it|a visit|going)"
     r"|(?:what|do) (?:do )?people (?:say|think|like)|popular|recommended"
     r"|decent|well known|tasty|delicious"),
    ("hours",
     r"open|opens|opening|oepn|opne|close(?! (?:to|by)\b)|closes|closing|closed|hours|what time|when (?:does|do|is"
     r"|are|can)|how late"
     r"|until when|till when|shut|start|starts"
     r"|begin|begins|finish|from when|check(?:ing)?[- ](?:in|out)"),
    ("features",
     r"what (?:else )?(?:does|do|can|is|are) (?!you\b).*(?:offer|have|provide|included|got)|features?|facilities"
     r"|amenities"
     r"|offers?"
     r"|what services|what(?:'s|s| is) (?:there|included|on offer|special)"
     r"|anything special"),
    ("overview",
     r"tell me|(?:what|which) (?:kind|sort|type) of|(?:do|does|did) .*\bserve"
     r"|more about|about(?! (?:\d|noon|midday|half|quarter|one\b|two|three|four|five|six|seven|eight|nine|ten"
     r"|eleven|twelve))|what(?:'s| is)|describe|info|information|details|learn|know"),
)  # fmt: skip
HELLO = r"hi+|hello+|hey+|hiya|good (?:morning|evening|afternoon|day)|greetings|howdy|helo|yo|hullo"
THANKS = r"thank (?:you|u)|thanks?|thx|ty|cheers|ta|tanks|much appreciated|appreciate it|thnx"
BYE = (
    r"bye+|goodbye|good bye|see (?:you|ya)|good night|cya|farewell|take care|have a (?:nice|good|great) (?:day|one"
    r"|evening)"
)
_CHAT_FILL = (
    r"there|so much|very much|a lot|a bunch|again|everyone|concierge|that's all|for (?:now|the help|your help"
    r"|everything)|bye|for all|all|mate|you|then|and|now|ok|okay|later|great|perfect|lovely|awesome|super|much"
)
_PRAISE = r"great|perfect|awesome|lovely|nice|cool|wonderful|super|excellent|brilliant"
_CHATS = (
    ("bye", BYE),
    ("thanks", rf"{THANKS}|{_PRAISE}"),
    ("hello", HELLO),
)
MENU = (
    r"(?:please )?help(?: me)?|what (?:else )?can (?:you|u|i|we) (?:do|ask|help)(?: (?:you|with|me|for me|here"
    r"|everything))*|how does this work|what do you do"
    r"|who are you|what are you|start over|menu|(?:show )?(?:the )?main menu|what (?:is|'s) this|what (?:are my"
    r"|are the) options|what do you offer"
    r"|how can you help(?: me)?|what can i (?:do|ask) here|options|commands"
)
ELSE = (
    r"something else|anything else|other ideas?|something different"
    r"|different ideas?"
)
OUTSIDE = (
    r"weather|forecast|rains?|president|joke|poem|python|javascript|flights?|news|stocks?|translate|maths?|football"
    r"|recipe|homework|bitcoin"
    r"|song lyrics|capital of|passport|visa|doctor|dentist|pharmacy|police|lawyer|iphone|laptop|email|password"
    r"|elections?|sing|traffic|refunds?|money back|(?:tram|bus|train) tickets?"
    r"|zoo|aquariums?|casinos?|golf(?:ing)?|tennis|bowling|skiing|beach(?:es)?|stadium|nightclubs?|disco"
    r"|(?:shopping )?(?:mall|centre|center)|shopping|supermarkets?|groceries|grocery|chemist|drugstore|hospitals?"
    r"|ambulance|atms?|cash machine|(?:exchange|change) money|post office|(?:petrol|gas) station|hairdressers?|barber"
    r"|library|embassy|consulate|laundry|laundromat|sim card|babysitter|vet|real estate|job"
    r"|(?:rent|hire)(?: (?:me|us))? a car|(?:car|van) (?:rental|hire)|(?:rental|hire) cars?"
)
YES = (
    r"(?:oh |well |ok |okay )?(?:yes+|yeah?|yep|yup|yea|sure(?: thing)?|ok|okay|okey|go ahead|go for it|do it"
    r"|please do|confirm(?:ed)?|correct|right"
    r"|absolutely|definitely|of course|sounds good|sounds great|that works|works for me|that's right|that's fine"
    r"|fine|perfect|exactly|let's do it|book it)"
    r"(?:,? (?:please|thanks|thank you|book it|do it|do that|go ahead|that works|that's right|confirm|pls|ok|great"
    r"|perfect|cancel it|change it))*"
)
NO = (
    r"(?:oh |well |uh |umm? )?(?:no+|nope|nah|don't(?: do it| bother)?|dont|never ?mind|not now|leave it|forget it"
    r"|rather not|i'd rather not|better not|not really"
    r"|no way|stop|not that|skip it)(?: (?:thanks|thank you|don't|please|thx|leave it|keep it|not now|never mind"
    r"|forget it|do not book|i changed my mind))*"
)
REFERENCE = (
    r"it|its|it's|(?<!is )(?<!are )(?<!hi )(?<!hello )(?<!hey )there|that|this(?! (?:weekend|week|evening|afternoon"
    r"|morning|\w+day))|they|them|their|that place|the place"
    r"|the (?:restaurant|hotel|museum|spa|event|show"
    r"|concert|cafe|ride|ferry|taxi)"
)
OTHERS = (
    r"others?|another|similar|else|alternatives?|instead|more(?! about| info| details)|different|like (?:it|that"
    r"|this)"
)
# "3rd" alone is a day of the month.
_ORDINALS = (
    ("first|former|frist|fisrt|1st one|top one", 0),
    ("second|secnd|sceond|secodn|2nd one|middle", 1),
    ("third|thrid|thrd|thiird|3rd one", 2),
    ("last|latter", -1),
)
BEST = r"best(?! way)|top|highest|number one|finest"


@dataclass(frozen=True, slots=True)
class Cues:
    """Each "" or False when the message has no such word. ordinal: which of the places shown, from 0; -1 is the last"""

    intent: str
    aspect: str
    simple: str
    chat: str
    answer: str
    outside: bool
    refers: bool
    others: bool
    best: bool
    ordinal: int | None


def cues(text: str) -> Cues:
    """`text` is plain, names masked."""
    return Cues(
        intent=_first(text, _INTENTS),
        aspect=_first(text, _ASPECTS),
        simple="menu" if re.fullmatch(MENU, text) else "else" if says(text, ELSE) else "",
        chat=next((name for name, words in _CHATS if _is_only(text, words)), ""),
        answer="yes" if re.fullmatch(YES, text) else "no" if re.fullmatch(NO, text) else "",
        outside=says(text, OUTSIDE),
        refers=says(text, REFERENCE),
        others=says(text, OTHERS),
        best=says(text, BEST),
        ordinal=next(
            (i for words, i in _ORDINALS if says(text, rf"(?:the )?(?:{words})(?: one| place| option)?")), None
        ),
    )


def _is_only(text: str, words: str) -> bool:
    """Each alternative is taken away once: a repeated group of them would try every way to split a long text."""
    return says(text, words) and not whole(f"{words}|{THANKS}|{_CHAT_FILL}").sub("", text).strip()


def unexplained(text: str, fillers: frozenset[str]) -> list[str]:
    """Words of `text` that no cue explains and that are no fillers."""
    for _, pattern in (*_INTENTS, *_ASPECTS):
        text = whole(pattern).sub(" ", text)
    return [word for word in text.split() if word not in fillers and not word.startswith("_")]


def _first(text: str, table: tuple[tuple[str, str], ...]) -> str:
    return next((name for name, pattern in table if says(text, pattern)), "")
