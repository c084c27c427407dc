"""What a text has to say, and may say, in the judge's own terms: made from rows, never from the product's facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from apps.concierge.catalogue import CITY, SERVICES
from apps.concierge.hours import DAYS
from apps.concierge.model_evaluation.atoms import Atom, AtomKind, plain_number
from apps.serving.names import Json

K = AtomKind
Row = Mapping[str, Json]
# What refuses by itself. "No," and "sorry" only announce it: "Sorry, it has parking" refuses nothing.
_REFUSALS = "not none nothing never cannot closed shut without neither lack lacks"
REFUSES = rf"\b(?:{'|'.join(_REFUSALS.split())})\b|n't\b|\bno\b(?!,)"
# Whatever denies in any way: a lie in an affirmation.
DENIES = rf"{REFUSES}|\b(?:no|sorry|sadly|afraid|unfortunately)\b"
# What turns a refusal round again.
DENIED_TWICE = r"(?:\bnot|\bnever|n't)(?: \w+)? (?:closed|shut|full|fully|so|without)\b"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing to say.

    name    of the place that it is about; "" for none
    values  all of them are said, beside no other place's name
    words   patterns, in lower case, each found outside of names and values
    never   patterns of which none is found there
    """

    name: str
    values: frozenset[Atom] = frozenset()
    words: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expected:
    """claims in the order to be said

    may       atoms that are supported without being asked for
    hours     weekday -> [opens, closes] that the text must tell in full; None where it tells no week
    given_up  wishes that must be denied, and never said of a place shown instead
    tail      what the text must end with
    """

    claims: tuple[Claim, ...]
    may: frozenset[Atom] = frozenset()
    hours: Mapping[str, Sequence[str]] | None = None
    given_up: frozenset[Atom] = frozenset()
    tail: str = ""

    @property
    def supported(self) -> frozenset[Atom]:
        return self.may.union(*(claim.values for claim in self.claims)) | self.given_up | {Atom(K.PHRASE, CITY)}

    @property
    def names(self) -> frozenset[str]:
        return frozenset(claim.name for claim in self.claims if claim.name)


def named(name: str) -> Atom:
    return Atom(K.NAME, name)


def phrase(text: Json) -> Atom:
    return Atom(K.PHRASE, str(text))


def term(word: Json) -> Atom:
    return Atom(K.TERM, str(word).lower())


def people(count: Json) -> Atom:
    return Atom(K.PEOPLE, plain_number(count))


def clock(time: Json) -> Atom:
    return Atom(K.CLOCK, str(time))


def weekday(day: Json) -> Atom:
    return Atom(K.WEEKDAY, str(day))


def dated(day: Json) -> frozenset[Atom]:
    """ "2026-12-04": the day of the month and the weekday"""
    when = date.fromisoformat(str(day))
    return frozenset({Atom(K.DATE, f"{when.day:02d}-{when.month:02d}"), weekday(DAYS[when.weekday()])})


def service_terms(service: Json) -> frozenset[Atom]:
    known = SERVICES.get(str(service))
    return frozenset({term(known.one)}) if known else frozenset()


def about_place(place: Row) -> frozenset[Atom]:
    """What may be said of a place whatever is asked."""
    return frozenset({phrase(place["area"]), term(place["kind"])}) | service_terms(place["service"])
