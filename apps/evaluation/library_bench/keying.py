"""The reuse name of a long request: canonical encoding and hash, no Redis."""

import statistics
from itertools import count

from apps.evaluation.library_bench.material import Material, chat_request
from apps.evaluation.library_bench.rows import Found, Log, at_most, row
from apps.evaluation.library_bench.sizes import Sizes
from apps.evaluation.library_bench.timing import timed_us
from apps.serving.names import reuse_name

TOKENS = 10_000
CHARS_PER_TOKEN = 4.5  # of English prose
ROUNDS = 200


def key(sizes: Sizes, seed: int, log: Log) -> Found:
    material = Material(seed)
    request = chat_request((material.text(number) for number in count()), int(TOKENS * CHARS_PER_TOKEN))
    took_us = [timed_us(lambda _: reuse_name("tenant/shared", "f" * 64, request), n) for n in range(ROUNDS)]
    ms = statistics.median(took_us) / 1_000
    note = f"{len(request['messages'])} messages, {TOKENS * CHARS_PER_TOKEN:,.0f} characters"
    return Found(
        [row("key of 10,000 tokens", ROUNDS, ms, "ms", note=note)], [at_most("key_10k_tokens_ms", ms, "ms", 2.0)]
    )
