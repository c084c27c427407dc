"""A thread's own connection, against a pool that only notes what is asked of it."""

import threading

import hiredis
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.stores.line import Line, line


class Connection:
    """Loses so many commands before it answers."""

    def __init__(self, losses: int = 0) -> None:
        self.losses, self.sent, self.closed = losses, [], 0
        self.retry = Retry(NoBackoff(), 2, supported_errors=(redis.ConnectionError,))

    def send_packed_command(self, packed, check_health=True):
        self.sent.append(b"".join(packed))

    def read_response(self):
        if self.losses:
            self.losses -= 1
            raise redis.ConnectionError("lost")
        return b"reply"

    def disconnect(self):
        self.closed += 1


class Pool:
    def __init__(self, losses: int = 0) -> None:
        self.losses, self.given, self.back = losses, [], []

    def get_connection(self):
        self.given.append(Connection(self.losses))
        return self.given[-1]

    def release(self, connection):
        self.back.append(connection)


def in_a_thread(function) -> None:
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


def test_a_thread_keeps_its_connection():
    pool = Pool()
    asking = Line(pool)
    assert [asking.ask("GET", "a"), asking.ask("GET", 1)] == [b"reply", b"reply"]
    assert len(pool.given) == 1
    assert pool.given[0].sent == [hiredis.pack_command(("GET", "a")), hiredis.pack_command(("GET", 1))]


def test_another_thread_has_another_connection_and_the_pool_has_it_back_when_that_ends():
    pool = Pool()
    asking = Line(pool)
    asking.ask("PING")
    in_a_thread(lambda: asking.ask("PING"))
    assert len(pool.given) == 2
    assert pool.back == [pool.given[1]]


def test_a_child_process_does_not_speak_on_its_parents_connection(monkeypatch):
    pool = Pool()
    asking = Line(pool)
    asking.ask("PING")
    monkeypatch.setattr("apps.stores.line.os.getpid", lambda: -1)
    asking.ask("PING")
    assert len(pool.given) == 2


def test_a_command_on_a_lost_connection_is_sent_again():
    pool = Pool(losses=2)
    assert Line(pool).ask("PING") == b"reply"
    assert len(pool.given[0].sent) == 3
    assert pool.given[0].closed == 1


def test_a_server_that_stays_away_is_said_soon():
    pool = Pool(losses=100)
    with pytest.raises(redis.ConnectionError):
        Line(pool).ask("PING")
    assert len(pool.given[0].sent) == 4


def test_a_client_has_one_line_for_all_stores():
    client, other = redis.Redis(), redis.Redis()
    assert line(client) is line(client)
    assert line(client) is not line(other)
