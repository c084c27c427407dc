"""Tells the process that runs a fill to drop it: one Redis channel that every worker listens to.

A message can be lost; the runner also looks at the shared state of what it runs (`fill_runner.WATCH_S`).
"""

import asyncio
import logging
from collections.abc import Callable

import redis
import redis.asyncio

from apps.stores import keys

log = logging.getLogger(__name__)

RETRY_S = 1.0


def announce_abort(client: redis.Redis, fill_id: str) -> None:
    client.publish(keys.abort_channel(), fill_id)


async def listen_for_aborts(url: str, on_abort: Callable[[str], None]) -> None:
    """Runs until cancelled; reconnects for as long as Redis is away."""
    while True:
        client = redis.asyncio.Redis.from_url(url, health_check_interval=5)
        try:
            async with client.pubsub() as channel:
                await channel.subscribe(keys.abort_channel())
                async for message in channel.listen():
                    if message["type"] == "message":
                        on_abort(message["data"].decode())
        except redis.RedisError:
            log.warning("abort channel lost; listening again in %s s", RETRY_S)
            await asyncio.sleep(RETRY_S)
        finally:
            await client.aclose()
