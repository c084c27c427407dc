"""The whole product, privately: own folder, ports, database, Redis and processes. For tests and measurements.

    with Stack(folder) as stack:
        stack.wait_ready()
        httpx.get(f"{stack.base_url}/healthz")

It runs `manage.py serve` as a person would, so what is tested and measured is what is used. Nothing of the caller's
own settings in the environment reaches it; leaving the context ends every process that it started.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from apps.runtime import orphans
from apps.runtime.control import Control, NotRunning
from apps.runtime.run_folder import RunFolder, RunRecord

PROJECT = Path(__file__).resolve().parents[2]
EMBEDDED = "embedded"
OWN_SETTINGS = ("REDIS_URL", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")
OWN_PREFIXES = ("DYNBRANCH_", "ENGINE_")
STOP_TIMEOUT_S = 30.0


class StackDidNotStart(Exception):
    def __init__(self, why: str, output: str) -> None:
        super().__init__(f"{why}; what it said:\n{output}")


class Stack:
    """port: None takes any free one. engine: "embedded" or the URL of a running one. env: further settings."""

    def __init__(
        self,
        var_dir: Path,
        port: int | None = None,
        env: Mapping[str, str] | None = None,
        workers: int = 1,
        engine: str = EMBEDDED,
    ) -> None:
        self.home = RunFolder(var_dir).make()
        self.workers, self.control = workers, Control(self.home)
        self._env = self._environment(port or 0, engine, env or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._record: RunRecord | None = None

    def _environment(self, port: int, engine: str, env: Mapping[str, str]) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if k not in OWN_SETTINGS and not k.startswith(OWN_PREFIXES)}
        own = {"DYNBRANCH_VAR": str(self.home.var_dir), "DYNBRANCH_PORT": str(port), "PYTHONUNBUFFERED": "1"}
        if engine != EMBEDDED:
            own["ENGINE_URL"] = engine
        return {**kept, **own, **env}

    def start(self) -> "Stack":
        self._record = None
        command = [sys.executable, "manage.py", "serve", "--workers", str(self.workers)]
        with self.home.log("serve").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=PROJECT,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return self

    def wait_ready(self, timeout_s: float = 120.0) -> "Stack":
        """Until every part that serving needs has answered. Raises StackDidNotStart, with what it said."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            if self.manager.poll() is not None:
                raise StackDidNotStart(f"it ended with exit status {self.manager.returncode}", self.output())
            record = self.home.running()
            if record and record.ready and record.manager.pid == self.manager.pid:
                self._record = record
                return self
            time.sleep(0.1)
        raise StackDidNotStart(f"it was not ready after {timeout_s:.0f} s", self.output())

    @property
    def manager(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            raise NotRunning(self.home)
        return self._process

    @property
    def base_url(self) -> str:
        """http://host:port, without a slash. Known once it is ready."""
        if self._record is None:
            raise NotRunning(self.home)
        return self._record.address

    def output(self) -> str:
        """The end of what `serve` said, with its parts' logs beside it in `home.logs`."""
        return self.home.tail("serve", lines=60)

    def pids(self, part: str) -> list[int]:
        return self.control.pids(part)

    def scale(self, part: str, count: int) -> None:
        self.control.scale(part, count)

    def restart(self, part: str) -> None:
        """As an operator would: the part is asked to end, and a new one is started."""
        self.control.restart(part)

    def kill(self, part: str, number: int = signal.SIGKILL) -> list[int]:
        """Send a signal to every process of a part; the manager starts what ends. Returns their pids."""
        pids = self.pids(part)
        for pid in pids:
            os.kill(pid, number)
        return pids

    def stop(self) -> None:
        """As Ctrl-C does. A repeat does nothing."""
        if self._process is None:
            return
        record = self.home.read()
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
        if record:  # nothing is left after an orderly stop
            orphans.end(orphans.orphans_of(record))

    def __enter__(self) -> "Stack":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
