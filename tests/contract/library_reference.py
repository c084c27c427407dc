"""What a library must hold after any history, found by looking through everything: no index, no steps, no counts.

A write takes effect whole, at once. Ghosts are held as the store holds them, since they decide whether what is kept
later has complete provenance.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from apps.serving.library.eviction import MAX_PROVENANCES
from apps.serving.names import ReuseName, merged_reads
from apps.serving.outcomes import Hit, Miss, MissReason, Result


class Kind(StrEnum):
    ENTRY = "entry"
    GHOST = "ghost"
    SHADOW = "shadow"
    RUNNING = "running"


@dataclass(eq=False)
class Holder:
    """node_id  the fill's, else "" """

    kind: Kind
    name: ReuseName
    node_id: str = ""
    reads: Mapping[str, int] = field(default_factory=dict)
    provenances: tuple[frozenset[ReuseName], ...] = (frozenset(),)
    whole: bool = True
    result: Result | None = None
    producer: str = ""
    kept_at_ms: int = 0
    used_at_ms: int = 0
    expires_at_ms: int = 0

    @property
    def has_edges(self) -> bool:
        return self.provenances != (frozenset(),)


@dataclass
class Reference:
    """marks  record -> {token: lease_until_ms} of open writes"""

    published: dict[str, int]
    entry_ttl_ms: int
    holders: list[Holder] = field(default_factory=list)
    marks: dict[str, dict[str, int]] = field(default_factory=dict)

    # -- what is held

    def of(self, kind: Kind) -> list[Holder]:
        return [holder for holder in self.holders if holder.kind is kind]

    def entry(self, name: ReuseName) -> Holder | None:
        return next((holder for holder in self.of(Kind.ENTRY) if holder.name == name), None)

    def fill(self, fill_id: str) -> Holder | None:
        return next((holder for holder in self.holders if holder.node_id == fill_id), None)

    def held(self) -> set[ReuseName]:
        return {holder.name for holder in self.holders if holder.kind is not Kind.RUNNING}

    def needed(self) -> set[ReuseName]:
        return {name for holder in self.holders for provenance in holder.provenances for name in provenance}

    # -- answers

    def fresh(self, *read_sets: Mapping[str, int]) -> Miss | None:
        pairs = [pair for reads in read_sets for pair in reads.items()]
        if any(self.published[record] != version for record, version in pairs if record not in self.marks):
            return Miss(MissReason.STALE)
        return Miss(MissReason.UNCERTAIN) if any(record in self.marks for record, _ in pairs) else None

    def servable(self, holder: Holder) -> Miss | None:
        if holder.has_edges and self.marks:
            return self.fresh(holder.reads) or Miss(MissReason.UNCERTAIN)
        return self.fresh(holder.reads)

    def probe(self, name: ReuseName, now_ms: int, max_age_ms: int | None) -> Hit | Miss:
        entry = self.entry(name)
        if entry is None:
            return Miss(MissReason.ABSENT)
        if entry.used_at_ms + self.entry_ttl_ms <= now_ms:
            self.go(entry)
            return Miss(MissReason.ABSENT)
        refused = self.servable(entry)
        if refused is not None:
            return refused
        if max_age_ms is not None and now_ms - entry.kept_at_ms > max_age_ms:
            return Miss(MissReason.TOO_OLD)
        assert entry.result is not None
        return Hit(entry.result, entry.producer, entry.kept_at_ms)

    # -- changes

    def made(self, kind: Kind, name: ReuseName, result: Result, node_id: str = "") -> Holder:
        kept = frozenset(result.upstream) & self.held()
        whole = kept == frozenset(result.upstream)
        reads = result.reads if whole else merged_reads(result.inherited, result.reads)
        return Holder(kind, name, node_id, dict(reads), (kept,), whole, result)

    def run(self, fill_id: str, name: ReuseName, upstream: Iterable[ReuseName]) -> None:
        self.holders.append(Holder(Kind.RUNNING, name, fill_id, {}, (frozenset(upstream) & self.held(),)))

    def shadow(self, fill: Holder, result: Result, expires_at_ms: int) -> None:
        made = self.made(Kind.SHADOW, fill.name, result, fill.node_id)
        self.holders.remove(fill)
        self.holders.append(replace(made, expires_at_ms=expires_at_ms))
        self.forget_ghosts()

    def confirm(self, made: Holder, producer: str, now_ms: int) -> None:
        old, provenances = self.entry(made.name), made.provenances
        if old is not None:
            provenances = _joined(old, made.provenances[0])
            self.holders.remove(old)
        entry = replace(made, kind=Kind.ENTRY, node_id="", provenances=provenances, producer=producer)
        entry.kept_at_ms = entry.used_at_ms = now_ms
        self.holders.append(entry)
        self.forget_ghosts()

    def go(self, holder: Holder) -> None:
        """By any way but a write."""
        self.holders.remove(holder)
        if holder.kind is not Kind.RUNNING and holder.name in self.needed() - self.held():
            self.holders.append(replace(holder, kind=Kind.GHOST, node_id="", result=None))
        self.forget_ghosts()

    def forget_ghosts(self) -> None:
        while idle := [ghost for ghost in self.of(Kind.GHOST) if ghost.name not in self.needed()]:
            self.holders = [holder for holder in self.holders if holder not in idle]

    def publish(self, versions: Mapping[str, int]) -> list[Holder]:
        """What ended: whatever read another version, then again and again what has lost all that it was made from."""
        before = list(self.holders)
        self.published.update({r: max(v, self.published[r]) for r, v in versions.items()})
        self.holders = [h for h in before if all(self.published[r] == v for r, v in h.reads.items())]
        while True:
            held = self.held()
            for holder in self.holders:
                holder.provenances = tuple(p for p in holder.provenances if p <= held)
            left = [holder for holder in self.holders if holder.provenances]
            if len(left) == len(self.holders):
                break
            self.holders = left
        self.forget_ghosts()
        return [holder for holder in before if holder not in self.holders]

    def end_marks(self, records: Iterable[str], token: str | None, now_ms: int) -> None:
        """Those of one write, or with None those whose lease ran out."""
        for record in records:
            open_writes = self.marks.pop(record, {})
            left = {t: until for t, until in open_writes.items() if (t != token if token else until > now_ms)}
            if left:
                self.marks[record] = left


def _joined(old: Holder, new: frozenset[ReuseName]) -> tuple[frozenset[ReuseName], ...]:
    known = old.provenances if old.whole else ()
    if not new or frozenset() in known:
        return (frozenset(),)
    return (*(p for p in known if p != new), new)[-MAX_PROVENANCES:]
