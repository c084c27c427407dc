"""What is stored: entries of realistic shape, each told by its number alone, so that every process knows them all."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from apps.serving.names import Json, ReuseName
from apps.serving.outcomes import Result

NOW_MS = 1_800_000_000_000
PRODUCER = "canonical:0123456789abcdef0123456789abcdef"
STAGE = "concierge/1/reply"
PLACES = 2_000  # records; a write of one reaches about a thousandth of the entries
SMALLEST_BYTES, LARGEST_BYTES = 200, 8_192
SMALL_RATHER = 1.5  # payloads are log-uniform between the two, drawn towards the small: 1.5 KB on average
UPSTREAM_FRAC = 0.3
UPSTREAM_WITHIN = 64  # entries back: what was made from a result is made soon after it
_WORDS = "the table by the window is free at eight and costs forty five dollars for two guests of the house "
_TEXT = _WORDS * (2 * LARGEST_BYTES // len(_WORDS) + 1)


@dataclass(frozen=True, slots=True)
class Material:
    """Entry `number` of one run: 0 to 3 records read, and three in ten made from the entry of an earlier number."""

    seed: int
    fingerprints: int = 8

    def bits(self, number: int) -> bytes:
        return hashlib.blake2b(f"{self.seed}:{number}".encode(), digest_size=32).digest()

    def name(self, number: int) -> ReuseName:
        bits = self.bits(number)
        fingerprint = hashlib.blake2b(bytes([bits[0] % self.fingerprints]), digest_size=32).hexdigest()
        return ReuseName(f"tenant-{bits[1] % 4}/shared", fingerprint, bits.hex(), 900 + bits[2])

    def text(self, number: int) -> str:
        drawn = int.from_bytes(self.bits(number)[3:7]) / 2**32
        chars = int(SMALLEST_BYTES * (LARGEST_BYTES / SMALLEST_BYTES) ** (drawn**SMALL_RATHER))
        return f"{number}: {_TEXT[number % 64 :][:chars]}"

    def reads(self, number: int) -> dict[str, int]:
        bits = self.bits(number)
        return {record(int.from_bytes(bits[8 + 2 * i : 10 + 2 * i]) % PLACES): 1 for i in range(bits[7] % 4)}

    def upstream(self, number: int) -> int | None:
        """The number of the entry that this one was made from, if any."""
        bits = self.bits(number)
        back = 1 + bits[15] % UPSTREAM_WITHIN
        return number - back if bits[14] < 256 * UPSTREAM_FRAC and back <= number else None

    def result(self, number: int) -> Result:
        source = self.upstream(number)
        return Result(
            output=self.text(number),
            reads=self.reads(number),
            engine_ms=50.0 + 10 * self.bits(number)[16],
            notes={"tokens": 40},
            upstream=() if source is None else (self.name(source),),
            inherited={} if source is None else self.closure(source),
        )

    def closure(self, number: int) -> dict[str, int]:
        """What it had read, it and all that it was made from."""
        found, source = self.reads(number), self.upstream(number)
        while source is not None:
            found |= self.reads(source)
            source = self.upstream(source)
        return found


def record(number: int) -> str:
    return f"restaurant:place-{number:05d}"


def records() -> dict[str, int]:
    return {record(number): 1 for number in range(PLACES)}


def chat_request(texts: Iterator[str], chars: int) -> dict[str, Json]:
    """A chat-completions request whose messages have about so many characters together."""
    messages: list[Json] = [{"role": "system", "content": "You answer the guests of a hotel."}]
    while chars > 0:
        text = next(texts)
        messages.append({"role": ("user", "assistant")[len(messages) % 2], "content": text})
        chars -= len(text)
    return {"model": "concierge", "messages": messages, "temperature": 0.0, "max_tokens": 96, "seed": 7}
