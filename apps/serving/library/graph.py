"""Provenance: which kept results were made from which, and exactly what a write ends. §3.2, Proposition A.5

A name is *held* while an entry, a ghost or a shadow of it is. A write ends every node that read one of its records
in another version; a name that thereby loses its last holder takes with it, from each of its children, the
provenances that contain it; a child that has none left ends as well. That is the paper's set A, and nothing
else. Every member and every edge is looked at once: O(|W| + |A| + |E_A| + |R_A|), in steps of any size.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from apps.serving.library.eviction import MAX_PROVENANCES, entry_bytes
from apps.serving.names import ReadSet, ReuseName, merged_reads
from apps.serving.outcomes import Result

Provenance = tuple[ReuseName, ...]
"""Upstream names whose outputs entered one input, sorted; empty for a root, which nothing upstream can end."""

ROOT: Provenance = ()

_Of = TypeVar("_Of", str, ReuseName)


class Kind(StrEnum):
    ENTRY = "entry"  # confirmed, readable
    GHOST = "ghost"  # gone, but something made from it is kept
    SHADOW = "shadow"  # complete, unreadable
    RUNNING = "running"  # holds nothing yet, and ends with what it was given


PREFIX: Mapping[Kind, str] = {Kind.ENTRY: "e", Kind.GHOST: "g", Kind.SHADOW: "f", Kind.RUNNING: "f"}
KEPT = (Kind.ENTRY, Kind.GHOST)  # what the byte budget covers


@dataclass(frozen=True, slots=True)
class Node:
    """node_id       the name's text for an entry or ghost, the fill id otherwise
    reads         indexed: its own, and what it inherits unless `whole`
    provenances   alternatives, oldest first, at least one
    result_chars  encoded length of its output, bytes; 0 where no output is kept
    """

    kind: Kind
    node_id: str
    name: ReuseName
    reads: ReadSet = field(default_factory=dict)
    provenances: tuple[Provenance, ...] = (ROOT,)
    whole: bool = True
    result_chars: int = 0

    @property
    def key(self) -> str:
        return f"{PREFIX[self.kind]}|{self.node_id}"

    @property
    def upstream(self) -> dict[ReuseName, None]:
        """Every name in its provenances, once."""
        return {name: None for provenance in self.provenances for name in provenance}

    @property
    def has_edges(self) -> bool:
        return self.provenances != (ROOT,)

    @property
    def bytes(self) -> int:
        edges = (_chars(str(name)) for provenance in self.provenances for name in provenance)
        return entry_bytes(_chars(str(self.name)), self.result_chars, map(_chars, self.reads), edges)


@dataclass(slots=True)
class _Work:
    """Members set aside: readers of a record that was written, or children of a name that was lost."""

    cause: str | ReuseName
    members: dict[str, None]


def _chars(text: str) -> int:
    return len(text.encode())


def joined(old: Node | None, new: Provenance) -> tuple[Provenance, ...]:
    """The provenances of an entry recorded again; those of one that was not whole are not believed."""
    known = old.provenances if old is not None and old.whole else ()
    if new == ROOT or ROOT in known:
        return (ROOT,)
    return (*(p for p in known if p != new), new)[-MAX_PROVENANCES:]


class Graph:
    """bytes  held by entries and ghosts, their index members included"""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.bytes = 0
        # Dicts for sets: what comes first is the same in every run.
        self._readers: dict[str, dict[str, None]] = {}
        self._children: dict[ReuseName, dict[str, None]] = {}
        self._holders: dict[ReuseName, dict[str, None]] = {}
        self._work: deque[_Work] = deque()

    @property
    def open(self) -> bool:
        """Whether a cascade has members left to look at."""
        return bool(self._work)

    def held(self, name: ReuseName) -> bool:
        return name in self._holders

    def readers(self, record: str) -> list[Node]:
        return [self.nodes[key] for key in self._readers.get(record, ())]

    def provenance(self, name: ReuseName, upstream: Iterable[ReuseName]) -> Provenance:
        """Of `upstream` what is held: a name that is not cannot be lost, so an edge to it would tell nothing."""
        return tuple(sorted({u for u in upstream if u != name and self.held(u)}, key=lambda u: str(u).encode()))

    def made(self, kind: Kind, node_id: str, name: ReuseName, result: Result) -> Node:
        """The node that keeps `result`, with one provenance. Incomplete, it is indexed by what it inherits too."""
        provenance = self.provenance(name, result.upstream)
        whole = len(provenance) == len({*result.upstream} - {name})
        reads = dict(result.reads) if whole else merged_reads(result.inherited, result.reads)
        return Node(kind, node_id, name, reads, (provenance,), whole)

    def put(self, node: Node) -> None:
        """Keep `node`, in place of an earlier one of its key."""
        old = self._unlink(node.key)
        self._link(node)
        if old is not None:
            self._release(old.upstream)

    def take(self, key: str) -> Node | None:
        """A node goes, though no write ended it. The last holder of a name with children leaves a ghost."""
        node = self._unlink(key)
        if node is None:
            return None
        if node.kind is Kind.RUNNING or self.held(node.name) or node.name not in self._children:
            self._release(node.upstream)
            return node
        ghost = replace(node, kind=Kind.GHOST, node_id=str(node.name), result_chars=0)
        self._link(ghost)
        for work in self._work:
            if key in work.members:
                del work.members[key]
                work.members[ghost.key] = None
        return node

    def write(self, record: str) -> None:
        """Set the record's readers aside for `step`; its new version is published already."""
        readers = self._readers.pop(record, None)
        if readers:
            self._work.append(_Work(record, readers))

    def step(self, limit: int, versions: ReadSet) -> list[Node]:
        """Look at no more than `limit` members of the open cascades; the nodes that ended."""
        ended: list[Node] = []
        while self._work and limit > 0:
            work = self._work[0]
            key, _ = work.members.popitem()
            if not work.members:
                self._work.popleft()
            limit -= 1
            node = self.nodes.get(key)
            if node is None:
                continue  # ended along another path, or gone
            left = _after(node, work.cause, versions)
            if left is None:
                self._end(node)
                ended.append(node)
            elif left != node:
                self.put(left)
        return ended

    def _end(self, node: Node) -> None:
        self._unlink(node.key)
        if node.kind is not Kind.RUNNING and not self.held(node.name):
            children = self._children.pop(node.name, None)
            if children:
                self._work.append(_Work(node.name, children))
        self._release(node.upstream)

    def _link(self, node: Node) -> None:
        self.nodes[node.key] = node
        for record in node.reads:
            self._readers.setdefault(record, {})[node.key] = None
        for name in node.upstream:
            self._children.setdefault(name, {})[node.key] = None
        if node.kind is not Kind.RUNNING:
            self._holders.setdefault(node.name, {})[node.key] = None
        if node.kind in KEPT:
            self.bytes += node.bytes

    def _unlink(self, key: str) -> Node | None:
        node = self.nodes.pop(key, None)
        if node is None:
            return None
        for record in node.reads:
            _discard(self._readers, record, key)
        for name in node.upstream:
            _discard(self._children, name, key)
        _discard(self._holders, node.name, key)
        if node.kind in KEPT:
            self.bytes -= node.bytes
        return node

    def _release(self, names: Iterable[ReuseName]) -> None:
        """Ghosts among `names` that have no child any more go, and those above them."""
        left = list(names)
        while left:
            name = left.pop()
            if name not in self._children:
                ghost = self._unlink(f"{PREFIX[Kind.GHOST]}|{name}")
                left += ghost.upstream if ghost is not None else ()


def _after(node: Node, cause: str | ReuseName, versions: ReadSet) -> Node | None:
    """The node once its record was written or its upstream name lost; None when that ends it."""
    if isinstance(cause, str):
        read = node.reads.get(cause)
        return node if read is None or read == versions[cause] else None
    provenances = tuple(p for p in node.provenances if cause not in p)
    return replace(node, provenances=provenances) if provenances else None


def _discard(index: dict[_Of, dict[str, None]], of: _Of, key: str) -> None:
    """Tolerates what a cascade has set aside."""
    members = index.get(of)
    if members is not None:
        members.pop(key, None)
        if not members:
            del index[of]
