"""A small grammar of phrasings: "[show|find] me a {thing}[| please]" has choices in brackets and slots in braces."""

import random
import re
import zlib
from collections.abc import Callable, Sequence

from training.text.example import Split

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
# Of the phrasings, this share is only ever seen in held-out text.
_KEPT_BACK_EVERY = 9
_UNSEEN_SHARE = 0.35


def expand(rng: random.Random, phrase: str) -> str:
    """One wording: innermost choices first, each equally likely; slots stay."""
    while match := _CHOICE.search(phrase):
        phrase = phrase[: match.start()] + rng.choice(match[1].split("|")) + phrase[match.end() :]
    return " ".join(phrase.split())


def fill(wording: str, value: Callable[[str], str]) -> str:
    """The wording with each slot replaced by what `value` gives for its name, from left to right."""
    return " ".join(_SLOT.sub(lambda slot: value(slot[1]), wording).split())


def pick(rng: random.Random, split: Split, phrases: Sequence[str]) -> str:
    """One phrase; some of a longer list are kept back from training, and held-out text uses them often."""
    kept_back = [p for p in phrases if zlib.crc32(p.encode()) % _KEPT_BACK_EVERY == 0]
    common = [p for p in phrases if p not in kept_back] or list(phrases)
    if split is Split.HELD_OUT and kept_back and rng.random() < _UNSEEN_SHARE:
        return rng.choice(kept_back)
    return rng.choice(common)
