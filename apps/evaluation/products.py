"""Where an arm plays: a private stack of its own, or a product that runs already."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ENVIRONMENT: Mapping[str, str] = {"DYNBRANCH_MODE_CHOICE": "1"}


class ProductFailed(Exception):
    """The private stack did not become ready; the text says which part, and where its log is."""


@contextmanager
def product(base_url: str | None, say: Callable[[str], object]) -> Iterator[str]:
    """The address to play at. Without `base_url` a stack is started cold, in a folder of its own, and ended."""
    if base_url:
        yield base_url
        return
    from apps.runtime.stack import Stack

    with tempfile.TemporaryDirectory(prefix="dynbranch-arm-") as folder:
        say("starting a private stack")
        with Stack(Path(folder), env=ENVIRONMENT) as stack:
            stack.wait_ready()
            say(f"ready at {stack.base_url}")
            yield stack.base_url
