"""A process that kills itself at one chosen Redis call, for `test_fault_points`.

    python -m tests.integration.fault_child     reads one order a line, answers each with one line of JSON

Every order is carried out by a fork of this process, which has neither threads nor connections itself. The fork's
clock is slow by more than every lease, so that whatever it leaves behind has run out for everyone else at once.
"""

import asyncio
import json
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import redis
from redis.connection import Connection

from apps.runtime import clock

SLOW_MS = 30_000
LONGEST_S = 120  # a fork that hangs dies by itself; its test says so


def slow_ms() -> int:
    return time.time_ns() // 1_000_000 - SLOW_MS


if __name__ == "__main__":
    clock.now_ms = slow_ms  # before the modules that take it by name

from apps.stores.client import make_client  # noqa: E402
from tests.integration.fault_world import OPERATIONS, FaultWorld  # noqa: E402


@dataclass(eq=False)
class Fault:
    """Where to die: before sending call `call`, or after its reply has come. 0 counts only."""

    call: int = 0
    moment: str = "before"
    armed: bool = False
    calls: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def sending(self) -> int:
        """The number of the call about to be sent; 0 while not armed."""
        if not self.armed:
            return 0
        with self.lock:
            self.calls += 1
            if self.calls == self.call and self.moment == "before":
                die()
            return self.calls

    def answered(self, number: int) -> None:
        if number and number == self.call and self.moment == "after":
            die()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(LONGEST_S)


FAULT = Fault()


class FaultyConnection(Connection):
    """Counts every call but the greeting of a new connection. A pipeline is one call."""

    number, greets = 0, False

    def connect(self) -> None:
        self.greets = True
        try:
            super().connect()
        finally:
            self.greets = False

    def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        if not self.greets:
            self.number = FAULT.sending()
        super().send_packed_command(command, check_health=check_health)

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().read_response(*args, **kwargs)
        if not self.greets:
            FAULT.answered(self.number)
        return response


def faulty_client(url: str) -> redis.Redis:
    client = make_client(url)
    client.connection_pool.connection_class = FaultyConnection
    return client


async def carry_out(order: Mapping[str, Any]) -> dict[str, Any]:
    """The ids that `prepare` gave, or how many Redis calls `perform` made; it may not live to say so."""
    world = FaultWorld(faulty_client(order["url"]), order["database"])
    operation = OPERATIONS[order["operation"]]
    if order["prepared"] is None:
        prepared = await operation.prepare(world)
    else:
        prepared = order["prepared"]
        FAULT.call, FAULT.moment, FAULT.armed = order["call"], order["moment"], True
        await operation.perform(world, prepared)
    await world.driver.aclose()
    return {"prepared": prepared, "calls": FAULT.calls}


def forked(order: Mapping[str, Any], answer: int) -> None:
    """The fork's whole life."""
    signal.alarm(LONGEST_S)
    try:
        os.write(answer, json.dumps(asyncio.run(carry_out(order))).encode())
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def main() -> None:
    for line in sys.stdin:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            forked(json.loads(line), writer)
        os.close(writer)
        _, status = os.waitpid(child, 0)
        with os.fdopen(reader) as answered:
            said = json.loads(answered.read() or "{}")
        print(json.dumps({"code": os.waitstatus_to_exitcode(status), **said}), flush=True)


if __name__ == "__main__":
    main()
