"""Where a running product keeps its own record: one lock, one file, logs. One product runs in one var folder."""

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import psutil

from apps.runtime.private_files import make_private_folder, write_private

SOCKET_PATH_BYTES = 100  # the kernel's limit is 108 on Linux and 104 on macOS, with the final zero
RECORD = "manager.json"
TICK_S = 0.01  # how exactly the kernel tells when a process started


class AlreadyRunning(Exception):
    def __init__(self, var_dir: Path, record: "RunRecord | None") -> None:
        where = f"process {record.manager.pid}, {record.address}" if record else "starting now"
        super().__init__(
            f"DynBranch already runs in {var_dir} ({where}). Stop it there with Ctrl-C, or by `manage.py stop`; "
            "for a second one beside it, name another folder in DYNBRANCH_VAR"
        )


@dataclass(frozen=True, slots=True)
class ProcessMark:
    """A process for certain: a pid alone may have passed to another program. created_s: since the epoch."""

    pid: int
    created_s: float

    def process(self) -> psutil.Process | None:
        """The process if it still is that one."""
        try:
            found = psutil.Process(self.pid)
            same = abs(found.create_time() - self.created_s) < TICK_S / 2
        except psutil.NoSuchProcess:
            return None
        return found if same and found.status() != psutil.STATUS_ZOMBIE else None

    @classmethod
    def of(cls, pid: int) -> "ProcessMark":
        return cls(pid, psutil.Process(pid).create_time())


@dataclass(frozen=True, slots=True)
class RunRecord:
    """token     in the environment of every process of this run, also of those that its parts start
    control   address of the process manager's control socket
    ready     every part that serving needs has answered
    """

    manager: ProcessMark
    token: str
    address: str
    control: str
    ready: bool = False
    parts: dict[str, list[ProcessMark]] = field(default_factory=dict)

    @classmethod
    def from_json(cls, text: str) -> "RunRecord":
        data = json.loads(text)
        parts = {name: [ProcessMark(**mark) for mark in marks] for name, marks in data.pop("parts").items()}
        return cls(**{**data, "manager": ProcessMark(**data["manager"]), "parts": parts})


class RunFolder:
    """`var_dir`/run and `var_dir`/log."""

    def __init__(self, var_dir: Path) -> None:
        self.var_dir = var_dir.resolve()
        self.run, self.logs = self.var_dir / "run", self.var_dir / "log"

    def make(self) -> "RunFolder":
        for folder in (self.var_dir, self.run, self.logs):
            make_private_folder(folder)
        return self

    def log(self, part: str) -> Path:
        return self.logs / f"{part}.log"

    def tail(self, part: str, lines: int = 12) -> str:
        try:
            text = self.log(part).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""
        return "\n".join(text.splitlines()[-lines:])

    def read(self) -> RunRecord | None:
        try:
            return RunRecord.from_json((self.run / RECORD).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None  # absent, or of another version: nothing of it can be trusted

    def running(self) -> RunRecord | None:
        """The record of a manager that is alive."""
        record = self.read()
        return record if record and record.manager.process() else None

    def write(self, record: RunRecord) -> RunRecord:
        write_private(self.run / RECORD, json.dumps(asdict(record), indent=1))
        return record

    def mark_ready(self, record: RunRecord) -> RunRecord:
        return self.write(replace(record, ready=True))

    def forget(self) -> None:
        (self.run / RECORD).unlink(missing_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold this folder; the kernel lets go of it however the holder ends. Raises AlreadyRunning."""
        with (self.run / "manager.lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise AlreadyRunning(self.var_dir, self.running()) from None
            yield

    @contextmanager
    def socket_folder(self) -> Iterator[Path]:
        """A folder (0700) whose path is short enough for unix sockets; outside var only where var's is too long."""
        if len(os.fsencode(self.run)) + len("/control") <= SOCKET_PATH_BYTES:
            yield self.run
            return
        folder = Path(tempfile.mkdtemp(prefix="dynbranch-"))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
