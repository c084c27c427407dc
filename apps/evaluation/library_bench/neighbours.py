"""Hits of whole requests: this library, GPTCache (exact mode) and diskcache, on the same requests and answers."""

import importlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from apps.evaluation.library_bench.answers import expect
from apps.evaluation.library_bench.calls import LATER_MS
from apps.evaluation.library_bench.loading import stored
from apps.evaluation.library_bench.material import NOW_MS, PRODUCER, STAGE, Material, chat_request
from apps.evaluation.library_bench.rows import Found, Log, Row, ratio_row, row
from apps.evaluation.library_bench.shelf import Shelf, shelf
from apps.evaluation.library_bench.sizes import Sizes
from apps.evaluation.library_bench.timing import in_turns, median_ratio
from apps.serving.names import Json, canonical_bytes, reuse_name
from apps.serving.outcomes import Hit, Result

INSTALL = "pip install --no-deps -r requirements-bench.txt"
REQUEST_CHARS = 1_500
FINGERPRINT = "f" * 64

Request = Mapping[str, Json]
Ask = Callable[[Request], object]
"""A request's answer from a cache that has it."""


class Missing(Exception):
    def __init__(self, package: str) -> None:
        super().__init__(f"{package} is not installed: {INSTALL}")


def installed(package: str, module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as exc:
        raise Missing(package) from exc


def key_text(request: Request) -> str:
    """Neither of the others has a rule of its own for what makes two requests equal."""
    return canonical_bytes(dict(request)).decode()


@contextmanager
def gptcache(requests: list[Request], answers: list[str]) -> Iterator[Ask]:
    """Its dictionary in this process, asked as its own adapters do: no server and no disk is between."""
    core, adapter = installed("gptcache", "gptcache"), installed("gptcache", "gptcache.adapter.adapter")
    manager, pre = installed("gptcache", "gptcache.manager"), installed("gptcache", "gptcache.processor.pre")
    with tempfile.TemporaryDirectory(prefix="dynbranch-bench-") as folder:
        data = manager.get_data_manager(data_path=str(Path(folder) / "map"), max_size=2 * len(requests))
        cache = core.Cache()
        cache.init(pre_embedding_func=pre.get_prompt, data_manager=data)
        for request, answer in zip(requests, answers, strict=True):
            data.save(key_text(request), answer, key_text(request))
        yield lambda request: adapter.adapt(
            lambda **_: None, lambda found: found, lambda *_, **__: None, prompt=key_text(request), cache_obj=cache
        )
        # It writes its dictionary when the process ends; the folder is gone by then.
        data.data_path = os.devnull


@contextmanager
def diskcache(requests: list[Request], answers: list[str]) -> Iterator[Ask]:
    """Its SQLite file, with its own defaults."""
    package = installed("diskcache", "diskcache")
    with tempfile.TemporaryDirectory(prefix="dynbranch-bench-") as folder, package.Cache(folder) as cache:
        for request, answer in zip(requests, answers, strict=True):
            cache.set(key_text(request), answer)
        yield lambda request: cache.get(key_text(request))


NEIGHBOURS = {"GPTCache": gptcache, "diskcache": diskcache}


def ours(made: Shelf, requests: list[Request], answers: list[str]) -> Ask:
    """Name and probe, as a demand does before an engine is called."""
    for request, answer in zip(requests, answers, strict=True):
        name = reuse_name("tenant/shared", FINGERPRINT, dict(request))
        stored("a request", made.library.record(name, Result(answer, {}, 500.0, {}), PRODUCER, STAGE, NOW_MS))

    def ask(request: Request) -> object:
        found = made.library.probe(reuse_name("tenant/shared", FINGERPRINT, dict(request)), LATER_MS)
        return expect(Hit, found).result.output

    return ask


def compare(name: str, ask: Ask, requests: list[Request], answers: list[str], seed: int) -> Row:
    with NEIGHBOURS[name](requests, answers) as ask_other:
        for request, answer in zip(requests, answers, strict=True):
            if not ask(request) == ask_other(request) == answer:
                raise ValueError(f"{name} and this library do not give the same answer to one request")
        numbers = Random(seed).sample(range(len(requests)), len(requests))
        pairs = in_turns(lambda n: ask(requests[n]), lambda n: ask_other(requests[n]), numbers, seed)
    return ratio_row("hit of a whole request", median_ratio(pairs, seed), f"base: {name}")


def neighbours(sizes: Sizes, seed: int, log: Log) -> Found:
    material, rows = Material(seed), []
    numbers = count(10**6)
    texts = (material.text(number) for number in numbers)
    requests: list[Request] = [chat_request(texts, REQUEST_CHARS) for _ in range(sizes.requests)]
    answers = [material.text(number) for number in range(sizes.requests)]
    with shelf() as made:
        ask = ours(made, requests, answers)
        for name in NEIGHBOURS:
            log(f"whole requests, this library and {name} in turns …")
            try:
                rows.append(compare(name, ask, requests, answers, seed))
            except Missing as exc:
                log(str(exc))
                rows.append(row("hit of a whole request", 0, None, "µs", note=str(exc)))
    return Found(rows)
