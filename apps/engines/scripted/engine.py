"""The scripted engine inside a test: its server on a thread and event loop of its own."""

import asyncio
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from apps.engines.scripted.behaviour import Behaviour, Seen
from apps.engines.scripted.server import ScriptedServer


class ScriptedEngine:
    """Listens from `start` to `stop`, on a port of its own. Every method may be called from any thread."""

    def __init__(self, slots: int = 8) -> None:
        self._slots = slots
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scripted-engine", daemon=True)
        self._server: ScriptedServer | None = None
        self.url = ""

    def start(self, port: int = 0) -> "ScriptedEngine":
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._call(self._start(port))}"
        return self

    async def _start(self, port: int) -> int:
        self._server = ScriptedServer(self._slots)
        return await self._server.start("127.0.0.1", port)

    def cut_off(self) -> None:
        """Close every connection and listen no more, as an engine that dies."""
        self._call(self.server.stop())

    def stop(self) -> None:
        self.cut_off()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    @property
    def server(self) -> ScriptedServer:
        assert self._server is not None, "the scripted engine is not started"
        return self._server

    def behave(self, contains: str = "", **fields: Any) -> None:
        """From now on, for prompts that contain the text; "" is for all others. Running answers do not change."""
        behaviour = Behaviour(**fields)
        if contains:
            self.server.rules = {**self.server.rules, contains: behaviour}
        else:
            self.server.default = behaviour

    def respond_with(self, function: Callable[[Seen], str | None]) -> None:
        """Text for each request, before any scripted text; None leaves it to the script. Runs on another thread."""
        self.server.respond = function

    def reset(self) -> None:
        self.server.reset()

    @property
    def seen(self) -> list[Seen]:
        """Every chat request so far, in order of arrival. The records go on changing while they run."""
        return list(self.server.seen)

    @property
    def running(self) -> int:
        return self.server.load()["running"]

    @property
    def most_running(self) -> int:
        return self.server.most_running

    def wait_until(self, true: Callable[["ScriptedEngine"], bool], timeout_s: float = 5.0) -> None:
        """Raises TimeoutError, listing what was seen, when it does not become true."""
        deadline = time.monotonic() + timeout_s
        while not true(self):
            if time.monotonic() > deadline:
                outcomes = [f"{seen.number}: {seen.outcome}" for seen in self.seen]
                raise TimeoutError(f"not true within {timeout_s} s; seen {outcomes}")
            time.sleep(0.005)

    def __enter__(self) -> "ScriptedEngine":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
