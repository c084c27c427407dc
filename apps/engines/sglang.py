"""SGLang: requests have ids of our own, an abort route and priorities (higher is sooner)."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from apps.engines.base import EngineLoad, EngineRequest, Lane
from apps.engines.http import HttpEngine
from apps.engines.metrics import Gauges
from apps.serving.names import Json

# The engine matches ids by prefix, so an empty or short one would abort other people's requests.
SHORTEST_ID = 16

# A demand takes a fill's slot on a full engine only when it is more important by over 10, the server's threshold.
PRIORITY = {Lane.FILL: 0, Lane.CANONICAL: 100}

# What makes two servers of one version answer differently; absent ones are left out.
DECISIVE = (
    "attention_backend",
    "prefill_attention_backend",
    "decode_attention_backend",
    "sampling_backend",
    "grammar_backend",
    "dtype",
    "kv_cache_dtype",
    "quantization",
    "tp_size",
    "pp_size",
    "ep_size",
    "device",
    "context_length",
    "tokenizer_path",
    "chat_template",
    "tool_call_parser",
    "reasoning_parser",
    "sampling_defaults",
    "preferred_sampling_params",
    "json_model_override_args",
    "lora_paths",
    "speculative_algorithm",
    "disable_radix_cache",
)


class SGLangEngine(HttpEngine):
    kind: ClassVar[str] = "sglang"
    tokenize_path: ClassVar[str | None] = "/tokenize"
    aborts_by_id: ClassVar[bool] = True

    _server: Mapping[str, Any] | None = None

    def extras(self, request: EngineRequest) -> dict[str, Json]:
        return {"rid": checked_id(request.request_id), "priority": PRIORITY[request.lane]}

    async def abort(self, request_id: str) -> None:
        """Answered when sent, not when done: the stream's end, or a lower running count, confirms it.

        An id that this adapter saw finish is not sent: the engine would keep it for a request to come.
        """
        if request_id not in self._finished:
            await self.side("POST", "/abort_request", {"rid": checked_id(request_id)})

    async def load(self) -> EngineLoad:
        slots = (await self._server_info()).get("max_running_requests")
        loads = await self.side("GET", "/v1/loads")
        if isinstance(loads, dict) and loads.get("loads"):
            return from_loads(loads["loads"], slots)
        gauges = Gauges(await self.side("GET", "/metrics") or "")
        return EngineLoad(
            running=gauges.total("sglang:num_running_reqs"),
            waiting=gauges.total("sglang:num_queue_reqs"),
            kv_frac=gauges.mean("sglang:token_usage"),
            slots=slots,
        )

    async def describe(self) -> dict[str, Json]:
        self._server = None  # another server may answer now
        server = await self._server_info()
        model = await self.facts("/model_info") or await self.facts("/get_model_info")
        return {
            "version": server.get("version"),
            "revision": server.get("revision") or model.get("model_path") or server.get("model_path"),
            "backend": server.get("attention_backend"),
            "deterministic": server.get("enable_deterministic_inference"),
            "options": {key: server[key] for key in DECISIVE if server.get(key) is not None},
        }

    async def _server_info(self) -> Mapping[str, Any]:
        """Asked with the identity: the answer is long, and only a restart changes what is read from it."""
        if self._server is None:
            self._server = await self.facts("/server_info") or await self.facts("/get_server_info")
        return self._server


def checked_id(request_id: str) -> str:
    if len(request_id) < SHORTEST_ID:
        raise ValueError(
            f"request id {request_id!r}: at least {SHORTEST_ID} random characters, since ids match by prefix"
        )
    return request_id


def from_loads(loads: Sequence[Mapping[str, Any]], slots: int | None) -> EngineLoad:
    """One entry for each data-parallel replica; every replica has the same slots and a pool of its own."""
    used, pool = total(loads, "num_used_tokens"), total(loads, "max_total_num_tokens")
    return EngineLoad(
        running=total(loads, "num_running_reqs"),
        waiting=total(loads, "num_waiting_reqs"),
        kv_frac=min(1.0, used / pool) if used is not None and pool else None,
        slots=slots * len(loads) if slots else None,
    )


def total(loads: Sequence[Mapping[str, Any]], key: str) -> int | None:
    values = [load.get(key) for load in loads]
    return None if None in values else sum(values)
