"""What check_engine finds out about an engine: repeatability, aborting, what it reports."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from apps.engines.base import Engine, EngineError, EngineRequest
from apps.engines.http import rough_tokens
from apps.engines.request_ids import new_request_id
from apps.runtime.engine_probes import Timed, abort_in_decode_ms, abort_in_prefill_ms, answer, answers, question
from apps.runtime.measurement import Check
from apps.serving.names import Json

ANSWER_TOKENS = 32
SENTENCE = "The quick brown fox jumps over the lazy dog beside the river."
QUESTIONS = (
    "Say in one sentence that the Casa Luma has a table for two at seven.",
    "Where is the harbour, and how does one get there?",
    "Name three things to see on a rainy day.",
    "Confirm a ride for two people from the station to the theatre.",
    "What does a double room at the Hotel Meridian cost?",
    "Thank the guest and ask whether anything else is needed.",
)

Log = Callable[[str], None]
Row = dict[str, Json]


async def repeatability(engine: Engine, seed: int, log: Log) -> list[Check]:
    """The same greedy questions cold, warm and all at once; a share of 1 means byte-equal answers."""
    system = f"Answer in one sentence. Session {seed}."  # a prefix that no cache has seen
    asked = [question(system, text, ANSWER_TOKENS) for text in QUESTIONS]
    log("answers one at a time, cold …")
    cold = [await answer(engine, renewed) for renewed in map(fresh, asked)]
    log("the same, warm …")
    warm = [await answer(engine, renewed) for renewed in map(fresh, asked)]
    log("the same, all at once …")
    batched = await answers(engine, [fresh(request) for request in asked])
    return [
        Check("warm_equals_cold", equal_share(cold, warm), "share", "1", equal_share(cold, warm) == 1),
        Check("batched_equals_alone", equal_share(warm, batched), "share", "1", equal_share(warm, batched) == 1),
        Check("warm_prompt_cached", cached_share(warm), "share", "> 0", cached_share(warm) > 0),
    ]


def fresh(request: EngineRequest) -> EngineRequest:
    """The same question under a new id, since ids are never used twice."""
    return replace(request, request_id=new_request_id())


def equal_share(some: Sequence[Timed], others: Sequence[Timed]) -> float:
    return sum(a.text == b.text for a, b in zip(some, others, strict=True)) / len(some)


def cached_share(told: Sequence[Timed]) -> float:
    return sum(one.end.cached_tokens for one in told) / sum(one.end.prompt_tokens for one in told)


async def aborting(engine: Engine, seed: int, log: Log) -> list[Check]:
    log("closing a stream in its decode, and in its prefill …")
    decode, prefill = await abort_in_decode_ms(engine, seed), await abort_in_prefill_ms(engine, seed)
    return [
        Check("abort_in_decode", decode, "ms", "<= 1000", None if decode is None else decode <= 1000),
        Check("abort_in_prefill", prefill, "ms", "<= 3000", None if prefill is None else prefill <= 3000),
    ]


async def reporting(engine: Engine, log: Log) -> list[Row]:
    """What the engine tells about itself and its load, each with what follows from its absence."""
    log("what it reports …")
    load, identity = await engine.load(), await engine.identity()
    tokens = await engine.tokens(SENTENCE)
    facts = {
        "kind": identity["kind"],
        "version": identity.get("version"),
        "model": identity["model"],
        "revision": identity.get("revision"),
        "deterministic by design": identity.get("deterministic"),
        "running requests": load.running,
        "waiting requests": load.waiting,
        "KV in use (fraction)": load.kv_frac,
        "slots": load.slots,
        "tokens counted by": "bytes / 3" if tokens == rough_tokens(SENTENCE) else "the engine",
    }
    return [{"fact": name, "found": "not reported" if found is None else str(found)} for name, found in facts.items()]


async def check(engine: Engine, seed: int, log: Log) -> tuple[list[Row], list[Check]]:
    """Raises `EngineError` when the engine does not answer a question."""
    if not await engine.healthy():
        raise EngineError("the engine does not answer its health route")
    rows = await reporting(engine, log)
    checks = [*await repeatability(engine, seed, log), *await aborting(engine, seed, log)]
    return rows, checks
