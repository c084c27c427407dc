"""How the embedded engine does on the product's own mix, one set of options at a time.

The mix: a page shows an offer, and four fills start at once; a demand comes on top. Prompts are those of replies: one
word of instructions, one to three facts; about 30 to 80 tokens in, 15 to 60 out.
"""

import asyncio
import json
import multiprocessing
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from apps.engines.base import Engine, EngineError, EngineRequest, Lane
from apps.engines.factory import make_engine
from apps.runtime.embedded_engine import EngineOptions
from apps.runtime.engine_probes import (
    POLL_S,
    Timed,
    abort_in_decode_ms,
    abort_in_prefill_ms,
    answer,
    answers,
    question,
)
from apps.runtime.engine_process import EmbeddedEngineProcess
from apps.serving.names import Json

FILLS = 4
ANSWER_TOKENS = 96
BUSY_S = 0.01  # the other processes' share of a core: as long at work as at rest
SYSTEM = "reply"
NAMES = ("Casa Luma", "The Pear Tree", "Harbour Grill", "Hotel Meridian", "Cafe Nordlicht", "Teatro Verde")
AREAS = ("Old Town", "Riverside", "Mill Quarter", "North Gate")
SERVICES = ("restaurant", "hotel", "event", "museum", "ride", "spa")

DEFAULT = EngineOptions()
VARIATIONS: dict[str, EngineOptions] = {
    "default": DEFAULT,
    "1 thread": replace(DEFAULT, threads=1),
    "no spinning": replace(DEFAULT, spins=0),
    "spins 100,000": replace(DEFAULT, spins=100_000),
    "flash attention": replace(DEFAULT, flash_attention=True),
    "prefix cache": replace(DEFAULT, prefix_cache=True),
    "2 slots": replace(DEFAULT, slots=2),
    "5 slots": replace(DEFAULT, slots=5),
    "batch 32": replace(DEFAULT, batch_tokens=32),
    "batch 256": replace(DEFAULT, batch_tokens=256),
    "batch 512": replace(DEFAULT, batch_tokens=512),
    "shared KV and prefix cache": replace(DEFAULT, slots=5, shared_kv=True, prefix_cache=True),
    "prefix cache and 256 MiB for prompts": replace(DEFAULT, prefix_cache=True, cache_mib=256),
}


def prompts(rng: random.Random) -> Iterator[str]:
    """Endless user messages in the form of the product's replies, hardly two with the same facts."""
    while True:
        yield "\n".join(_fact(rng) for _ in range(rng.choice((1, 1, 1, 2, 3))))


def _fact(rng: random.Random) -> str:
    name, service = rng.choice(NAMES), rng.choice(SERVICES)
    return rng.choice(
        (
            f"price {service}: {name}; ${rng.randint(5, 300)} per person",
            f"hours {service}: {name}; every day; {rng.randint(6, 11)}:00; {rng.randint(18, 23)}:30",
            f"address {service}: {name}; {rng.randint(1, 99)} Mill Street; {rng.choice(AREAS)}",
            f"phone {service}: {name}; 555-{rng.randint(1000, 9999)}",
            f"overview {service}: {name}; {service}; {rng.choice(AREAS)}; {rng.randint(30, 50) / 10} out of 5",
        )
    )


def burn(stop: "multiprocessing.synchronize.Event") -> None:
    """Half of one core, as web, worker and Redis may take together; ends with its parent, however that ends."""
    parent = multiprocessing.parent_process()
    while not stop.is_set() and parent is not None and parent.is_alive():
        until = time.perf_counter() + BUSY_S
        while time.perf_counter() < until:
            pass
        time.sleep(BUSY_S)


@contextmanager
def busy_neighbour() -> Iterator[None]:
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    process = context.Process(target=burn, args=(stop,), daemon=True)
    process.start()
    try:
        yield
    finally:
        stop.set()
        process.join()


def asked(text: str, lane: Lane) -> EngineRequest:
    return question(SYSTEM, text, ANSWER_TOKENS, lane)


async def one_round(engine: Engine, texts: Iterator[str]) -> dict[str, float]:
    """A demand alone; four fills at once; a demand that comes 300 ms into three fills."""
    alone = await answer(engine, asked(next(texts), Lane.CANONICAL))
    fills = await answers(engine, [asked(next(texts), Lane.FILL) for _ in range(FILLS)])
    others = asyncio.gather(*(answer(engine, asked(next(texts), Lane.FILL)) for _ in range(FILLS - 1)))
    await asyncio.sleep(0.3)
    beside = await answer(engine, asked(next(texts), Lane.CANONICAL))
    told = [alone, *fills, *await others, beside]
    return {
        "demand_alone_ms": alone.ms,
        "four_fills_ms": max(fill.ms for fill in fills),
        "demand_beside_3_ms": beside.ms,
        "first_text_beside_3_ms": beside.first_ms,
        "cached_frac": cached_frac(told),
    }


def cached_frac(told: list[Timed]) -> float:
    return sum(one.end.cached_tokens for one in told) / sum(one.end.prompt_tokens for one in told)


async def equal_share(engine: Engine, texts: Iterator[str]) -> float:
    """Share of answers that are the same alone and beside three others."""
    chosen = [next(texts) for _ in range(FILLS)]
    alone = [await answer(engine, asked(text, Lane.CANONICAL)) for text in chosen]
    together = await answers(engine, [asked(text, Lane.FILL) for text in chosen])
    return sum(a.text == b.text for a, b in zip(alone, together, strict=True)) / FILLS


async def measured(engine: Engine, rounds: int, seed: int) -> dict[str, Json]:
    """Medians over the rounds, after one round that fills the slots' caches."""
    texts = prompts(random.Random(seed))
    await one_round(engine, texts)
    quiet = [await one_round(engine, texts) for _ in range(rounds)]
    with busy_neighbour():
        busy = [await one_round(engine, texts) for _ in range(rounds)]
    return {
        **{name: statistics.median(one[name] for one in quiet) for name in quiet[0]},
        "four_fills_busy_ms": statistics.median(one["four_fills_ms"] for one in busy),
        "demand_beside_3_busy_ms": statistics.median(one["demand_beside_3_ms"] for one in busy),
        "equal_share": await equal_share(engine, texts),
        "abort_decode_ms": await median_of(abort_in_decode_ms, engine, rounds, seed),
        "abort_prefill_ms": await median_of(abort_in_prefill_ms, engine, rounds, seed),
    }


async def median_of(
    measure: Callable[[Engine, int], Awaitable[float | None]], engine: Engine, rounds: int, seed: int
) -> float | None:
    """None when the engine reports no load."""
    found = [await measure(engine, seed + number) for number in range(rounds)]
    return statistics.median(ms for ms in found if ms is not None) if None not in found else None


async def measure_target(url: str, model: str, rounds: int, seed: int) -> dict[str, Json]:
    engine = make_engine("llamacpp", url, model)
    engine.load_kept_s = POLL_S
    try:
        return await measured(engine, rounds, seed)
    finally:
        await engine.aclose()


def bench(names: list[str], rounds: int, seed: int, log: Callable[[str], None]) -> list[dict[str, Json]]:
    """One row for each set of options, on an engine started for it.

    `problem` is "" or what the engine did not manage under these options; such a row has no figures.
    """
    rows: list[dict[str, Json]] = []
    for number, name in enumerate(names, 1):
        log(f"{number}/{len(names)} {name} …")
        try:
            with EmbeddedEngineProcess(VARIATIONS[name]) as target:
                found = asyncio.run(measure_target(target.url, target.model, rounds, seed))
            rows.append({"options": name, "problem": "", **found})
        except EngineError as exc:
            rows.append({"options": name, "problem": exc.reason})
        log(json.dumps(rows[-1]))
    return sorted(rows, key=lambda row: bool(row["problem"]))
