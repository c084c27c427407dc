"""How people type what they mean: case, punctuation, courtesy, haste, slips of the finger, another mother tongue."""

import random
import re
from collections.abc import Mapping

_BEFORE = (
    "hi, ",
    "hello, ",
    "hey ",
    "um ",
    "ok so ",
    "sorry, ",
    "hi there, ",
    "excuse me, ",
    "good evening, ",
    "so ",
    "well ",
    "listen, ",
)
_AFTER = (" please", " please", " pls", " thanks", " thank you", " :)", "!!", " asap", " if possible", " for me")
_GRUMPY_BEFORE = ("come on, ", "for heaven's sake, ", "again: ", "i already asked, ", "ugh, ", "seriously, ")
_POLITE_BEFORE = (
    "would you be so kind: ",
    "if it's no trouble, ",
    "could you please tell me, ",
    "may i ask, ",
    "pardon me, ",
)
_SHORTHAND: Mapping[str, str] = {
    "you": "u",
    "please": "pls",
    "are": "r",
    "tonight": "2nite",
    "thanks": "thx",
    "and": "n",
    "because": "cuz",
    "people": "ppl",
    "want to": "wanna",
    "going to": "gonna",
    "do not": "dont",
    "what's": "whats",
    "i'd": "id",
    "i'm": "im",
    "where's": "wheres",
    "don't": "dont",
}
_ARTICLES = re.compile(r"\b(?:a|an|the) ", re.IGNORECASE)
_QUESTION = re.compile(
    r"^(?:what|when|where|which|who|how|is|are|do|does|can|could|would|will|has|have|any)\b", re.IGNORECASE
)
_NEIGHBOURS = {"a": "s", "e": "r", "i": "o", "o": "p", "n": "m", "t": "r", "s": "d", "r": "t", "l": "k", "u": "i"}


def typed(rng: random.Random, text: str, dressed: bool, fragile: tuple[str, ...]) -> str:
    """`text` as some guest types it.

    dressed: words of courtesy may stand around it; fragile: words in which no slip is made.
    """
    if dressed and rng.random() < 0.3:
        text = _dress(rng, text)
    chance = rng.random()
    if chance < 0.1:
        text = _hasty(text)
    elif chance < 0.16 and len(text.split()) > 4:
        text = _ARTICLES.sub("", text)
    if rng.random() < 0.14:
        text = _slip(rng, text, fragile)
    return _cased(rng, _punctuated(rng, text))


def _dress(rng: random.Random, text: str) -> str:
    chance = rng.random()
    if chance < 0.4:
        return rng.choice(_BEFORE) + text
    if chance < 0.8:
        return text + rng.choice(_AFTER)
    return rng.choice(_GRUMPY_BEFORE if chance < 0.9 else _POLITE_BEFORE) + text


def _hasty(text: str) -> str:
    for word, short in _SHORTHAND.items():
        text = re.sub(rf"\b{re.escape(word)}\b", short, text)
    return text


def _slip(rng: random.Random, text: str, fragile: tuple[str, ...]) -> str:
    """One typing slip inside a longer word."""
    words = text.split(" ")
    kept = {part for word in fragile for part in word.split()}
    able = [i for i, word in enumerate(words) if len(word) >= 5 and word.isalpha() and word not in kept]
    if not able:
        return text
    index = rng.choice(able)
    word, at = words[index], rng.randrange(1, len(words[index]) - 1)
    slips = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + _NEIGHBOURS.get(word[at], word[at]) + word[at + 1 :],
    )
    words[index] = rng.choice(slips)
    return " ".join(words)


def _punctuated(rng: random.Random, text: str) -> str:
    question = _QUESTION.match(text) is not None
    chance = rng.random()
    if chance < 0.5 or text[-1] in "?!.)":
        return text if rng.random() < 0.7 else re.sub(r"[,']", "", text)
    if question:
        return text + ("?" if chance < 0.95 else "??")
    return text + ("." if chance < 0.8 else "!" if chance < 0.9 else "...")


def _cased(rng: random.Random, text: str) -> str:
    chance = rng.random()
    if chance < 0.45:
        return text.lower()
    if chance < 0.5:
        return text.upper()
    text = re.sub(r"\bi\b", "I", text)
    return text[0].upper() + text[1:] if chance < 0.85 else text
