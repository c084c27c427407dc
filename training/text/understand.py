"""Examples of `understand`: what guests type at every point of a conversation, and the label that it means."""

import json
import random
from collections.abc import Callable, Iterator, Mapping

from apps.concierge.understand.clean import cleaned
from apps.concierge.understand.prompt import user_text
from apps.concierge.understand.reading import MODEL_CHARS
from training.text import understand_ask, understand_book, understand_find, understand_talk
from training.text.example import Example, Split
from training.text.manner import typed
from training.text.meant import Meant

Maker = Callable[[random.Random, Split], Meant]
# Share of each sort of message; what is easily confused with something else is given more than guests would.
_SHARES: Mapping[str, float] = {
    "find": 27,
    "find some": 6,
    "others": 6,
    "ask hours": 5,
    "ask price": 3,
    "ask address": 2.2,
    "ask directions": 2.6,
    "ask phone": 1.8,
    "ask rating": 2,
    "ask capacity": 1.7,
    "ask features": 2.2,
    "ask feature": 4.5,
    "ask overview": 3.5,
    "book": 9,
    "change": 5,
    "cancel": 2.8,
    "bookings": 2,
    "yes": 2.2,
    "no": 2.2,
    "else": 1.3,
    "hello": 1,
    "thanks": 1.3,
    "bye": 1,
    "menu": 2,
    "outside": 5.5,
    "unclear": 2.2,
}
# Words around these would change what they are.
_BARE = frozenset({"yes", "no", "hello", "thanks", "bye", "unclear", "else"})
_TRIES_EACH = 60


def _asking(aspect: str) -> Maker:
    return lambda rng, split: understand_ask.ask(rng, split, aspect)


_MAKERS: Mapping[str, Maker] = {
    "find": understand_find.find,
    "find some": understand_find.find_some,
    "others": understand_find.others,
    **{f"ask {aspect}": _asking(aspect) for aspect in understand_ask.ASPECTS},
    "book": understand_book.book,
    "change": understand_book.change,
    "cancel": understand_book.cancel,
    "bookings": understand_book.bookings,
    "yes": understand_talk.yes,
    "no": understand_talk.no,
    "else": understand_talk.other,
    **understand_talk.SMALL_TALK,
}


def examples(rng: random.Random, split: Split, count: int) -> Iterator[Example]:
    """`count` examples, no two of which show the model the same; fewer where that cannot be had.

    The sorts come in the proportions of _SHARES from the first example on.
    """
    seen: set[str] = set()
    made = 0
    names, weights = list(_SHARES), list(_SHARES.values())
    for _ in range(count * _TRIES_EACH):
        if made == count:
            return
        example = _example(rng, split, _MAKERS[rng.choices(names, weights)[0]])
        # Sorts of few short wordings may repeat themselves a little, or they would run dry.
        if example.user in seen and rng.random() > 0.1:
            continue
        seen.add(example.user)
        made += 1
        yield example


def _example(rng: random.Random, split: Split, maker: Maker) -> Example:
    meant = maker(rng, split)
    text = typed(rng, meant.text, meant.label not in _BARE, _fragile(meant))
    user = user_text(cleaned(text)[:MODEL_CHARS], meant.talk.context)
    return Example(
        "understand",
        user,
        json.dumps(meant.label),
        {
            "catalogue": meant.talk.catalogue.key,
            "state": meant.talk.state,
            "context": meant.talk.context,
            "now": meant.talk.now.isoformat(),
            "text": text,
            "request": dict(meant.gold),
        },
    )


def _fragile(meant: Meant) -> tuple[str, ...]:
    """Names of places may suffer a slip, since rules find them all the same; short ones and references may not."""
    places = [place.name for place in meant.talk.catalogue.places if len(place.name) < 9]
    return (*places, meant.talk.ref)
