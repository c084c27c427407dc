"""What the text shown for a request must say, given what was found."""

from collections.abc import Mapping, Sequence

from apps.concierge.catalogue import SERVICES
from apps.concierge.model_evaluation.atoms import Atom, AtomKind, plain_number
from apps.concierge.model_evaluation.claims import (
    DENIED_TWICE,
    DENIES,
    REFUSES,
    Claim,
    Expected,
    Row,
    about_place,
    clock,
    dated,
    named,
    people,
    phrase,
    service_terms,
    term,
    weekday,
)
from apps.concierge.model_evaluation.expected_place import expected_of_place
from apps.concierge.requests import Request, is_confirmed_first
from apps.serving.names import Json

K = AtomKind
MOST_ROWS = 3  # of the own bookings, as many are told one by one
ASKS_CONSENT = "Shall I go ahead?"
DOES = {"book": r"\bbook|\breserv", "change": r"\bchang|\bmov|\bupdat", "cancel": r"\bcancel"}
# An order that is only restated, and a change that has been made, need not say the verb.
RESTATES = {
    "book": rf"{DOES['book']}|\btable\b|\broom\b|\btickets?\b|\bsession\b|\bride\b|\bget\b",
    "change": rf"{DOES['change']}|\bthen\b|\bnow\b|\binstead\b",
    "cancel": DOES["cancel"],
}
AHEAD = r"\bwill\b|'ll\b|\bwould\b|\bshall\b|\bgoing to\b|\bthen\b|\bso\b|\blet me\b|\bthat (?:is|makes)\b"
CHANGED = rf"{DOES['change']}|\bnow\b"
_AT_MOST = r"\bup to\b|\bmost\b|\bonly\b"
# Groups of the greatest number itself are welcome.
_MORE = rf"\b(?:more|bigger|larger|greater) than\b|\b(?:over|above|beyond|exceed\w*)\b|{_AT_MOST}"
NOTHING = Expected((Claim("", words=(REFUSES,), never=(r"\bcan find\b",)),))


def expected(asked: Request, found: Row) -> Expected:
    """Raises KeyError when the request's op, or what was found, is of no known form."""
    op = str(asked["op"])
    if is_confirmed_first(asked):
        return _confirmed(asked, found)
    if op in ("ask", "book", "drop") and "place" in asked and found["place"] is None:
        return _drop(asked, {}) if op == "drop" else NOTHING
    return {
        "find": _find,
        "ask": lambda asked, found: expected_of_place(asked, found["place"]),
        "book": _when,
        "change": _what_change,
        "bookings": _bookings,
        "commit": _done,
        "drop": _drop,
        "chat": _chat,
        "menu": _menu,
        "else": _else,
        "outside": _menu,
        "unclear": _menu,
    }[op](asked, found)


def _wishes(asked: Request, without: Sequence[Json] = ()) -> frozenset[Atom]:
    makers = {"area": phrase, "kind": term, "feature": term, "price": term, "day": weekday, "time": clock}
    return frozenset(make(asked[key]) for key, make in makers.items() if key in asked and key not in without)


def _find(asked: Request, found: Row) -> Expected:
    places, own = found["places"], service_terms(asked["service"])
    if not places:
        # A kind says the service: "clock museums".
        sought = _wishes(asked) if "kind" in asked else _wishes(asked) | own
        return Expected((Claim("", sought, (REFUSES,)),), own)
    may = _wishes(asked) | own | {Atom(K.NUMBER, plain_number(found["total"]))}
    claims = tuple(Claim(str(place["name"]), frozenset({named(str(place["name"]))})) for place in places)
    if found["given_up"]:
        gone = _wishes(asked) - _wishes(asked, found["given_up"])
        return Expected(claims, may, given_up=gone)
    claims = tuple(Claim(one.name, one.values, never=(DENIES,)) for one in claims)
    if len(places) == 1:
        price, rated = (
            Atom(K.MONEY, plain_number(places[0]["price"])),
            Atom(K.RATING, plain_number(places[0]["rating"])),
        )
        return Expected(claims, may | about_place(places[0]) | {price, rated})
    return Expected(claims, may)


def _order(order: Row, words: tuple[str, ...], never: tuple[str, ...]) -> Claim:
    name = str(order["name"])
    values = {named(name), people(order["people"]), clock(order["time"])} | dated(order["day"])
    return Claim(name, frozenset(values), words, never)


def _others(do: str) -> tuple[str, ...]:
    """Patterns of what else could be done to a booking."""
    if do == "book":
        return (DOES["change"], DOES["cancel"])
    return tuple(DOES[other] for other in ("change", "cancel") if other != do)


def _confirmed(asked: Request, found: Row) -> Expected:
    op = str(asked["op"])
    if found.get("booking", found.get("place")) is None:
        return NOTHING
    if op != "cancel" and found["refusal"]:
        return _refused(str(found["place"]["name"]), str(found["refusal"]), found.get("wanted", asked))
    base = found["place"] if op == "book" else found["booking"]
    order = {**base, **(asked if op == "book" else found["wanted"] if op == "change" else {})}
    order["name"] = base["name"]
    done = r"\b(?:have|has|is|was|been|already) (?:now )?(?:booked|reserved|changed|moved|cancelled)"
    claim = _order(order, (RESTATES[op], AHEAD), (*_others(op), DENIES, done))
    return Expected((claim,), service_terms(base["service"]), tail=ASKS_CONSENT)


def _refused(name: str, why: str, order: Row) -> Expected:
    when = dated(order["day"]) | {clock(order["time"])}
    if why == "too many":
        values = frozenset({named(name), Atom(K.PEOPLE, "12")})
        return Expected(
            (Claim(name, values, (rf"{REFUSES}|{_AT_MOST}", _MORE), (r"\bclosed\b", r"\bfull\b|fully")),),
            when,
        )
    words = r"\b(?:closed|shut)\b|\bnot open\b" if why == "closed" else r"\bfull\b|\bfully\b|sold out"
    never = r"\bfull\b|\bfully\b|sold out" if why == "closed" else r"\b(?:closed|shut)\b"
    return Expected((Claim(name, when | {named(name)}, (words,), (never, DENIED_TWICE)),))


def _when(asked: Request, found: Row) -> Expected:
    name = str(found["place"]["name"])
    party = frozenset({people(asked["people"])}) if "people" in asked else frozenset()
    claim = Claim(name, party | {named(name)}, (r"\b(?:day|date|when)\b",), (DENIES,))
    return Expected((claim,), about_place(found["place"]))


def _what_change(asked: Request, found: Row) -> Expected:
    if not found["booking"]:
        return NOTHING
    claim = _order(found["booking"], (r"\bchang|\bdifferent|\bother",), (DOES["cancel"], DENIES))
    return Expected((claim,), service_terms(found["booking"]["service"]))


def _bookings(asked: Request, found: Row) -> Expected:
    rows = found["bookings"]
    if not rows:
        return NOTHING
    claims = [_order(row, (), (DOES["change"], DOES["cancel"], DENIES)) for row in rows[:MOST_ROWS]]
    may = frozenset[Atom]().union(*(service_terms(row["service"]) for row in rows))
    rest = len(rows) - len(claims)
    if rest:
        may |= {Atom(K.NUMBER, str(rest))}
        claims.append(Claim("", words=(r"\bmore\b|\bothers?\b",)))
    return Expected(tuple(claims), may)


def _done(asked: Request, found: Row) -> Expected:
    if not found["ok"]:
        if found["why"] in ("no such booking", "no such place"):
            return NOTHING
        name = found.get("name") or found["booking"]["name"]
        return _refused(str(name), str(found["why"]), asked["order"])
    booking, do = found["booking"], str(found["do"])
    never = (*_others(do), DENIES, r"\b(?:will|shall|going to)\b")
    words = CHANGED if do == "change" else DOES[do]
    claim, ref = _order(booking, (words,), never), Atom(K.CODE, str(booking["ref"]))
    may = service_terms(booking["service"]) | {ref}
    if do == "cancel":
        return Expected((claim,), may)
    return Expected((claim, Claim("", frozenset({ref}))), may)


def _drop(asked: Request, found: Row) -> Expected:
    place, done = found.get("place"), (r"\b(?:have|has) (?:booked|reserved|changed|cancelled)", r"\bnot \w+ nothing\b")
    if not place:
        return Expected((Claim("", never=done),))
    name = str(place["name"])
    return Expected((Claim(name, frozenset({named(name)}), never=done),))


def _chat(asked: Request, found: Row) -> Expected:
    words = {"hello": r"hello|welcome|\bhi\b", "thanks": r"welcome|pleasure|glad", "bye": r"bye|enjoy|farewell|see you"}
    return Expected((Claim("", words=(words[str(asked["about"])],)),))


def _else(asked: Request, found: Row) -> Expected:
    return Expected((Claim("", words=(r"\binstead\b|\belse\b|\bother\b",)),))


def _menu(asked: Request, found: Row) -> Expected:
    keys = [str(key) for key in found["services"]]
    many = frozenset(term(SERVICES[key].one) for key in keys if key in SERVICES)
    words: Mapping[str, tuple[str, ...]] = {"outside": (rf"\bonly\b|{REFUSES}",), "unclear": (REFUSES,)}
    return Expected((Claim("", many, words.get(str(asked["op"]), (r"\bhelp|\bfind|\bbook",))),))
