"""Deterministic check of a model's sentence against the facts that it was given. No sentence is shown unchecked.

A sentence that states something must hold every value of one or more facts, complete, letter by letter and in the
order of the facts, so that no value can move to another name, and each right after a word that its place in such a
sentence may follow, so that no value can trade places with the name. Whatever is left may only be words of those
kinds of facts (`fact_words`) and a few that state nothing. Words that carry the meaning (open, closed, booked, …)
must be there, and exactly as many negations as the plain sentence has. A leading "Yes," or "No," may be left out,
but only the fact's own may be said.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.concierge.fact_types import Fact
from apps.concierge.fact_words import (
    BREAK,
    CONTRACTIONS,
    COURTESY,
    CUES,
    ENDINGS,
    LEADS,
    LINKING,
    NEGATORS,
    START,
    VALUE,
    WORDINGS,
)

LEAD = re.compile(rf"({'|'.join(LEADS)}), ")
MARKUP = re.compile(r"[<>*_`#\[\]{}|\\~^]|[^\x20-\x7e’‘“”–]")
WORD = r"[^\s,.;:!?\"“”()–]+"
PIECE = re.compile(rf"(?P<word>{WORD})|(?P<gap>[,;:()–])")
MOST_CHARS = 400
MOST_COURTESY_WORDS = 12
LEAST_OVERLAP = 0.6


@dataclass(frozen=True, slots=True)
class Verdict:
    """said: how many of the facts, in order, the sentence states; None if it must not be shown"""

    said: int | None


REFUSED = Verdict(None)


@dataclass(frozen=True, slots=True)
class Piece:
    """One value, word (in lower case) or gap of a sentence; exactly one of `value` and `word` is set."""

    value: str = ""
    word: str = ""


def check(sentence: str, facts: Sequence[Fact]) -> Verdict:
    """Judge one sentence against the facts not said yet."""
    if not sentence or len(sentence) > MOST_CHARS:
        return REFUSED
    phrases = {value for f in facts for value in f.values}
    lead = LEAD.match(sentence)
    body = sentence[lead.end() :] if lead else sentence
    if MARKUP.search(_outside(body, phrases)):
        return REFUSED
    pieces = _pieces(body, phrases)
    for count in range(1, len(facts) + 1):
        claimed = facts[:count]
        asks = sentence.endswith("?") == claimed[-1].text.endswith("?")
        if asks and _may_lead(lead, claimed[0]) and _states(pieces, claimed, phrases):
            return Verdict(count)
    return Verdict(0) if not lead and _is_courtesy(sentence) else REFUSED


def is_foreign(partial: str, facts: Sequence[Fact]) -> bool:
    """Whether an unfinished sentence already holds a word that no passing sentence can have."""
    known = COURTESY.union(map(str.lower, LEADS), *(_words(f.text) for f in facts))
    known = known.union(*(WORDINGS[f.about].words for f in facts))
    return any(word not in known for word in _words(partial.rpartition(" ")[0]))


def _may_lead(lead: re.Match[str] | None, first: Fact) -> bool:
    """Whether the fact's own plain sentence begins so; bad news may also begin with an apology."""
    if lead is None or first.text.startswith(lead[0]):
        return True
    return lead[1] == "Sorry" and ("sorry" in WORDINGS[first.about].words)


def _states(pieces: Sequence[Piece], claimed: Sequence[Fact], phrases: set[str]) -> bool:
    slots = _slots(pieces, claimed)
    if slots is None or not _in_place(pieces, slots):
        return False
    said = [piece.word for piece in pieces if piece.word and piece.word != BREAK]
    plain = [_pieces(LEAD.sub("", f.text, count=1), phrases) for f in claimed]
    own = [p.word for pieces in plain for p in pieces if p.word and p.word != BREAK]
    wordings = [WORDINGS[f.about] for f in claimed]
    if not set(said) <= LINKING.union(own, *(w.words for w in wordings)):
        return False
    if _negations(said) != _negations(own):
        return False
    if any(group.isdisjoint(said) for w in wordings for group in w.needs):
        return False
    # A fact without values: most of its words are there.
    bare = not any(f.values for f in claimed)
    return not bare or len(set(said) & set(own)) >= LEAST_OVERLAP * len(set(own))


def _slots(pieces: Sequence[Piece], claimed: Sequence[Fact]) -> list[str] | None:
    """The slot of each value found, in order; None unless they are exactly those of the facts, in their order.

    With one name in all of them, a value cannot be bound to another: the name may stand anywhere, and again.
    """
    found = [piece.value for piece in pieces if piece.value]
    names = {f.name for f in claimed if f.name}
    expected = [(value, WORDINGS[f.about].slot(i)) for f in claimed for i, value in enumerate(f.values)]
    if len(names) == 1:
        free = names & set(found)
        rest = iter([slot for value, slot in expected if value not in names])
        of_name = next((slot for value, slot in expected if value in names), "name")
        values = [value for value, _ in expected if value not in names]
        if not free or [value for value in found if value not in names] != values:
            return None
        return [of_name if value in names else next(rest) for value in found]
    return [slot for _, slot in expected] if found == [value for value, _ in expected] else None


def _in_place(pieces: Sequence[Piece], slots: Sequence[str]) -> bool:
    """Whether every value follows something that its slot may follow."""
    before: list[str] = [START]
    waiting = iter(slots)
    for piece in pieces:
        if piece.value and not any(tuple(before[-len(cue) :]) == cue for cue in CUES[next(waiting)]):
            return False
        before.append(VALUE if piece.value else piece.word)
    return True


def _negations(words: Sequence[str]) -> int:
    return sum(word in NEGATORS for word in words)


def _phrase_pattern(phrases: set[str]) -> str:
    """A value where no letter, digit or currency sign touches it; of two at one place the longer."""
    listed = "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p)))
    return rf"(?<![\w$.:])(?:{listed})(?![\w$]|[.:,]\d)" if phrases else r"(?!)"


def _pieces(text: str, phrases: set[str]) -> list[Piece]:
    pattern = rf"(?P<value>{_phrase_pattern(phrases)})|{PIECE.pattern}"
    found = []
    for match in re.finditer(pattern, text):
        if match["value"]:
            found.append(Piece(value=match["value"]))
        else:
            found += [Piece(word=word) for word in (_expanded(match["word"]) if match["word"] else [BREAK])]
    return found


def _outside(text: str, phrases: set[str]) -> str:
    return re.sub(_phrase_pattern(phrases), "", text)


def _words(text: str) -> list[str]:
    return [part for word in re.findall(WORD, text) for part in _expanded(word)]


def _expanded(word: str) -> list[str]:
    """In lower case; a short form ("I'll", "doesn't", with whichever apostrophe) as the words that it stands for."""
    word = word.lower().replace("’", "'").replace("‘", "'")
    if word in CONTRACTIONS:
        return CONTRACTIONS[word].split()
    for ending, meant in ENDINGS.items():
        if word.endswith(ending):
            return [start, meant] if (start := word.removesuffix(ending)) else [meant]
    return [word]


def _is_courtesy(sentence: str) -> bool:
    words = _words(sentence)
    return 0 < len(words) <= MOST_COURTESY_WORDS and set(words) <= COURTESY and not sentence.endswith("?")
