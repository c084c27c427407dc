"""Which code this is, as part of every stage's name: nothing that other code made is served after a change."""

import hashlib
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_OTHER_WORK = frozenset({"management", "migrations", "model_evaluation"})
"""Folders of which no stage imports anything."""


@cache
def code_version() -> int:
    """Of every module of this app that can decide what some stage says; equal code, equal number."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(_HERE.rglob("*.py")):
        if path.relative_to(_HERE).parts[0] in _OTHER_WORK:
            continue
        digest.update(str(path.relative_to(_HERE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return int.from_bytes(digest.digest())
