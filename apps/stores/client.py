"""The synchronous Redis client that all ports of a process share."""

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry

# A connection that was lost is made anew at once, a few times, within a fraction of a second: enough for one that
# idled through a restart. While the server is away a call fails soon, so that demands can run without it.
# A timeout is not tried again: the caller has waited long enough. Scripts that are sent twice know it (verdicts.py).
_CONNECT_TIMEOUT_S = 1.0
_SOCKET_TIMEOUT_S = 3.0
_HEALTH_CHECK_S = 15
_RETRIES = 3
_BACKOFF_BASE_S = 0.02
_BACKOFF_CAP_S = 0.2

StoreError = redis.RedisError
"""What any call of a port raises while Redis cannot be reached or refuses; the caller need not know redis-py."""


def make_client(url: str) -> redis.Redis:
    """A client for `url` (redis://, rediss://, unix://); connects at the first command, from any thread."""
    return redis.Redis.from_url(
        url,
        socket_connect_timeout=_CONNECT_TIMEOUT_S,
        socket_timeout=_SOCKET_TIMEOUT_S,
        socket_keepalive=not url.startswith("unix://"),
        health_check_interval=_HEALTH_CHECK_S,
        retry=Retry(
            ExponentialWithJitterBackoff(cap=_BACKOFF_CAP_S, base=_BACKOFF_BASE_S),
            _RETRIES,
            supported_errors=(redis.ConnectionError,),
        ),
    )
