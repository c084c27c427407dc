"""Short answers of a draft model, from any engine."""

import secrets
from contextlib import aclosing
from dataclasses import dataclass

from apps.engines.base import Completion, Delta, Engine, EngineRequest, Lane


@dataclass(frozen=True, slots=True)
class SamplingConfig:
    """max_tokens   of one answer, >= 1: a number or a name     temperature  > 0, or all samples are one"""

    max_tokens: int = 16
    temperature: float = 0.8


class EngineSampler:
    """Asks in the lane of fills. Cancelling a sample closes its stream, and that aborts it in the engine."""

    def __init__(self, engine: Engine, model: str, config: SamplingConfig | None = None) -> None:
        self._engine, self._model, self._config = engine, model, config or SamplingConfig()

    async def __call__(self, prompt: str, seed: int) -> str:
        """The answer, cut at `max_tokens`. Raises an `EngineError` when it did not come whole."""
        body = {
            "model": self._model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": self._config.max_tokens,
            "temperature": self._config.temperature,
            "seed": seed,
        }
        request = EngineRequest(body, secrets.token_hex(16), Lane.FILL)
        texts: list[str] = []
        async with aclosing(self._engine.stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Delta):
                    texts.append(piece.text)
                elif isinstance(piece, Completion):
                    break
        return "".join(texts)
