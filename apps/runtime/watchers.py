"""circus's watcher, with a growing pause between restarts of a part that keeps ending."""

import time
from collections.abc import Callable
from typing import Any

from circus.watcher import Watcher

HEALTHY_AFTER_S = 20.0  # a process that lived this long had started well
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0

Say = Callable[[str], None]


def pause_s(failures: int) -> float:
    """Pause before the next start, s; `failures` in a row, >= 1."""
    return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (failures - 1))


class PatientWatcher(Watcher):
    """Starts a process that ended again: at once when it had run well, else after a pause that doubles."""

    def __init__(self, *args: Any, say: Say, changed: Callable[[], None], **options: Any) -> None:
        super().__init__(*args, **options)
        self._say, self._changed = say, changed
        self._failures, self._not_before_s = 0, 0.0

    def reap_process(self, pid: int, status: int | None = None) -> None:
        process = self.processes.get(pid)
        asked_to_end = process is not None and (process.stopping or self.numprocesses == 0)
        super().reap_process(pid, status)
        if process is None or asked_to_end or not self.is_active():
            return
        self._failures = 0 if process.age() > HEALTHY_AFTER_S else self._failures + 1
        wait_s = pause_s(self._failures) if self._failures else 0.0
        self._not_before_s = time.monotonic() + wait_s
        self._say(f"{self.name} ended unexpectedly (process {pid}); starting it again in {max(1.0, wait_s):.0f} s")
        self._changed()

    def spawn_process(self, recovery_wid: int | None = None) -> Any:
        if self.is_active() and time.monotonic() < self._not_before_s:
            return True  # circus asks again at its next check
        started = super().spawn_process(recovery_wid)
        self._changed()
        return started
