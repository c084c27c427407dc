"""Deterministic check of a model's sentence against the facts that it was given. No sentence is shown unchecked.

A sentence that states something must hold every value of one or more facts, complete, letter by letter and in the
order of the facts, so that no value can move to another name, and each right after words that its place in such a
sentence may follow, so that no value can trade places with the name. Whatever is left may only be words of those
kinds of facts (`fact_words`) and a few that state nothing. Phrases that carry the meaning (open, is closed, …) must be
there. What the facts deny, and nothing else, stands in reach of a negation in the same clause. A leading "Yes," or
"No," may be left out, but only the fact's own may be said.

A sentence that states nothing passes if it is one of a few kind ones (`fact_courtesy`), and no fact is bad news.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.concierge.fact_courtesy import COURTESY, is_courtesy
from apps.concierge.fact_types import Fact
from apps.concierge.fact_words import (
    BOUND,
    BREAK,
    CLAUSE_ENDS,
    CONTRACTIONS,
    CUES,
    DENIED_THROUGH,
    ENDINGS,
    LEADS,
    LINKING,
    NEGATORS,
    START,
    VALUE,
    WORDINGS,
    Wording,
    allowed_words,
    is_bad_news,
)

LEAD = re.compile(rf"({'|'.join(LEADS)}), ")
MARKUP = re.compile(r"[<>*_`#\[\]{}|\\~^]|[^\x20-\x7e’‘“”–]")
WORD = r"[^\s,.;:!?\"“”()–]+"
PIECE = rf"(?P<word>{WORD})|(?P<gap>[,.;:!?()–])"
MOST_CHARS = 400
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
    phrases = frozenset(value for f in facts for value in f.values)
    lead = LEAD.match(sentence)
    body = sentence[lead.end() :] if lead else sentence
    outside = _outside(body, phrases)
    if MARKUP.search(outside) or (lead and not _goes_on(body, phrases)):
        return REFUSED
    pieces = _pieces(body, phrases)
    for count in range(1, len(facts) + 1):
        claimed = facts[:count]
        if (
            ("?" in outside) == claimed[-1].text.endswith("?")
            and _may_lead(lead, claimed[0])
            and _states(pieces, claimed, phrases)
        ):
            return Verdict(count)
    kind = not lead and "?" not in sentence and is_courtesy(_words(sentence))
    return Verdict(0) if kind and not any(map(is_bad_news, facts)) else REFUSED


def is_foreign(partial: str, facts: Sequence[Fact]) -> bool:
    """Whether an unfinished sentence already holds a word that no passing sentence can have."""
    known = COURTESY.union(map(str.lower, LEADS), *(_words(f.text) for f in facts))
    known = known.union(LINKING, *map(allowed_words, facts))
    return any(word not in known for word in _words(partial.rpartition(" ")[0]))


def _goes_on(body: str, phrases: frozenset[str]) -> bool:
    """Whether what follows a lead goes on in lower case, as one sentence does, or begins with a value or an "I"."""
    match = _phrase_pattern(phrases).match(body)
    return match is not None and (match["value"] is not None or body[0].islower() or re.match(r"I\b", body) is not None)


def _may_lead(lead: re.Match[str] | None, first: Fact) -> bool:
    """Whether the fact's own plain sentence begins so; bad news may also begin with an apology."""
    if lead is None or first.text.startswith(lead[0]):
        return True
    return lead[1] == "Sorry" and ("sorry" in WORDINGS[first.about].words)


def _states(pieces: Sequence[Piece], claimed: Sequence[Fact], phrases: frozenset[str]) -> bool:
    slots = _slots(pieces, claimed)
    if slots is None:
        return False
    tokens, wordings = _tokens(pieces, slots), [WORDINGS[f.about] for f in claimed]
    plain = [_pieces(LEAD.sub("", f.text, count=1), phrases) for f in claimed]
    own = {p.word for pieces in plain for p in pieces if p.word} - {BREAK}
    said = {p.word for p in pieces if p.word} - {BREAK}
    linking = LINKING.difference(*(w.bars for w in wordings))
    if not said <= linking.union(own, *map(allowed_words, claimed)):
        return False
    # A fact without values: most of its words are there.
    bare = not any(f.values for f in claimed)
    if bare and len(said & own) < LEAST_OVERLAP * len(own):
        return False
    return _is_in_place(tokens, wordings) and _denies(tokens, wordings)


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


def _tokens(pieces: Sequence[Piece], slots: Sequence[str]) -> list[str]:
    """The words and gaps, and "=" and its slot for each value."""
    waiting = iter(slots)
    return [START, *(f"{VALUE}{next(waiting)}" if piece.value else piece.word for piece in pieces)]


def _is_in_place(tokens: Sequence[str], wordings: Sequence[Wording]) -> bool:
    """Whether every value follows a cue of its slot, each needed phrase is there, and no bound word is outside them."""
    held: set[int] = set()
    for at, token in enumerate(tokens):
        if token.startswith(VALUE):
            lengths = [len(cue) for cue in CUES[token.removeprefix(VALUE)] if _ends_with(tokens[:at], cue)]
            if not lengths:
                return False
            held.update(range(at - max(lengths), at))
    for group in (group for wording in wordings for group in wording.needs):
        spans = [
            (at - len(phrase), at)
            for phrase in group
            for at in range(len(tokens) + 1)
            if _ends_with(tokens[:at], phrase)
        ]
        if not spans:
            return False
        held.update(at for span in spans for at in range(*span))
    return all(at in held for at, token in enumerate(tokens) if token in BOUND)


def _ends_with(tokens: Sequence[str], cue: Sequence[str]) -> bool:
    if len(tokens) < len(cue):
        return False
    last = tokens[len(tokens) - len(cue) :]
    return all(
        part == token or (part == VALUE and token.startswith(VALUE)) for part, token in zip(cue, last, strict=True)
    )


def _denies(tokens: Sequence[str], wordings: Sequence[Wording]) -> bool:
    """Whether there are as many negations as the facts have, and each reaches its own within one clause."""
    starts = [at for at, token in enumerate(tokens) if token in NEGATORS]
    denied = [(wording, anchors) for wording in wordings for anchors in wording.denies]
    return len(starts) == len(denied) and all(
        _reaches(tokens[at + 1 :], anchors) and _is_one_clause(tokens, at, wording, anchors)
        for at, (wording, anchors) in zip(starts, denied, strict=True)
    )


def _is_one_clause(tokens: Sequence[str], at: int, wording: Wording, anchors: frozenset[str]) -> bool:
    """Whether a denied value and what it is denied of stand, once each, in one clause with the negation."""
    slots = {f"{VALUE}{slot}" for slot in wording.slots}
    if anchors.isdisjoint(slots):
        return True
    places = [place for place, token in enumerate(tokens) if token in slots]
    clause = tokens[min(at, *places) : max(at, *places)]
    return len(places) == len(slots) and CLAUSE_ENDS.isdisjoint(clause)


def _reaches(tokens: Sequence[str], anchors: frozenset[str]) -> bool:
    first = next((token for token in tokens if token in anchors or token not in DENIED_THROUGH), "")
    return first in anchors


@lru_cache(maxsize=256)
def _phrase_pattern(phrases: frozenset[str]) -> re.Pattern[str]:
    """A value where no letter, digit or currency sign touches it (of two at one place the longer), a word or a gap."""
    listed = "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p)))
    value = rf"(?<![\w$.:])(?:{listed})(?![\w$]|[.:,]\d)" if phrases else r"(?!)"
    return re.compile(rf"(?P<value>{value})|{PIECE}")


def _pieces(text: str, phrases: frozenset[str]) -> list[Piece]:
    found = []
    for match in _phrase_pattern(phrases).finditer(text):
        if match["value"]:
            found.append(Piece(value=match["value"]))
        else:
            found += [Piece(word=word) for word in (_expanded(match["word"]) if match["word"] else [BREAK])]
    return found


def _outside(text: str, phrases: frozenset[str]) -> str:
    return _phrase_pattern(phrases).sub(lambda match: "" if match["value"] else match[0], text)


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
