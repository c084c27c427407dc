"""What a text names: runs of capitalized words. Scripts without capital letters name nothing here."""

import re
from collections.abc import Collection, Iterator, Sequence

WORD = re.compile(r"\w+(?:['’.-]\w+)*")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
LINKS = frozenset({"of", "the", "de", "la", "du", "von", "van", "der", "da", "di"})
"""Small words that may stand inside a name, never at its ends."""


def sentences(texts: Sequence[str], most_chars: int) -> list[str]:
    """Of the texts read last, as many whole ones as fit, and the beginning of one; in the order of reading."""
    found: list[list[str]] = []
    left = most_chars
    for text in reversed(texts):
        if left <= 0:
            break
        found.append([one.strip() for one in SENTENCE_END.split(text[:left]) if one.strip()])
        left -= len(text)
    return [sentence for one in reversed(found) for sentence in one]


def names(sentence: str, common: Collection[str]) -> Iterator[str]:
    """Names in a sentence, in order. `common` words, in lower case, begin none: "The Hague" is found as "Hague"."""
    run: list[re.Match[str]] = []
    for word in WORD.finditer(sentence):
        joined = not run or not sentence[run[-1].end() : word.start()].strip()
        if not joined:
            yield from _name(sentence, run, common)
            run = []
        if word[0][0].isupper() or word[0][0].isdigit() or (run and word[0] in LINKS):
            run.append(word)
        else:
            yield from _name(sentence, run, common)
            run = []
    yield from _name(sentence, run, common)


def _name(sentence: str, run: list[re.Match[str]], common: Collection[str]) -> Iterator[str]:
    while run and (run[0][0].casefold() in common or run[0][0] in LINKS):
        run = run[1:]
    while run and run[-1][0] in LINKS:
        run = run[:-1]
    if run and any(word[0][0].isupper() for word in run):
        yield sentence[run[0].start() : run[-1].end()]
