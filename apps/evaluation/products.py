"""Where an arm plays: a private stack of its own, or a product that runs already."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from apps.runtime.stack import Stack, StackDidNotStart

READY_TIMEOUT_S = 180.0


class ProductFailed(Exception):
    """The private stack did not become ready; the text is what it said."""


@contextmanager
def product(base_url: str | None, say: Callable[[str], object]) -> Iterator[str]:
    """The address to play at. Without `base_url` a stack is started cold, in a folder of its own, and ended."""
    if base_url:
        yield base_url
        return
    with tempfile.TemporaryDirectory(prefix="dynbranch-arm-") as folder:
        say("starting a private stack")
        with Stack(Path(folder), env=environment()) as stack:
            try:
                stack.wait_ready(READY_TIMEOUT_S)
            except StackDidNotStart as exc:
                raise ProductFailed(str(exc)) from exc
            say(f"ready at {stack.base_url}")
            yield stack.base_url


def environment() -> dict[str, str]:
    """This command's engine and sizes; state of any kind (Redis, database, folder) is the stack's own."""
    given = {
        "ENGINE_URL": settings.ENGINE_URL,
        "ENGINE_KIND": settings.ENGINE_KIND,
        "ENGINE_MODEL": settings.ENGINE_MODEL,
        "ENGINE_API_KEY": settings.ENGINE_API_KEY,
        "DYNBRANCH_PROMPTS": settings.PROMPTS,
        "DYNBRANCH_MODELS": str(settings.MODELS_DIR),
        "DYNBRANCH_FILL_SLOTS": str(settings.FILL_SLOTS),
        "DYNBRANCH_FILL_KV_TOKENS": str(settings.FILL_KV_TOKENS),
        "DYNBRANCH_WORKER_CONCURRENCY": str(settings.CELERY_WORKER_CONCURRENCY),
        "DYNBRANCH_MODE_CHOICE": "1",
    }
    return {name: value for name, value in given.items() if value}
