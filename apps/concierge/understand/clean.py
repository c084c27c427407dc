"""What a message says, without what could disturb rules or prompts."""

import re
import unicodedata

MOST_CHARS = 600
_TAG = re.compile(r"<[^<>]{0,200}>")
_FOLDS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})


def cleaned(text: str) -> str:
    """One line of at most MOST_CHARS visible characters: no tags, control or direction characters."""
    text = unicodedata.normalize("NFKC", text[: 8 * MOST_CHARS]).translate(_FOLDS)
    text = _TAG.sub(" ", text)
    kept = (c if unicodedata.category(c)[0] != "C" else " " if c in "\n\t\r" else "" for c in text)
    return " ".join("".join(kept).split())[:MOST_CHARS].strip()


def plain(text: str) -> str:
    """Lower case, accents and punctuation off, for matching; keeps : . ' $ - between characters."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    return " ".join(re.sub(r"[^\w:.'$-]|[.:'-](?!\w)", " ", bare).split())


def words_of(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())
