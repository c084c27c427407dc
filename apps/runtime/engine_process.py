"""The embedded engine as a child process, for measurements and tests. `serve` runs its own under its manager."""

import subprocess
import sys
import time
from dataclasses import dataclass
from types import TracebackType

import httpx
from django.conf import settings

from apps.runtime.embedded_engine import EngineOptions
from apps.runtime.ports_free import free_port

STOP_WITHIN_S = 5.0


class EngineDidNotStart(Exception):
    """The child ended, or did not answer in time."""


@dataclass(frozen=True, slots=True)
class Target:
    """An engine to talk to, as the settings name one."""

    kind: str
    url: str
    model: str
    api_key: str = ""


def arguments(options: EngineOptions) -> list[str]:
    """The options as the embedded_engine command takes them."""
    numbers = {
        "--threads": options.threads,
        "--slots": options.slots,
        "--slot-tokens": options.slot_tokens,
        "--batch-tokens": options.batch_tokens,
        "--cache-mib": options.cache_mib,
        "--spins": options.spins,
    }
    switches = {
        "--shared-kv": options.shared_kv,
        "--prefix-cache": options.prefix_cache,
        "--flash-attention": options.flash_attention,
    }
    words = [word for name, number in numbers.items() for word in (name, str(number))]
    return words + [name for name, on in switches.items() if on]


class EmbeddedEngineProcess:
    """Runs for as long as the context lasts; entering it waits until it answers.

    model  one of the two embedded ones; by default the one that the settings name
    """

    def __init__(
        self, options: EngineOptions | None = None, start_within_s: float = 60.0, model: str | None = None
    ) -> None:
        self.options, self.start_within_s = options or EngineOptions(), start_within_s
        self.port = free_port()
        self.target = Target("llamacpp", f"http://127.0.0.1:{self.port}", model or settings.ENGINE_MODEL)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Target:
        command = [sys.executable, "manage.py", "embedded_engine", "--port", str(self.port)]
        command += ["--model", self.target.model, *arguments(self.options)]
        self._process = subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + self.start_within_s
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise EngineDidNotStart(f"the embedded engine did not answer on port {self.port}")
            time.sleep(0.05)
        return self.target

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.target.url}/health", trust_env=False, timeout=1).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
