"""Runs the parts under circus: starts them in order, keeps them running, ends every one of them with itself."""

import asyncio
import contextlib
import logging
import logging.handlers
import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

import psutil
from circus.arbiter import Arbiter
from circus.exc import ConflictError
from tornado.ioloop import IOLoop

from apps.runtime import orphans, subreaper
from apps.runtime.parts import PYTHON, Part
from apps.runtime.run_folder import ProcessMark, RunFolder, RunRecord
from apps.runtime.watchers import PatientWatcher, Say

LOG_BYTES = 5_000_000
LOG_BACKUPS = 2
CHILD = Path(__file__).with_name("child.py")


@dataclass(frozen=True, slots=True)
class Plan:
    """parts in the order of starting; env is the whole environment of each; `folder` is the working directory."""

    parts: Sequence[Part]
    env: Mapping[str, str]
    folder: Path
    address: str
    token: str


class Manager:
    """One run. `changed` marks are written at every start and end, so that a next run can end what this one left."""

    def __init__(self, plan: Plan, home: RunFolder, sockets: Path, say: Say) -> None:
        self.plan, self.home, self.say = plan, home, say
        control = f"ipc://{sockets / 'control'}"
        self.record = RunRecord(ProcessMark.of(os.getpid()), plan.token, plan.address, control)
        self.stopping = asyncio.Event()
        _log_circus_to(home.log("manager"))
        loop = IOLoop.current()
        self.watchers = {part.name: self._watcher(part, loop) for part in plan.parts}
        self.arbiter = Arbiter(
            list(self.watchers.values()), control, f"ipc://{sockets / 'events'}", check_delay=0.5, loop=loop
        )

    def _watcher(self, part: Part, loop: IOLoop) -> PatientWatcher:
        stream = {"class": "FileStream", "filename": str(self.home.log(part.name))}
        stream |= {"max_bytes": LOG_BYTES, "backup_count": LOG_BACKUPS}
        return PatientWatcher(
            part.name,
            quote(PYTHON),
            args=["-I", "-S", str(CHILD), str(os.getpid()), *part.argv],
            numprocesses=part.count,
            working_dir=str(self.plan.folder),
            env={**self.plan.env, **part.env, orphans.TOKEN_VARIABLE: self.plan.token},
            graceful_timeout=part.grace_s,
            stdout_stream=dict(stream),
            stderr_stream=dict(stream),
            autostart=False,
            loop=loop,
            say=self.say,
            changed=self._write_record,
        )

    def _write_record(self) -> None:
        marks: dict[str, list[ProcessMark]] = {}
        for name, watcher in self.watchers.items():
            marks[name] = []
            for pid in list(watcher.processes):
                with contextlib.suppress(psutil.NoSuchProcess):
                    marks[name].append(ProcessMark.of(pid))
        self.record = self.home.write(replace(self.record, parts=marks))

    async def run(self, bring_up: Callable[["Manager"], Awaitable[bool]]) -> bool:
        """Start, call `bring_up`, and stay until told to stop. False when `bring_up` gave up.

        SIGINT, SIGTERM and SIGHUP stop it; a second one kills what is still running.
        """
        subreaper.adopt_grandchildren()
        await self.arbiter.start()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._told_to_stop)
        self._write_record()
        rising = asyncio.ensure_future(bring_up(self))
        waiting = asyncio.ensure_future(self.stopping.wait())
        try:
            await asyncio.wait({rising, waiting}, return_when=asyncio.FIRST_COMPLETED)
            up = rising.done() and rising.result()
            if up:
                await waiting
            return up or self.stopping.is_set()
        finally:
            rising.cancel()
            waiting.cancel()
            await self._stop()

    def _told_to_stop(self) -> None:
        if self.stopping.is_set():
            orphans.end_descendants()
            return
        self.say("stopping every part (once more to kill them)")
        self.stopping.set()

    async def start_part(self, name: str) -> None:
        await _patiently(self.watchers[name].start)

    async def _stop(self) -> None:
        """The parts that use others end before them; then everything that is left below this process."""
        started = time.monotonic()
        for name in reversed([part.name for part in self.plan.parts[1:]]):
            self.watchers[name].numprocesses = 0  # ends its processes at the next check, all parts at once
        await _patiently(self.arbiter.manage_watchers)
        await _patiently(self.arbiter.stop)
        await asyncio.sleep(0.05)  # the arbiter closes its sockets in a callback
        left = orphans.end_descendants(grace_s=0.5)
        self.home.forget()
        self.say(f"all ended in {time.monotonic() - started:.1f} s" + (f", {left} of them killed" if left else ""))


async def _patiently(call: Callable[[], Any]) -> Any:
    """circus refuses a command while another runs; wait for that one."""
    while True:
        try:
            return await call()
        except ConflictError:
            await asyncio.sleep(0.05)


def _log_circus_to(path: Path) -> None:
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=LOG_BACKUPS)
    # circus skips a check while a command runs, and reports that as an error.
    handler.addFilter(lambda record: not (record.exc_info and isinstance(record.exc_info[1], ConflictError)))
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    for name in ("circus", "tornado"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO)
