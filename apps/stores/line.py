"""A connection of its own for each thread, for what is asked most often.

redis-py's client takes a connection from its pool for every command, looks whether something is left on it, tells its
metrics and gives it back; that takes longer than the command. A thread that keeps one needs none of it.
"""

import os
import threading
import weakref
from collections.abc import MutableMapping
from typing import Any

import hiredis
import redis


class _Held:
    """A thread's connection; the pool has it back when the thread ends."""

    __slots__ = ("__weakref__", "connection", "pid")

    def __init__(self, pool: redis.ConnectionPool) -> None:
        self.connection, self.pid = pool.get_connection(), os.getpid()
        # Not at exit: closing the process closes it too.
        weakref.finalize(self, pool.release, self.connection).atexit = False


class Line:
    """Asks one command at a time, with the client's options: its time-outs, its retries, its health checks."""

    def __init__(self, pool: redis.ConnectionPool) -> None:
        self._pool, self._own = pool, threading.local()

    def ask(self, *command: str | bytes | int | float) -> Any:
        """The reply, undecoded. Sent again, as the client would, when the connection was lost."""
        connection = self._connection()
        packed = [hiredis.pack_command(command)]
        try:
            # Whatever goes wrong here closes the connection, so that no later command reads this one's reply.
            connection.send_packed_command(packed)
            return connection.read_response()
        except redis.ConnectionError:
            return connection.retry.call_with_retry(
                lambda: self._again(connection, packed), lambda error: connection.disconnect()
            )

    def _again(self, connection: redis.Connection, packed: list[bytes]) -> Any:
        connection.send_packed_command(packed)
        return connection.read_response()

    def _connection(self) -> redis.Connection:
        held: _Held | None = getattr(self._own, "held", None)
        # A forked child must not speak on its parent's connection.
        if held is None or held.pid != os.getpid():
            held = self._own.held = _Held(self._pool)
        return held.connection


_LINES: MutableMapping[redis.Redis, Line] = weakref.WeakKeyDictionary()


def line(client: redis.Redis) -> Line:
    """The line beside this client, the same for all stores on it; closing the client closes it."""
    # Two threads may both make one: either serves, and the other one's connection goes back to the pool.
    return _LINES.setdefault(client, Line(client.connection_pool))
