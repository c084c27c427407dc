"""Identities: where a branch is (coordinate), what a result answers (reuse name), what it read (read-set). §3.2"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from apps.serving.errors import UnnameableInput

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

ReadSet = Mapping[str, int]
"""External record id -> the version that was read."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """Identity of a decision point, known before it resolves. Authorizes nothing."""

    workflow: str
    version: int
    decision_point: str

    def __str__(self) -> str:
        return f"{self.workflow}/{self.version}/{self.decision_point}"


@dataclass(frozen=True, slots=True)
class ReuseName:
    """κ*(v, q) = (fp(v), h(q)) inside a namespace. Equal names under a fresh read-set mean equal outputs.

    fingerprint  fp(v), 64 hex digits: BLAKE2b-256 of everything fixed about the stage
    input_hash   h(q), 64 hex digits: BLAKE2b-256 of the canonical encoding of the rendered input
    input_bytes  length of that encoding, beside the hash so that no collision can cross lengths
    """

    namespace: str
    fingerprint: str
    input_hash: str
    input_bytes: int

    def __str__(self) -> str:
        return f"{self.namespace}|{self.fingerprint}|{self.input_hash}|{self.input_bytes}"


def canonical_bytes(value: Json) -> bytes:
    """One encoding per meaning: keys sorted, no whitespace, UTF-8. NaN and infinities are refused."""
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as exc:
        raise UnnameableInput(str(exc)) from exc
    return text.encode("utf-8", "surrogatepass")


def digest(value: Json) -> str:
    """BLAKE2b-256 of the canonical encoding, 64 hex digits."""
    return hashlib.blake2b(canonical_bytes(value), digest_size=32).hexdigest()


def reuse_name(namespace: str, fingerprint: str, rendered: Json) -> ReuseName:
    """The name of one stage on one rendered input. Costs O(|q|)."""
    encoded = canonical_bytes(rendered)
    return ReuseName(namespace, fingerprint, hashlib.blake2b(encoded, digest_size=32).hexdigest(), len(encoded))


def merged_reads(upstream: ReadSet, own: ReadSet) -> dict[str, int]:
    """One read-set. A record read at two versions keeps the older one, so that the result counts as stale."""
    return {**own, **{record: min(version, own.get(record, version)) for record, version in upstream.items()}}
