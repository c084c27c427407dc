"""vLLM: closing the stream aborts; priorities (lower is sooner) only where the server schedules by them."""

from typing import ClassVar

from apps.engines.base import EngineLoad, EngineRequest, Lane
from apps.engines.http import HttpEngine
from apps.engines.metrics import Gauges
from apps.engines.patience import Patience
from apps.serving.names import Json


class VllmEngine(HttpEngine):
    kind: ClassVar[str] = "vllm"
    tokenize_path: ClassVar[str | None] = "/tokenize"

    def __init__(
        self, url: str, model: str, api_key: str = "", patience: Patience | None = None, *, priorities: bool = False
    ) -> None:
        """priorities: the server runs with --scheduling-policy priority; without it, it refuses the field."""
        super().__init__(url, model, api_key, patience)
        self.priorities = priorities

    def extras(self, request: EngineRequest) -> dict[str, Json]:
        return {"priority": int(Lane.CANONICAL - request.lane)} if self.priorities else {}

    def headers(self, request: EngineRequest) -> dict[str, str]:
        """The id shows up in the engine's own log; there is no route that aborts by it."""
        return {"x-request-id": request.request_id}

    async def load(self) -> EngineLoad:
        """The most requests at once is not published, so `slots` stays unknown."""
        gauges = Gauges(await self.side("GET", "/metrics") or "")
        return EngineLoad(
            running=gauges.total("vllm:num_requests_running"),
            waiting=gauges.total("vllm:num_requests_waiting"),
            kv_frac=gauges.mean("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc"),
            slots=None,
        )

    async def describe(self) -> dict[str, Json]:
        """Batch-invariant mode is an environment variable of the server, which no route tells."""
        told = await self.facts("/version")
        return {"version": told.get("version"), "revision": await self.model_revision(), "deterministic": None}
