"""Loads the Lua scripts and runs them. One script is one atomic job.

A script's header says what it touches, and the loader makes its names from that:

    -- Keys: versions, fill:      names from `keys.py`; the script reads them as key.versions, key.fill
    -- Uses: _freshness           files whose functions it calls; their keys are added to its own
    -- Constants: ENTRY_BYTES     of serving/library/eviction.py, so that a formula has one set of numbers; a local each
    -- State: book = {}           a variable that every call begins with anew; one a line

A name that ends in a colon is a prefix. Most scripts learn the ids that they touch only while they run (a fill
leads to its name, its reads, their readers), so they append ids to prefixes. KEYS holds what all keys of the keyspace
begin with: it carries their hash tag, so on a cluster every key derived from it is in the same slot.

A server has each script as a function: what it defines is made once, when it is loaded, and not in every call. That,
and naming one key in place of twenty, is a third of what a promotion costs.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import redis

from apps.serving.library import eviction
from apps.stores.keys import Keyspace
from apps.stores.line import line

_LUA = Path(__file__).parent / "lua"
_HEADER = re.compile(r"^-- (Keys|Uses|Constants): *(.+)$", re.MULTILINE)
_STATE = re.compile(r"^-- State: *((\w+) = .+)$", re.MULTILINE)
_LOADS = 5  # of one call: another version of the product on the same server may replace a function at any time

Argument = str | bytes | int | float


@dataclass(frozen=True, slots=True)
class Source:
    """keys  names in the order of their declaration
    function, library  what a server calls it; the function's name is another for every text
    """

    keys: tuple[str, ...]
    function: str
    library: str
    text: str


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
    *used, job = texts = _files(name)
    keys = tuple(dict.fromkeys(word for text in texts for word in _header(text, "Keys")))
    table = ", ".join(f'{word.rstrip(":")} = base .. "{word}"' for word in keys)
    constants = sorted({word for text in texts for word in _header(text, "Constants")})
    state = [found for text in texts for found in _STATE.findall(text)]
    defined = [
        f"local {', '.join(['key', 'ARGV', *(variable for _, variable in state)])}",
        *(f"local {word} = {getattr(eviction, word)}" for word in constants),
        *used,
    ]
    called = [
        "local base = KEYS[1]",
        f"key, ARGV = {{ {table} }}, args",
        *(assignment for assignment, _ in state),
        job,
    ]
    function = f"{name}_{hashlib.sha256(''.join([*defined, *called]).encode()).hexdigest()[:16]}"
    library = f"dynbranch_{name}"
    opening = f"redis.register_function('{function}', function(KEYS, args)"
    return Source(keys, function, library, "\n".join([f"#!lua name={library}", *defined, opening, *called, "end)"]))


class Scripts:
    """Runs scripts on one keyspace, or on several of one kind."""

    def __init__(self, client: redis.Redis) -> None:
        self._line = line(client)

    def run(self, keyspace: Keyspace, name: str, *args: Argument) -> Any:
        """The reply of script `name`, undecoded."""
        source = load_lua(name)
        for _ in range(_LOADS):
            try:
                return self._line.ask("FCALL", source.function, 1, keyspace.prefix, *args)
            except redis.ResponseError as exc:
                # This server has not seen it, or was emptied since, or another version of it is loaded.
                if "Function not found" not in str(exc):
                    raise
            self._line.ask("FUNCTION", "LOAD", "REPLACE", source.text)
        return self._line.ask("FCALL", source.function, 1, keyspace.prefix, *args)
