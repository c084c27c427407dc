"""Any other OpenAI-compatible server: nothing beyond the standard is sent or expected."""

from typing import ClassVar

from apps.engines.http import HttpEngine


class OpenAIEngine(HttpEngine):
    kind: ClassVar[str] = "openai"
    health_path: ClassVar[str] = "/v1/models"
    uses_proxy_settings: ClassVar[bool] = True  # it may be on the far side of one
