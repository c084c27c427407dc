"""A small world for processes that share one library: a database of versions, and stages made from its records.

The value of a stage is the versions that it was made from, its own and those of its upstream. So whatever is served
says by itself what it knew, and a judge needs nothing else (`read_history`).
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from apps.serving.names import ReuseName, digest

RECORDS = tuple(f"place:{number}" for number in range(12))
LAYERS = (8, 10, 6)
BUSY_S = 120.0


@dataclass(frozen=True, slots=True)
class Node:
    """A stage on one input: always made from the same upstream and the same records."""

    name: ReuseName
    stage: str
    reads: tuple[str, ...]
    upstream: tuple["Node", ...] = ()


def nodes() -> tuple[Node, ...]:
    """The same in every process: stages that read records, stages made from them, and stages made from those."""
    random = Random(0)
    made: list[list[Node]] = []
    for layer, width in enumerate(LAYERS):
        below = made[layer - 1] if layer else []
        row = []
        for number in range(width):
            upstream = random.sample(below, random.randint(1, 2)) if below else []
            reads = random.sample(RECORDS, 0 if below and random.random() < 0.5 else random.randint(1, 2))
            key = digest([layer, number])
            row.append(Node(ReuseName("t", key, key, 10), f"toy/1/layer{layer}", tuple(reads), tuple(upstream)))
        made.append(row)
    return tuple(node for row in made for node in row)


class Database:
    """What is true: committed versions of records, in a file that all processes open. One writer at a time."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        self._connection.execute("PRAGMA synchronous=OFF")

    def create(self, records: Sequence[str] = RECORDS) -> None:
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("CREATE TABLE record (id TEXT PRIMARY KEY, version INTEGER NOT NULL)")
        self._connection.executemany("INSERT INTO record VALUES (?, 1)", [(record,) for record in records])

    def versions(self, records: Sequence[str]) -> dict[str, int]:
        """Committed versions, all of one instant."""
        marks = ",".join("?" * len(records))
        return dict(self._connection.execute(f"SELECT id, version FROM record WHERE id IN ({marks})", list(records)))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """A transaction that holds the only write lock; rolled back unless `commit` was called."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def raise_versions(self, records: Sequence[str]) -> Mapping[str, int]:
        self._connection.executemany("UPDATE record SET version = version + 1 WHERE id = ?", [(r,) for r in records])
        return self.versions(records)

    def commit(self) -> None:
        self._connection.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()
