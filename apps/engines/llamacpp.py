"""llama.cpp's server, the embedded engine's too. It has no request ids and no priorities: closing the stream aborts."""

import hashlib
import time
from collections.abc import Sequence
from typing import Any, ClassVar

from apps.engines.base import EngineLoad, EngineRequest
from apps.engines.http import HttpEngine
from apps.engines.metrics import Gauges
from apps.serving.names import Json, digest

# Reading /slots stops the decoding loop for a moment; asked every 3 ms it slows decoding several-fold.
LOAD_KEPT_S = 0.25


class LlamaCppEngine(HttpEngine):
    kind: ClassVar[str] = "llamacpp"
    tokenize_path: ClassVar[str | None] = "/tokenize"
    # It closes kept connections without notice, losing what is sent into one; each also holds a thread of it.
    reuses_connections: ClassVar[bool] = False
    load_kept_s: float = LOAD_KEPT_S

    _load: EngineLoad | None = None
    _load_until: float = 0.0

    def extras(self, request: EngineRequest) -> dict[str, Json]:
        """With progress events a closed stream is noticed in the prefill too, not only once tokens flow.

        Whether prefixes are cached is left to the server: it is on by default, and off in our own, for equal bytes.
        """
        return {"return_progress": True}

    def tokenize_body(self, text: str) -> dict[str, Json]:
        return {"content": text, "add_special": False}

    async def load(self) -> EngineLoad:
        """At most `load_kept_s` old, however often it is asked."""
        if self._load is None or time.monotonic() >= self._load_until:
            self._load = await self._read_load()
            self._load_until = time.monotonic() + self.load_kept_s
        return self._load

    async def _read_load(self) -> EngineLoad:
        gauges = Gauges(await self.side("GET", "/metrics") or "")
        slots = await self.side("GET", "/slots")
        return EngineLoad(
            running=gauges.total("llamacpp:requests_processing"),
            waiting=gauges.total("llamacpp:requests_deferred"),
            kv_frac=None if slots is None else kv_frac(slots),
            slots=len(slots) if slots else None,
        )

    async def describe(self) -> dict[str, Json]:
        """The chat template turns messages into the prompt, so it decides the answer as the weights do.

        Sampling parameters that a request leaves out are those with which the server was started.
        """
        props = await self.facts("/props")
        defaults = (props.get("default_generation_settings") or {}).get("params")
        template = props.get("chat_template")
        return {
            "version": props.get("build_info"),
            "revision": await self.model_revision() or props.get("model_path"),
            "deterministic": None,
            "chat_template": hashlib.sha256(template.encode()).hexdigest() if template else None,
            "defaults": digest(defaults) if defaults else None,
        }

    async def model_revision(self) -> Json:
        """The tags under which the model is served (the embedded engine gives a hash), and its measures."""
        listed = await self.facts("/v1/models")
        card = next(iter(listed.get("data") or ()), {})
        meta = card.get("meta") or {}
        known = {"tags": card.get("tags"), **{key: meta.get(key) for key in ("n_params", "size", "ftype")}}
        return {key: value for key, value in known.items() if value} or None


def kv_frac(slots: Sequence[Any]) -> float:
    """KV in use over the pool, in [0, 1]: idle slots' prompts are cache, dropped as soon as room is needed."""
    pool = sum(slot.get("n_ctx", 0) for slot in slots)
    used = sum(slot.get("n_prompt_tokens", 0) for slot in slots if slot.get("is_processing"))
    return min(1.0, used / pool) if pool else 0.0
