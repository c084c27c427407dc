"""Who looks at a conversation. When its last page has been closed for a while, its fills end.

Sockets are counted in this process. Other processes are asked over the channel layer, so nothing is stored and
a process that died leaves no ghost behind.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer

from apps.chat import ports, queries

log = logging.getLogger(__name__)

GRACE_S = 5.0  # a reload or a short loss of the network is no leaving
RETRY_S = 2.0  # while the shared state or the database is away
ANSWER_S = 0.5  # how long other processes have to say that they hold a page
MOST_GONE = 10_000  # conversations remembered as closed; of a forgotten one, fills end by their window

_sockets: Counter[str] = Counter()
_left: dict[str, asyncio.Task[None]] = {}
_gone: dict[str, None] = {}  # conversations, the one that closed first in front


def joined(conversation_id: str) -> None:
    _sockets[conversation_id] += 1
    _gone.pop(conversation_id, None)
    waiting = _left.pop(conversation_id, None)
    if waiting is not None:
        waiting.cancel()


def left(conversation_id: str) -> None:
    _sockets[conversation_id] -= 1
    if _sockets[conversation_id] > 0:
        return
    del _sockets[conversation_id]
    if conversation_id not in _left:
        _left[conversation_id] = asyncio.create_task(_after_grace(conversation_id))


async def _after_grace(conversation_id: str) -> None:
    """The outermost frame of a leaving: logs what goes wrong, since nobody waits for it."""
    try:
        await asyncio.sleep(GRACE_S)
        _remember_gone(conversation_id)
        await _end_fills(conversation_id)
    except Exception:
        log.warning("conversation %s: fills not ended after its pages closed", conversation_id, exc_info=True)
    finally:
        if _left.get(conversation_id) is asyncio.current_task():
            del _left[conversation_id]


async def _end_fills(conversation_id: str) -> None:
    """Tries again while Redis or the database is away, until a page comes back."""
    while True:
        try:
            if await _someone_elsewhere(conversation_id) or await close_branches(conversation_id):
                return
        except queries.DATABASE_AWAY:
            log.debug("conversation %s: the database is away", conversation_id)
        await asyncio.sleep(RETRY_S)


def _remember_gone(conversation_id: str) -> None:
    _gone[conversation_id] = None
    if len(_gone) > MOST_GONE:
        del _gone[next(iter(_gone))]


async def close_branches(conversation_id: str) -> bool:
    """Queued and running fills end; completed shadows wait for a return. A repeat does nothing.

    False when the shared state was away for one of them.
    """
    driver, closed = ports.current().driver(), True
    for branch in await database_sync_to_async(queries.open_branches)(conversation_id):
        closed = await driver.close_branch(branch) and closed
    return closed


async def someone_looks(conversation_id: str) -> bool:
    """False only when this process saw the last page go and no other process has one."""
    if conversation_id not in _gone or _sockets[conversation_id] > 0:
        return True
    return await _someone_elsewhere(conversation_id)


async def _someone_elsewhere(conversation_id: str) -> bool:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    try:
        async with asyncio.timeout(ANSWER_S):
            await ports.current().publisher().signal(conversation_id, {"who": channel})
            await layer.receive(channel)
            return True
    except ports.STORE_AWAY:  # a timeout is an OSError: nobody answered
        return False


async def answer(conversation_id: str, message: Mapping[str, Any]) -> None:
    """Say to the asking process that a page is open here, if one is.

    A socket that has left may hear the question too, when a Redis read swallowed its cancelling.
    """
    if _sockets[conversation_id] <= 0:
        return
    try:
        await get_channel_layer().send(message["who"], {"type": "presence.here"})
    except ports.STORE_AWAY:
        log.debug("presence not answered")
