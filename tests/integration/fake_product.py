"""A product of small stand-in processes under the real manager: `fake_product.py VAR_DIR PART…`.

Each PART is `name=behaviour[*count]`: `stay`, `stubborn` (ignores TERM, and so does its child, which left the
process group), `fail` (ends at once).
"""

import asyncio
import os
import sys
from pathlib import Path

from apps.runtime import serving_start
from apps.runtime.manager import Manager, Plan
from apps.runtime.parts import PYTHON, Part
from apps.runtime.run_folder import RunFolder

STAY = "import signal, time; print('here', flush=True); signal.pause()"
STUBBORN = (
    "import signal, subprocess, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "subprocess.Popen([sys.executable, '-c', 'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "time.sleep(600)'], start_new_session=True); print('here', flush=True)\nwhile True: signal.pause()"
)
FAIL = "print('cannot start', flush=True); raise SystemExit(3)"
SCRIPTS = {"stay": STAY, "stubborn": STUBBORN, "fail": FAIL}


def part(text: str) -> Part:
    name, _, behaviour = text.partition("=")
    behaviour, _, count = behaviour.partition("*")
    return Part(name, (PYTHON, "-c", SCRIPTS[behaviour]), int(count or 1), grace_s=1.0)


async def start_all(manager: Manager) -> bool:
    for name in manager.watchers:
        await manager.start_part(name)
    manager.record = manager.home.mark_ready(manager.record)
    return True


async def run(home: RunFolder, sockets: Path, parts: list[Part]) -> bool:
    plan = Plan(parts, dict(os.environ), Path.cwd(), "nowhere", os.urandom(8).hex())
    return await Manager(plan, home, sockets, say).run(start_all)


def say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    home = RunFolder(Path(sys.argv[1])).make()
    with home.locked(), home.socket_folder() as sockets:
        serving_start.end_previous(home, say)
        sys.exit(0 if asyncio.run(run(home, sockets, [part(text) for text in sys.argv[2:]])) else 1)


if __name__ == "__main__":
    main()
