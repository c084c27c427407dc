"""Performs what the core decides: announces, hands chains to workers, aborts."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.engines.base import Engine, EngineError
from apps.runtime.clock import now_ms
from apps.runtime.publisher import Publisher
from apps.serving.branch.fill import FillEvent
from apps.serving.effects import AbortFill, Announce, Effect, StartChain
from apps.serving.layer import Layer
from apps.serving.ports import Invalidated
from apps.stores.client import StoreError

log = logging.getLogger(__name__)

RETRY_S = 0.5  # how soon shared state that was away is asked again


@dataclass(eq=False)
class Performer:
    """Belongs to one event loop, as its engine's connections do.

    engine    None where none is configured, as in a command that writes: the worker stops what it runs, once told
    run       calls a blocking store function off the loop
    dispatch  sends a chain to the workers (blocking)
    announce_abort  tells the process that runs a fill (blocking)
    """

    layer: Layer
    engine: Engine | None
    publisher: Publisher
    run: Callable[..., Awaitable[Any]]
    dispatch: Callable[[str, int], None]
    announce_abort: Callable[[str], None]

    async def perform(self, effects: Sequence[Effect]) -> None:
        """Perform in order; aborts first, since they free the engine for whoever waits."""
        await asyncio.gather(*(self._abort(effect) for effect in effects if isinstance(effect, AbortFill)))
        for effect in effects:
            match effect:
                case Announce(kind, scope, data):
                    self.publisher.post(str(scope["conversation"]), kind, {"turn": scope["turn"], **data})
                case StartChain():
                    await self._start(effect)
                case AbortFill():
                    pass

    async def invalidated(self, ended: Invalidated) -> None:
        """What one step of a cascade ended is aborted and announced; asked for until the shared state answers.

        The step is done and is not told twice: who gave up here would leave fills running, and pages wrong.
        """
        if not (ended.running or ended.shadows):
            return
        while True:
            try:
                return await self.perform(await self.run(self.layer.on_invalidated, ended))
            except StoreError:
                log.warning("effects of a write are tried again in %s s: the shared state is away", RETRY_S)
                await asyncio.sleep(RETRY_S)

    async def _abort(self, effect: AbortFill) -> None:
        # Each by itself: the engine hears of it also where the worker cannot be told, and the other way round.
        try:
            await self.run(self.announce_abort, effect.fill_id)
        except StoreError:
            log.warning("abort of fill %s not announced; its worker polls", effect.fill_id, exc_info=True)
        if self.engine is None:
            return
        try:
            await self.engine.abort(effect.request_id)
        except EngineError:
            log.warning("abort of fill %s not told to the engine", effect.fill_id, exc_info=True)

    async def _start(self, effect: StartChain) -> None:
        try:
            await self.run(self.dispatch, effect.chain_id, effect.expires_at_ms)
        except (OSError, StoreError):
            log.warning("chain %s not dispatched", effect.chain_id, exc_info=True)
            chain = await self.run(self.layer.stores.shadows.chain, effect.chain_id)
            if chain is not None:
                reason = "the queue is away"
                await self.perform(await self.run(self.layer.end_chain, chain, FillEvent.FAIL, reason, now_ms()))
