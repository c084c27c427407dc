"""Whether a text that was shown is true and whole: the evaluation's own judge, which knows nothing of the fact check.

It reads every number, time, price, name, weekday and term of the text, asks for each what supports it, and then asks
whether all that had to be said is there, said of the right place and with the right yes or no.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from apps.concierge.catalogue import CITY, SERVICES
from apps.concierge.hours import DAYS
from apps.concierge.model_evaluation.atoms import Atom, AtomKind, Placed, TextRead, read_text
from apps.concierge.model_evaluation.claims import REFUSES, Claim, Expected
from apps.concierge.model_evaluation.expected_place import ROUND_THE_CLOCK

K = AtomKind
NUMERIC = frozenset({K.MONEY, K.RATING, K.WALK, K.PEOPLE, K.NUMBER})
_CUT = re.compile(r"[.!?](?=\s|$)|, but\b|;|\bbut\b")
OPENING, CLOSING = r"\bopen|\bfrom\b|\bstart", r"\bclos|\buntil\b|\btill\b|\bend|\bstop|\bto\b"
# Right before a figure, these make it another one; a group may well be "more than 12 people".
_HEDGES = r"\b(?:less|fewer|cheaper|more) than\s*$|\b(?:under|below|over|above|almost|nearly|about|at least)\s*$"
# Terms that are looked for in every text, whatever its set's catalogues hold.
COMMON_TERMS = frozenset({service.one for service in SERVICES.values()}) | {
    "cheap", "moderate", "expensive", "parking", "wifi", "breakfast", "pool", "sauna", "gym", "terrace", "garden",
    "outdoor seating", "live music", "wheelchair access", "takeaway", "gift shop", "audio guide",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judge:
    """terms: features and kinds of all catalogues, so that one of another place is seen as such"""

    terms: frozenset[str] = field(default=COMMON_TERMS)

    def faults(self, text: str, wanted: Expected) -> list[str]:
        """What is wrong with the text, in words; empty when it is true and whole."""
        found = _tail_faults(text, wanted.tail)
        text = text.removesuffix(wanted.tail).rstrip()
        read = self.reading(text, wanted)
        found += [f"unsupported: {one}" for one in _foreign(read, wanted)]
        found += [f"not just: {one}" for one in _hedged(read)]
        if wanted.given_up:
            found += _instead_faults(text, read, wanted)
        parts = _parts(text, read, wanted.names) if _spread(wanted.claims) else None
        found += _claim_faults(text, read, wanted.claims, parts)
        found += _way_faults(read, wanted)
        if wanted.hours is not None:
            found += _hours_faults(read, wanted.hours)
        return found

    def reading(self, text: str, wanted: Expected) -> TextRead:
        supported = wanted.supported
        names = {one.value for one in supported if one.kind is K.NAME}
        phrases = {one.value for one in supported if one.kind is K.PHRASE}
        terms = self.terms | {one.value for one in supported if one.kind is K.TERM}
        return read_text(text, names, phrases | {CITY}, terms)


def _foreign(read: TextRead, wanted: Expected) -> list[Atom]:
    """Atoms that nothing supports. A bare number is supported by any figure that is equal."""
    supported = wanted.supported
    figures = {one.value for one in supported if one.kind in NUMERIC}
    return [
        one.atom
        for one in read.atoms
        if one.atom not in supported and not (one.atom.kind is K.NUMBER and one.atom.value in figures)
    ]


def _hedged(read: TextRead) -> list[Atom]:
    figures = [one for one in read.atoms if one.atom.kind in NUMERIC - {K.PEOPLE}]
    return [one.atom for one in figures if re.search(_HEDGES, read.rest[: one.start])]


def _holds(value: Atom, atoms: Iterable[Atom]) -> bool:
    bare = Atom(K.NUMBER, value.value) if value.kind in NUMERIC else value
    return any(one in (value, bare) for one in atoms)


def _spread(claims: Sequence[Claim]) -> bool:
    """Whether several claims each bind values to a name, so that values could be mixed up."""
    return sum(1 for claim in claims if claim.name and len(claim.values) > 1) > 1


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of the text with one name in it."""

    start: int
    end: int


def _parts(text: str, read: TextRead, names: frozenset[str]) -> list[_Part]:
    """One part for each name said: from its sentence's start, or from itself if it is not the first there."""
    ends = [match.end() for match in re.finditer(r"[.!?](?=\s|$)", text)] or [len(text)]
    ends = ends if ends[-1] >= len(text.rstrip()) else [*ends, len(text)]
    parts, start = [], 0
    for end in ends:
        at = [one.start for one in read.atoms if one.atom.value in names and start <= one.start < end]
        bounds = [start, *at[1:], end]
        parts += [_Part(a, b) for a, b in itertools.pairwise(bounds)] if at else []
        start = end
    return parts


def _claim_faults(text: str, read: TextRead, claims: Sequence[Claim], parts: list[_Part] | None) -> list[str]:
    faults, free = [], list(parts or ())
    for claim in claims:
        scope: _Part | None = _Part(0, len(text))
        if parts is not None and claim.name:
            scope = next((part for part in free if not _missing(claim, read, part)), None)
            if scope is None:
                faults.append(f"not said together: {', '.join(sorted(map(str, claim.values)))}")
                continue
            free.remove(scope)
            faults += [f"said of {claim.name}: {one}" for one in _strange(claim, claims, read, scope)]
        faults += [f"missing: {one}" for one in _missing(claim, read, scope)]
        said = read.rest[scope.start : scope.end]
        faults += [f"missing words: {one}" for one in claim.words if not re.search(one, said)]
        faults += [f"contrary words: {one}" for one in claim.never if re.search(one, said)]
    if parts is not None:
        faults += [f"said twice: {text[part.start : part.end].strip()}" for part in free]
    return faults


def _missing(claim: Claim, read: TextRead, scope: _Part) -> list[Atom]:
    there = [one.atom for one in _within(read, scope)]
    return sorted((value for value in claim.values if not _holds(value, there)), key=str)


def _strange(claim: Claim, claims: Sequence[Claim], read: TextRead, scope: _Part) -> list[Atom]:
    """Values of other claims only, said in this one's part."""
    others = frozenset[Atom]().union(*(one.values for one in claims if one.name)) - claim.values
    return [one.atom for one in _within(read, scope) if one.atom in others]


def _within(read: TextRead, scope: _Part) -> list[Placed]:
    return [one for one in read.atoms if scope.start <= one.start < scope.end]


def _instead_faults(text: str, read: TextRead, wanted: Expected) -> list[str]:
    """Some clause denies the wishes given up; no clause with a name does, or holds one of them."""
    faults, start, denied = [], 0, False
    for end in [*(match.end() for match in _CUT.finditer(text)), len(text)]:
        clause, start = _Part(start, end), end
        atoms = [one.atom for one in _within(read, clause)]
        denies = re.search(REFUSES, read.rest[clause.start : clause.end]) is not None
        if any(one.kind is K.NAME for one in atoms):
            faults += [f"said of a place that is shown instead: {one}" for one in atoms if one in wanted.given_up]
            faults += ["denied of a place that is shown"] if denies else []
        elif denies:
            denied = denied or all(_holds(wish, atoms) for wish in wanted.given_up)
    return faults if denied else [*faults, "the wishes given up are not denied"]


def _way_faults(read: TextRead, wanted: Expected) -> list[str]:
    """A way leads by a line to a stop, and on foot to the place; only the walk may be told backwards."""
    if not any(value.kind is K.WALK for claim in wanted.claims for value in claim.values):
        return []
    faults, end, before = [], 0, Atom(K.NUMBER, "")
    for one in read.atoms:
        gap = read.rest[end : one.start].strip()
        named, behind_line = one.atom.value in wanted.names, before.kind is K.PHRASE and before != one.atom
        if gap.endswith("from") and (before.kind is not K.WALK if named else behind_line):
            faults.append(f"the way begins at {one.atom.value}")
        elif named and behind_line and re.search(r"\bto$|\b(?:off|out|leave|alight) at$", gap):
            faults.append(f"the line leads to {one.atom.value}")
        elif behind_line and gap == "at" and re.search(r"\b(?:board|catch|take)$", read.rest[:end].rstrip()):
            faults.append(f"the line is boarded at {one.atom.value}")
        end, before = one.end, one.atom
    return faults


def _hours_faults(read: TextRead, hours: Mapping[str, Sequence[str]]) -> list[str]:
    """Every run of days is followed by exactly their span, and every day with hours is told."""
    always = all(list(span) == ["00:00", "24:00"] for span in hours.values())
    runs = [one for one in read.atoms if one.atom.kind in (K.WEEKDAY, K.CLOCK)]
    if always and not any(one.atom.kind is K.CLOCK for one in runs):
        told = _days(runs, read) if runs else set()
        late = [] if re.search(ROUND_THE_CLOCK, read.rest) else ["missing words: day and night"]
        return late + _days_faults(told, hours)
    told, faults = set(), []
    for days, times in _groups(runs, read):
        told |= days
        span = [one.atom.value for one in times]
        wrong = [day for day in sorted(days) if list(hours.get(day, ())) != span]
        faults += [f"hours of {', '.join(wrong)}: {' to '.join(span) or 'none'}"] if wrong else []
        faults += _role_faults(times, read)
    return faults + _days_faults(told, hours)


def _role_faults(times: Sequence[Placed], read: TextRead) -> list[str]:
    """The first time is when it opens, the second when it closes, where words say which."""
    faults = []
    for one, right in zip(times, (OPENING, CLOSING), strict=False):
        before = max((other.end for other in read.atoms if other.end <= one.start), default=0)
        said = re.findall(f"{OPENING}|{CLOSING}", read.rest[before : one.start])
        # The nearest word decides: "stays open till 22:00" says when it closes.
        if said and not re.search(right, said[-1]):
            faults.append(f"opening and closing mixed up at {one.atom.value}")
    return faults


def _days_faults(told: set[str], hours: Mapping[str, Sequence[str]]) -> list[str]:
    return [] if told == set(hours) else [f"days told: {', '.join(sorted(told))}; right: {', '.join(sorted(hours))}"]


def _groups(runs: Sequence[Placed], read: TextRead) -> list[tuple[set[str], list[Placed]]]:
    """Days and the times that belong to them; times before the first days belong to these."""
    groups: list[tuple[set[str], list[Placed]]] = []
    days: list[Placed] = []
    early: list[Placed] = []
    for index, one in enumerate(runs):
        if one.atom.kind is K.WEEKDAY:
            days.append(one)
            following = runs[index + 1] if index + 1 < len(runs) else None
            if following is None or following.atom.kind is K.CLOCK:
                groups.append((_days(days, read), []))
                days = []
        else:
            (groups[-1][1] if groups else early).append(one)
    if groups and early:
        groups[0] = (groups[0][0], early + groups[0][1])
    return groups


def _days(run: Sequence[Placed], read: TextRead) -> set[str]:
    """ "Tuesday to Sunday" is all between; "Monday and Friday" the two."""
    if any(one.atom.value == "all" for one in run):
        return set(DAYS)
    told = {one.atom.value for one in run}
    for first, last in itertools.pairwise(run):
        if read.rest[first.end : last.start].strip() in ("to", "till", "until", "through", "-"):
            start, end = DAYS.index(first.atom.value), DAYS.index(last.atom.value)
            told |= {DAYS[(start + step) % 7] for step in range((end - start) % 7 + 1)}
    return told


def _tail_faults(text: str, tail: str) -> list[str]:
    if tail and not text.endswith(tail):
        return [f"does not end with {tail!r}"]
    return [] if tail or "go ahead?" not in text else ["asks for consent, with nothing to consent to"]
