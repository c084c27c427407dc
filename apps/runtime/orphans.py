"""End what a run left behind when its manager was killed; never a process that this product did not start."""

import contextlib
from collections.abc import Callable, Iterable

import psutil

from apps.runtime.run_folder import RunRecord

TOKEN_VARIABLE = "DYNBRANCH_RUN"


def orphans_of(record: RunRecord) -> list[psutil.Process]:
    """Processes of that run which are alive.

    Two proofs count: recorded pid and start time, with all that such a process started; or that run's token in
    the environment, which finds the children of parts that are gone.
    """
    found: dict[int, psutil.Process] = {}
    for mark in (mark for marks in record.parts.values() for mark in marks):
        if process := mark.process():
            found[process.pid] = process
            found.update({child.pid: child for child in _children(process)})
    for process in psutil.process_iter():
        if _token(process) == record.token:
            found[process.pid] = process
    found.pop(psutil.Process().pid, None)
    return list(found.values())


def end(processes: Iterable[psutil.Process], grace_s: float = 3.0) -> int:
    """Ask each to end, kill those that do not within `grace_s`. Returns how many there were."""
    alive = list(processes)
    for process in alive:
        _signal(process, psutil.Process.terminate)
    _, stubborn = psutil.wait_procs(alive, timeout=grace_s)
    for process in stubborn:
        _signal(process, psutil.Process.kill)
    psutil.wait_procs(stubborn, timeout=5)
    return len(alive)


def end_descendants(grace_s: float = 0.0) -> int:
    """End everything below this process."""
    return end(_children(psutil.Process()), grace_s)


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return [child for child in process.children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE]
    except psutil.NoSuchProcess:
        return []


def _token(process: psutil.Process) -> str:
    try:
        return process.environ().get(TOKEN_VARIABLE, "")
    except (psutil.Error, OSError):
        return ""  # another user's, or gone: not ours


def _signal(process: psutil.Process, send: Callable[[psutil.Process], None]) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):  # ended meanwhile, which is what was wanted
        send(process)
