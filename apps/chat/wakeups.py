"""Wake-ups of one conversation from the channel layer: hints, never content, and any of them may be lost.

A consumer does not listen through Channels' own loop, since that ends the socket when Redis goes away. This
one says so, tries again, and joins its group anew: Redis forgets groups when it restarts, and after a day.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from channels.layers import get_channel_layer

from apps.chat import ports
from apps.runtime.publisher import conversation_group

log = logging.getLogger(__name__)

RETRY_S = 0.5
REJOIN_S = 30.0

Heard = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Must be quick and safe to cancel: it only notes what is to be done."""


async def listen(conversation_id: str, heard: Heard) -> None:
    """Hand every message to `heard` until cancelled, also where a Redis read swallows the cancelling."""
    layer, group = get_channel_layer(), conversation_group(conversation_id)
    channel = await layer.new_channel()
    try:
        while not _cancelled():
            try:
                await layer.group_add(group, channel)
                await heard({"type": "conversation.wake"})  # what came before the group was joined
                await _until_rejoin(layer, channel, heard)
            except ports.STORE_AWAY:
                await asyncio.sleep(RETRY_S)
    finally:
        await _leave(layer, group, channel)


async def _until_rejoin(layer: Any, channel: str, heard: Heard) -> None:
    try:
        async with asyncio.timeout(REJOIN_S):
            while not _cancelled():
                await heard(await layer.receive(channel))
    except TimeoutError:
        return


def _cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _leave(layer: Any, group: str, channel: str) -> None:
    """Bounded: a socket's end must not wait for a Redis that is away."""
    try:
        async with asyncio.timeout(1):
            await layer.group_discard(group, channel)
    except ports.STORE_AWAY:
        log.debug("group %s not left", group)
