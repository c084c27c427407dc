"""Asks the running process manager: which processes run, another number of them, start one anew."""

import time
from typing import Any

import zmq
from circus.client import CircusClient

from apps.runtime.run_folder import RunFolder, RunRecord

BUSY = "already running"  # circus refuses a command while another runs


class NotRunning(Exception):
    def __init__(self, home: RunFolder) -> None:
        super().__init__(f"no DynBranch runs in {home.var_dir}; start it with `make run`")


class Refused(Exception):
    """The process manager did not do it; says why."""


class Control:
    """Control of the product that runs in `home`."""

    def __init__(self, home: RunFolder) -> None:
        self.home = home

    def record(self) -> RunRecord:
        record = self.home.running()
        if record is None:
            raise NotRunning(self.home)
        return record

    def pids(self, part: str) -> list[int]:
        return [int(pid) for pid in self._ask("list", name=part)["pids"]]

    def count(self, part: str) -> int:
        return int(self._ask("numprocesses", name=part)["numprocesses"])

    def scale(self, part: str, count: int) -> None:
        """Returns once the processes that are too many have ended."""
        self._ask("set", name=part, options={"numprocesses": count}, waiting=True)

    def restart(self, part: str) -> None:
        """Returns once the old processes have ended and new ones are started."""
        self._ask("restart", name=part, match="simple", waiting=True)

    def _ask(self, command: str, timeout_s: float = 30.0, **properties: Any) -> dict[str, Any]:
        deadline = time.monotonic() + timeout_s
        with zmq.Context() as context:
            client = CircusClient(context=context, endpoint=self.record().control, timeout=timeout_s)
            try:
                while True:
                    answer = client.send_message(command, **properties)
                    if answer["status"] == "ok":
                        return answer
                    if BUSY not in answer.get("reason", "") or time.monotonic() > deadline:
                        raise Refused(f"{command} {properties}: {answer.get('reason', answer)}")
                    time.sleep(0.05)
            finally:
                client.stop()
