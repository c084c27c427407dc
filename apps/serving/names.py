"""Identities: where a branch is (coordinate), what a result answers (reuse name), what it read (read-set). §3.2"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
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
    """One encoding per meaning, in UTF-8, without white space.

    The order of keys says nothing, that of a list does. 1, 1.0 and 1e0 are one number, and so are 0 and -0.0; integers
    are exact at any size. true is no number, null is not the same as a key that is absent, and text is taken as it
    is, without Unicode normalization. Raises UnnameableInput, with the place, for what has no value in JSON.
    """
    try:
        text = json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except _NotJson as exc:
        raise _refusal(value, "") or UnnameableInput(str(exc)) from exc
    except RecursionError as exc:
        raise UnnameableInput("it is nested too deeply, or contains itself") from exc
    except ValueError as exc:  # Python writes none of more than some thousand digits
        raise UnnameableInput("an integer has too many digits") from exc
    return text.encode("utf-8", "surrogatepass")


class _NotJson(Exception):
    """Says what, not where: the place is looked for once there is a fault, so that no name pays for it."""


def _plain(value: object) -> Json:
    """The value with each number in its one spelling; raises _NotJson."""
    # Keys and texts, most of what an input holds, are looked at without a call for each.
    if isinstance(value, dict):
        return {
            key if isinstance(key, str) else _text(key): inner if type(inner) is str else _plain(inner)
            for key, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [inner if type(inner) is str else _plain(inner) for inner in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _NotJson(f"{value} is no number in JSON")
        return int(value) if value.is_integer() else value
    if value is None or isinstance(value, (str, int)):  # true and false too: they are ints to Python
        return value
    raise _NotJson(f"{type(value).__name__} is no type of JSON")


def _text(key: object) -> str:
    if isinstance(key, str):
        return key
    raise _NotJson(f"key {key!r} is no string")


def _refusal(value: object, place: str) -> UnnameableInput | None:
    """The first thing inside that JSON cannot say, and where it is; None when there is no such thing."""
    steps: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict):
        steps = value.items()
    elif isinstance(value, (list, tuple)):
        steps = enumerate(value)
    try:
        for step, inner in steps:
            at = f"{place}[{step}]" if not isinstance(value, dict) else f"{place}.{_text(step)}".removeprefix(".")
            if found := _refusal(inner, at):
                return found
        if not steps:
            _plain(value)
    except _NotJson as exc:
        return UnnameableInput(str(exc), place)
    return None


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
