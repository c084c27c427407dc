"""When a part can be used: asked of the part itself, from outside."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import httpx
from celery import Celery

from apps.runtime import embedded_redis, parts
from apps.runtime.parts import Launch

POLL_S = 0.15
Ask = Callable[[], Awaitable[bool]]


async def http_ok(url: str) -> bool:
    try:
        async with httpx.AsyncClient(timeout=3, trust_env=False) as client:
            return (await client.get(url)).status_code == 200
    except httpx.HTTPError:
        return False


async def redis_answers(url: str) -> bool:
    return await asyncio.to_thread(embedded_redis.answers, url)


async def worker_answers(redis_url: str) -> bool:
    """Whether any worker answers Celery's ping; that it consumes too is the probe's to watch."""

    def ping() -> bool:
        with Celery(broker=redis_url) as app:
            app.conf.broker_transport_options = {"socket_timeout": 2, "socket_connect_timeout": 2}
            return bool(app.control.ping(timeout=0.5))

    return await asyncio.to_thread(ping)


def questions(launch: Launch) -> dict[str, Ask]:
    """How each part of this launch is asked; the probe answers to nobody and has none."""
    asks: dict[str, Ask] = {
        parts.REDIS: lambda: redis_answers(launch.redis_url),
        parts.WEB: lambda: http_ok(f"{launch.address}/healthz"),
        parts.WORKER: lambda: worker_answers(launch.redis_url),
    }
    if launch.engine_port:
        asks[parts.ENGINE] = lambda: http_ok(f"{launch.engine_url}/health")
    return asks


async def wait_until(ask: Ask, timeout_s: float) -> float | None:
    """Seconds until the answer was yes; None when it never was."""
    started = time.monotonic()
    while time.monotonic() - started < timeout_s:
        if await ask():
            return time.monotonic() - started
        await asyncio.sleep(POLL_S)
    return None
