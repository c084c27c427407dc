"""The bounded wait of a demand for the running fill that is expected to answer it. §3.3"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.runtime.clock import now_ms
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.demand import Demand
from apps.serving.effects import Effect
from apps.serving.layer import Layer
from apps.serving.outcomes import Miss, MissReason, Pending, Promoted
from apps.stores.client import StoreError

log = logging.getLogger(__name__)

POLL_S = 0.01  # how often a demand looks at the fill that it waits for
AWAITABLE = (FillState.RESERVED, FillState.RUNNING, FillState.SHADOW)


@dataclass(frozen=True, slots=True)
class Waiting:
    """One demand's wait.

    conversation  whose demand it is: only its own fills are given up
    """

    layer: Layer
    run: Callable[..., Awaitable[Any]]
    perform: Callable[[Sequence[Effect]], Awaitable[None]]
    pending: Pending
    conversation: str

    async def answer(self, demand: Demand) -> Promoted | Miss:
        """The shadow, promoted, as soon as it is complete; a Miss when it cannot answer, or takes too long."""
        shadows = self.layer.stores.shadows
        deadline = time.monotonic() + self.layer.config.bounded_wait_ms / 1000
        try:
            while time.monotonic() < deadline:
                fill = await self.run(shadows.fill, self.pending.fill_id)
                if fill is None or fill.state not in AWAITABLE:
                    return Miss(MissReason.FAILED)
                if fill.name is not None and fill.name != demand.name:
                    return Miss(MissReason.NAME)
                if fill.state is FillState.SHADOW:
                    return await self.run(shadows.promote, fill.fill_id, demand.name, demand.terms.keeps, now_ms())
                await asyncio.sleep(POLL_S)
        except StoreError:
            return Miss(MissReason.UNAVAILABLE)
        await self.give_up("the demand stopped waiting")
        return Miss(MissReason.UNCONFIRMED)

    async def give_up(self, reason: str) -> None:
        """The demand runs itself now, or not at all: its own chain would only compete with it.

        A chain of another conversation goes on, for whom it was begun.
        """
        shadows = self.layer.stores.shadows
        try:
            fill = await self.run(shadows.fill, self.pending.fill_id)
            chain = await self.run(shadows.chain, fill.chain_id) if fill else None
            if chain is None or chain.scope["conversation"] != self.conversation:
                return
            fills = await self.run(shadows.chain_fills, chain.chain_id)
            await self.perform(await self.run(self.layer.end_fills, chain, fills, FillEvent.FAIL, reason, now_ms()))
        except StoreError:
            log.warning("fill %s not given up: the shared state is away", self.pending.fill_id)
