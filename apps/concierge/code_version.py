"""Which code this is, as part of every stage's name: nothing that other code made is served after a change."""

import hashlib
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@cache
def code_version() -> int:
    """Of every module of this app, since most of them decide what some stage says; equal code, equal number."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(_HERE.rglob("*.py")):
        digest.update(str(path.relative_to(_HERE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return int.from_bytes(digest.digest())
