"""Verifies the whole structure of a library while it is used, and mends it on request, like a file-system check.

Every script looks at whole things, each with all its indexes, so that nothing can change between two looks; with
`repair` it mends in the same step. What is wrong with an index may have hidden a write, so the thing goes: a repair
costs reuse, never freshness. This is the one place that walks the key space (SCAN): a key that nothing refers to can
be found in no other way.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import redis

from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchState
from apps.serving.names import Json
from apps.stores import keys
from apps.stores.scripts import Scripts
from apps.stores.verdicts import call_token

BATCH = 100  # things that one script looks at; it holds up Redis for about two milliseconds
SCANNED = 1000
AT_ONCE = 10_000  # entries that may be added up in one script, some ten microseconds each
TRIES = 3  # to add them up in small steps while nothing is kept or goes
ROUNDS = 5  # mending one thing may show the next; what is left after so many is not mended

OBJECTS: Mapping[str, str] = {
    "entry:": "check_entries",
    "ghost:": "check_ghosts",
    "fill:": "check_fills",
    "branch:": "check_branches",
    "chains:": "check_branches",
    "chain:": "check_chains",
    "work:": "check_work",
}
"""Prefix -> the script that looks at what has it."""

INDEXES = ("readers:", "children:", "named:", "owned:")
LISTS = (
    "used", "worth", "names", "reserved", "running", "expiry", "unsettled", "retired", "leases", "unknown",
)  # fmt: skip
Item = TypeVar("Item")
TYPES: Mapping[str, str] = {
    "sorted set": "zset", "hash": "hash", "set": "set", "list": "list", "string": "string", "stream": "stream",
}  # fmt: skip
"""What a key's description in `keys.py` begins with -> what Redis calls it."""


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    repaired: bool


@dataclass(frozen=True, slots=True)
class Report:
    """checked  kind -> how many were looked at; a walk may meet a key twice while the table is resized
    totals   False: the library is large, and was never quiet for long enough to add it up
    """

    findings: tuple[Finding, ...]
    checked: Mapping[str, int]
    totals: bool

    @property
    def left(self) -> tuple[str, ...]:
        return tuple(finding.what for finding in self.findings if not finding.repaired)

    def as_json(self) -> dict[str, Json]:
        found: list[Json] = [{"what": one.what, "repaired": one.repaired} for one in self.findings]
        return {
            "clean": not self.findings,
            "left": len(self.left),
            "findings": found,
            "checked": dict(self.checked),
            "totals_checked": self.totals,
        }


class LibraryCheck:
    def __init__(self, client: redis.Redis, library: str = "main") -> None:
        self._client, self._scripts, self._keys = client, Scripts(client), keys.library(library)
        self._head = self._keys.key("used").removesuffix("used")
        states = {state.name.lower(): state.value for kind in (FillState, BranchState) for state in kind}
        self._states = "{" + ",".join(f'"{name}":"{state}"' for name, state in states.items()) + "}"

    def run(self, *, repair: bool, now_ms: int) -> Report:
        """One look at everything; with `repair` as many as it takes until one finds nothing."""
        found: list[Finding] = []
        for number in range(ROUNDS if repair else 1):
            walk = _Walk(self, "1" if repair else "0", now_ms)
            walk.go()
            found += [Finding(what, repair and number < ROUNDS - 1) for what in walk.found]
            if not walk.found:
                break
        return Report(tuple(found), walk.checked, walk.totals)


class _Walk:
    """One look at everything."""

    def __init__(self, check: "LibraryCheck", repair: str, now_ms: int) -> None:
        self._client, self._scripts, self._keys = check._client, check._scripts, check._keys
        self._head, self._common = check._head, (repair, check._states)
        self._extra = {"check_fills": (call_token(),), "check_branches": (now_ms,)}
        self._ghosts: list[str] = []
        self.found: list[str] = []
        self.checked: Counter[str] = Counter()
        self.totals = False

    def go(self) -> None:
        for batch in self._scan():
            for name, ids in self._by_name(batch).items():
                self._look_at(name, ids)
        for name in LISTS:
            self._members(name, "")
        for records in _chunks(self._client.hscan_iter(self._keys.key("writing"))):
            self._ask("check_marks", *(record for record, _ in records))
        self._ask("check_work")
        self.totals = self._check_totals()

    def _ask(self, script: str, *args: str | bytes) -> None:
        extra = self._extra.get(script, ())
        said = self._scripts.run(self._keys, script, *self._common, *extra, *args)
        self.found += [what.decode(errors="replace") for what in said]

    def _look_at(self, name: str, ids: Sequence[str]) -> None:
        if name in OBJECTS or name in INDEXES:
            self.checked[name.rstrip(":")] += len(ids)
        if name == "ghost:":
            self._ghosts += ids
        if name in OBJECTS:
            for some in _chunks(ids):
                self._ask(OBJECTS[name], *some)
        if name in INDEXES:
            for one in ids:
                self._members(name, one)

    def _members(self, name: str, object_id: str) -> None:
        key = self._keys.key(name, object_id)
        if keys.LIBRARY[name].startswith("sorted set"):
            members: Iterable[bytes] = (member for member, _ in self._client.zscan_iter(key, count=SCANNED))
        else:
            members = self._client.sscan_iter(key, count=SCANNED)
        for some in _chunks(members):
            self._ask("check_members", name, object_id, *some)

    # -- the key space ----------------------------------------------------------------------------

    def _scan(self) -> Iterator[list[bytes]]:
        pattern = re.sub(r"([*?\[\]\\])", r"\\\1", self._head) + "*"
        cursor = None
        while cursor != 0:
            cursor, batch = self._client.scan(cursor or 0, match=pattern, count=SCANNED)
            if batch:
                yield batch

    def _by_name(self, batch: Sequence[bytes]) -> dict[str, list[str]]:
        """Ids by the name of their key ("" where it has none). Keys that do not belong here are looked at at once."""
        with self._client.pipeline(transaction=False) as pipe:
            for key in batch:
                pipe.type(key)
            types = [found.decode() for found in pipe.execute()]
        found: dict[str, list[str]] = defaultdict(list)
        for key, is_type in zip(batch, types, strict=True):
            before, colon, object_id = key.decode(errors="replace")[len(self._head) :].partition(":")
            wanted = _type_of(before + colon)
            if is_type == wanted:
                found[before + colon].append(object_id)
            elif is_type != "none":
                self._ask("check_stray", key, wanted)
        return found

    # -- totals -----------------------------------------------------------------------------------

    def _check_totals(self) -> bool:
        """Whether they could be checked: in one script, unless so many are kept that it would hold up Redis."""
        before: _Sums | None = None
        for _ in range(TRIES):
            seen = self._add_up()
            if seen.there == seen.said:
                return True
            if seen == before or self._client.zcard(self._keys.key("names")) <= AT_ONCE:
                self._ask("check_totals")
                return True
            before = seen
        return False

    def _add_up(self) -> "_Sums":
        entries = (name.decode() for name, _ in self._client.zscan_iter(self._keys.key("names"), count=SCANNED))
        held = sum(self._bytes_of("entry:", some) for some in _chunks(entries, SCANNED))
        held += sum(self._bytes_of("ghost:", some) for some in _chunks(self._ghosts, SCANNED))
        said = self._client.hmget(self._keys.key("totals"), "bytes", "ghosts")
        return _Sums((held, len(set(self._ghosts))), tuple(int(number or 0) for number in said))

    def _bytes_of(self, name: str, ids: Sequence[str]) -> int:
        with self._client.pipeline(transaction=False) as pipe:
            for one in ids:
                pipe.hget(self._keys.key(name, one), "bytes")
            return sum(int(held or 0) for held in pipe.execute())


@dataclass(frozen=True, slots=True)
class _Sums:
    """Bytes and ghosts, as found in small steps and as the totals say. Equal when nothing changed meanwhile."""

    there: tuple[int, ...]
    said: tuple[int, ...]


def _type_of(name: str) -> str:
    """The type that the table in `keys.py` begins a key's description with; "" for a name that it does not have."""
    described = keys.LIBRARY.get(name, "")
    return next((kind for words, kind in TYPES.items() if described.startswith(words)), "")


def _chunks(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    left = iter(items)
    while some := list(islice(left, size)):
        yield some
