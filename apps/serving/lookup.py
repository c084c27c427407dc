"""A caller's lookup header, in the words of HTTP's Cache-Control. method.md §3

no-cache        run, and replace what is kept          only-if-cached  served or refused, never run
no-store        keep nothing of this                   max-age=N       no entry confirmed longer than N seconds ago
"""

from collections.abc import Mapping

from apps.serving.workflow import Lookup, LookupMode

MOST_AGE_S = 2**31  # larger ages mean this one, as RFC 9111 says
MAX_AGE = "max-age"
MODES: Mapping[frozenset[str], LookupMode] = {
    frozenset(): LookupMode.NORMAL,
    frozenset({"no-cache"}): LookupMode.REFRESH,
    frozenset({"no-store"}): LookupMode.NO_STORE,
    frozenset({"no-cache", "no-store"}): LookupMode.BYPASS,
    frozenset({"only-if-cached"}): LookupMode.ONLY_IF_CACHED,
}
WORDS = ("no-cache", "no-store", "only-if-cached")


def parse_lookup(header: str) -> Lookup:
    """The lookup that a header's text asks for; ValueError names the directive and the mend. "" asks for nothing."""
    words: set[str] = set()
    max_age_ms: int | None = None
    for directive in filter(None, (part.strip() for part in header.split(","))):
        word, equals, argument = (part.strip() for part in directive.partition("="))
        word = word.lower()
        if word == MAX_AGE:
            max_age_ms = _age_ms(directive, argument, max_age_ms)
        elif word not in WORDS:
            raise ValueError(f"unknown directive {directive!r}: use {', '.join(WORDS)} or {MAX_AGE}=SECONDS")
        elif equals:
            raise ValueError(f"{directive!r}: {word} takes no value; write {word} alone")
        words |= {word} - {MAX_AGE}
    mode = MODES.get(frozenset(words))
    if mode is None:
        others = " and ".join(sorted(words - {"only-if-cached"}))
        raise ValueError(f"only-if-cached with {others}: it never runs, and so keeps nothing; leave {others} out")
    served = mode in (LookupMode.NORMAL, LookupMode.NO_STORE, LookupMode.ONLY_IF_CACHED)
    return Lookup(mode, max_age_ms if served else None)


def _age_ms(directive: str, argument: str, known_ms: int | None) -> int:
    if known_ms is not None:
        raise ValueError(f"{directive!r}: {MAX_AGE} is given twice; give it once")
    if not (argument.isascii() and argument.isdigit()):
        raise ValueError(f"{directive!r}: {MAX_AGE} takes whole seconds, 0 or more, as in {MAX_AGE}=60")
    # By its length first: Python refuses to read numbers of very many digits.
    return min(int(argument) if len(argument) <= 10 else MOST_AGE_S, MOST_AGE_S) * 1000
