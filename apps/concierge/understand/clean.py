"""What a message says, without what could disturb rules or prompts."""

import re
import unicodedata
from functools import cache

MOST_CHARS = 600
_TAG = re.compile(r"<[^<>]{0,200}>")
_NO_WORD = re.compile(r"[^\w:.'$-]|[.:'-](?!\w)")
_FOLDS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})


def cleaned(text: str) -> str:
    """One line of at most MOST_CHARS visible characters: no tags, control or direction characters."""
    text = unicodedata.normalize("NFKC", text[: 8 * MOST_CHARS]).translate(_FOLDS)
    text = _TAG.sub(" ", text)
    kept = (c if unicodedata.category(c)[0] != "C" else " " if c in "\n\t\r" else "" for c in text)
    return " ".join("".join(kept).split())[:MOST_CHARS].strip()


def plain(text: str) -> str:
    """Lower case, accents and punctuation off, for matching; keeps : . ' $ - between characters."""
    folded = unicodedata.normalize("NFKD", text.casefold().replace("@", " at "))
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    return " ".join(_NO_WORD.sub(" ", bare).split())


def words_of(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())


@cache
def whole(words: str) -> re.Pattern[str]:
    """The pattern `words` as whole words; for constants only, since every one stays compiled."""
    return re.compile(rf"\b(?:{words})\b")


def says(text: str, words: str) -> bool:
    """Whether `text` has the constant pattern `words` as whole words."""
    return whole(words).search(text) is not None
