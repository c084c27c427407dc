"""Loads the Lua scripts and runs them. One script is one atomic job.

A script's header says what it touches, and the loader turns that into its `KEYS`:

    -- Keys: versions, fill:      names from `keys.py`; the script reads them as key.versions, key.fill
    -- Uses: _freshness           files whose functions it calls; their keys are added to its own
    -- Constants: ENTRY_BYTES     of serving/library/eviction.py, so that a formula has one set of numbers; a local each

A name that ends in a colon is a prefix. Most scripts learn the ids that they touch only while they run (a fill
leads to its name, its reads, their readers), so they append ids to prefixes. That is safe on a cluster: the
prefixes are in KEYS and carry the keyspace's hash tag, so every derived key is in the same slot.

Nothing walks the key space, but for `library_check.py`: what nothing refers to can be found in no other way.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import redis
from redis.exceptions import NoScriptError

from apps.serving.library import eviction
from apps.stores.keys import Keyspace
from apps.stores.line import line

_LUA = Path(__file__).parent / "lua"
_HEADER = re.compile(r"^-- (Keys|Uses|Constants): *(.+)$", re.MULTILINE)

Argument = str | bytes | int | float


@dataclass(frozen=True, slots=True)
class Source:
    """keys  names in the order of KEYS"""

    keys: tuple[str, ...]
    text: str

    @property
    def sha(self) -> str:
        """By which a server knows the script once it is loaded."""
        return hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()


def _header(text: str, field: str) -> list[str]:
    return [word.strip() for found, words in _HEADER.findall(text) if found == field for word in words.split(",")]


def _files(name: str) -> list[str]:
    """Texts of `name` and of what it uses, each once, dependencies first."""
    ordered: dict[str, str] = {}

    def visit(current: str) -> None:
        if current in ordered:
            return
        text = (_LUA / f"{current}.lua").read_text(encoding="utf-8")
        for used in _header(text, "Uses"):
            visit(used)
        ordered[current] = text

    visit(name)
    return list(ordered.values())


@cache
def load_lua(name: str) -> Source:
    """The script `lua/<name>.lua` with the files that it uses."""
    texts = _files(name)
    keys = tuple(dict.fromkeys(word for text in texts for word in _header(text, "Keys")))
    table = ", ".join(f"{word.rstrip(':')} = KEYS[{place}]" for place, word in enumerate(keys, start=1))
    constants = sorted({word for text in texts for word in _header(text, "Constants")})
    numbers = [f"local {word} = {getattr(eviction, word)}" for word in constants]
    return Source(keys, "\n".join([f"local key = {{ {table} }}", *numbers, *texts]))


class Scripts:
    """Runs scripts on one keyspace, or on several of one kind."""

    def __init__(self, client: redis.Redis) -> None:
        self._line = line(client)
        self._heads: dict[tuple[str, str], tuple[str | int, ...]] = {}

    def run(self, keyspace: Keyspace, name: str, *args: Argument) -> Any:
        """The reply of script `name`, undecoded."""
        head = self._heads.get((keyspace.tag, name)) or self._prepare(keyspace, name)
        try:
            return self._line.ask(*head, *args)
        except NoScriptError:
            # This server has not seen it, or was restarted since. Loading twice is harmless.
            self._line.ask("SCRIPT", "LOAD", load_lua(name).text)
            return self._line.ask(*head, *args)

    def _prepare(self, keyspace: Keyspace, name: str) -> tuple[str | int, ...]:
        """What each of its calls begins with; redis-py's own script object would build it for every one."""
        source = load_lua(name)
        keys = [keyspace.key(word) for word in source.keys]
        # Two threads may both do it: the results are equal, and either stays.
        head = self._heads[keyspace.tag, name] = ("EVALSHA", source.sha, len(keys), *keys)
        return head
