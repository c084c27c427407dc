"""The adapter for a kind of engine, as ENGINE_KIND names it."""

from urllib.parse import urlsplit

from apps.engines.http import HttpEngine
from apps.engines.llamacpp import LlamaCppEngine
from apps.engines.openai import OpenAIEngine
from apps.engines.patience import Patience
from apps.engines.sglang import SGLangEngine
from apps.engines.vllm import VllmEngine

KINDS: dict[str, type[HttpEngine]] = {
    adapter.kind: adapter for adapter in (SGLangEngine, VllmEngine, LlamaCppEngine, OpenAIEngine)
}


def make_engine(
    kind: str,
    url: str,
    model: str,
    api_key: str = "",
    *,
    patience: Patience | None = None,
    priorities: bool = False,
) -> HttpEngine:
    """An adapter with one long-lived HTTP client; make it on the event loop that uses it, and `aclose` it there.

    priorities  vLLM only: the server was started with --scheduling-policy priority
    Raises ValueError for an unknown kind, or a URL that is none.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of engine {kind!r} (known: {', '.join(sorted(KINDS))})")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"engine URL {url!r} is not like http://host:port")
    if kind == VllmEngine.kind:
        return VllmEngine(url, model, api_key, patience, priorities=priorities)
    return KINDS[kind](url, model, api_key, patience)
