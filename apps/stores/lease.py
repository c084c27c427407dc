"""Leadership by lease: of several processes that could do a job, one does it; when it dies, another follows."""

import redis
from redis.exceptions import LockError
from redis.lock import Lock

from apps.stores import keys


class Lease:
    """seconds  how long leadership outlives the last `hold`."""

    def __init__(self, client: redis.Redis, name: str, seconds: float) -> None:
        self._lock = Lock(client, keys.lease(name), timeout=seconds, blocking=False, thread_local=False)

    def hold(self) -> bool:
        """Take or renew leadership; False while another process has it."""
        if self._lock.local.token is not None:
            try:
                return bool(self._lock.reacquire())
            except LockError:
                self._lock.local.token = None
        return bool(self._lock.acquire(blocking=False))
