"""Who an engine said it is, kept for a short while: results are named by it, and the server behind a URL can change."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from apps.engines.base import IDENTITY_FIELDS, EngineError, EngineUnreachable
from apps.serving.names import Json

log = logging.getLogger(__name__)

ASKED_AGAIN_S = 5.0  # older: asked for beside the demand that still uses the known one
LIMIT_S = 30.0  # older: asked for first; no demand uses what has not been heard for so long


class KnownIdentity:
    """ask  asks the engine itself; raises EngineError. A field that it leaves out is null."""

    def __init__(self, ask: Callable[[], Awaitable[Mapping[str, Json]]]) -> None:
        self._ask = ask
        self._known: Mapping[str, Json] | None = None
        self._heard_s = 0.0
        self._asking: asyncio.Task[None] | None = None

    async def get(self) -> Mapping[str, Json]:
        """Raises EngineError when it is not known and the engine does not say."""
        known, age_s = self._known, time.monotonic() - self._heard_s
        if known is None or age_s >= LIMIT_S:
            return await self._heard()
        if age_s >= ASKED_AGAIN_S and (self._asking is None or self._asking.done()):
            self._asking = asyncio.get_running_loop().create_task(self._hear_quietly())
        return known

    def doubt(self) -> None:
        """The engine could not be reached: another may come up in its place, so it has to say who it is."""
        self._known = None

    async def aclose(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _heard(self) -> Mapping[str, Json]:
        asked_s = time.monotonic()
        known = self._known = {**dict.fromkeys(IDENTITY_FIELDS), **await self._ask()}
        self._heard_s = asked_s
        return known

    async def _hear_quietly(self) -> None:
        try:
            before = self._known
            if await self._heard() != before:
                log.warning("another engine answers now: results of the former one are not used any more")
        except EngineError as exc:
            log.warning("the engine did not say who it is: %s", exc)
            if isinstance(exc, EngineUnreachable):  # a busy one that is only late is still the same
                self.doubt()
