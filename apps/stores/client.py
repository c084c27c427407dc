"""The synchronous Redis client that all ports of a process share."""

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry

SUPPORTED = (6, 2)

# Seconds. A lost connection is tried again for about as long as a restart of the server takes; scripts that
# are sent twice know it (see verdicts.call_token).
_CONNECT_TIMEOUT_S = 2.0
_SOCKET_TIMEOUT_S = 5.0
_HEALTH_CHECK_S = 15
_RETRIES = 6
_BACKOFF_BASE_S = 0.05
_BACKOFF_CAP_S = 1.0


StoreError = redis.RedisError
"""What any call of a port raises while Redis cannot be reached or refuses; the caller need not know redis-py."""


class UnsupportedServer(Exception):
    def __init__(self, version: tuple[int, ...]) -> None:
        found, needed = (".".join(map(str, parts)) for parts in (version, SUPPORTED))
        super().__init__(f"the Redis server is version {found}; {needed} or newer is needed (or any Valkey)")


def make_client(url: str) -> redis.Redis:
    """A client for `url` (redis://, rediss://, unix://); connects at the first command, from any thread."""
    return redis.Redis.from_url(
        url,
        socket_connect_timeout=_CONNECT_TIMEOUT_S,
        socket_timeout=_SOCKET_TIMEOUT_S,
        socket_keepalive=not url.startswith("unix://"),
        health_check_interval=_HEALTH_CHECK_S,
        retry=Retry(ExponentialWithJitterBackoff(cap=_BACKOFF_CAP_S, base=_BACKOFF_BASE_S), _RETRIES),
        retry_on_error=[redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError],
    )


def server_version(client: redis.Redis) -> tuple[int, ...]:
    """The version of Redis that the server is compatible with; Valkey answers with 7.2 or above."""
    text = client.info("server")["redis_version"]
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def require_supported(client: redis.Redis) -> None:
    """Raises UnsupportedServer, naming the version found."""
    version = server_version(client)
    if version < SUPPORTED:
        raise UnsupportedServer(version)
