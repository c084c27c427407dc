"""Which engine answers in a measurement, as far as a client can tell."""

from django.conf import settings


def engine_in_use(base_url: str | None) -> dict[str, str]:
    """The environment's engine for a private stack; of a product that runs already only its address is known."""
    if base_url:
        return {"of": base_url}
    return {
        "kind": settings.ENGINE_KIND,
        "model": settings.ENGINE_MODEL,
        "url": settings.ENGINE_URL or "embedded",
    }
