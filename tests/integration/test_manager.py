"""The process manager with stand-in parts: what it starts, it keeps, counts and ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from apps.runtime import orphans
from apps.runtime.control import Control
from apps.runtime.run_folder import RunFolder

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("fake_product.py")


class Run:
    """One start of the stand-in product."""

    def __init__(self, home: RunFolder, *parts: str) -> None:
        self.home, self.control = home, Control(home)
        self.out = home.var_dir / "said"
        env = {**os.environ, "PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "dynbranch_site.settings"}
        with self.out.open("wb") as out:
            command = [sys.executable, str(SCRIPT), str(home.var_dir), *parts]
            self.process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT)

    def ready(self):
        assert until(lambda: (record := self.home.running()) and record.ready), self.said()
        return self

    def said(self) -> str:
        return self.out.read_text()

    def below(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(20)


def until(condition, timeout_s: float = 15.0):
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.05)
    return condition()


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [p for p in processes if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


@pytest.fixture
def home(tmp_path):
    return RunFolder(tmp_path / "var").make()


@pytest.fixture
def start(home):
    runs = []

    def _start(*parts: str) -> Run:
        runs.append(Run(home, *parts))
        return runs[-1]

    yield _start
    record = home.read()
    for run in runs:
        if run.process.poll() is None:
            run.process.kill()
            run.process.wait()
    if record:
        orphans.end(orphans.orphans_of(record))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_every_process_even_one_that_ignores_it_and_its_escaped_child(start, number):
    run = start("redis=stay", "web=stubborn", "worker=stay*2").ready()
    below = until(lambda: len(found := run.below()) == 5 and found)
    assert below, run.said()

    assert run.end(number) == 0

    assert alive(below) == []
    assert run.home.read() is None


def test_a_part_that_was_killed_is_started_again(start):
    run = start("worker=stay").ready()
    (first,) = run.control.pids("worker")

    os.kill(first, signal.SIGKILL)

    assert until(lambda: (pids := run.control.pids("worker")) and pids != [first])
    assert "worker ended unexpectedly" in run.said()


def test_a_part_that_keeps_failing_is_started_ever_more_rarely_while_the_others_run_on(start):
    run = start("redis=stay", "probe=fail").ready()

    assert until(lambda: run.said().count("probe ended unexpectedly") >= 3)

    assert "starting it again in 2 s" in run.said()
    assert len(run.control.pids("redis")) == 1


def test_counts_change_while_running(start):
    run = start("worker=stay*2").ready()
    kept = run.control.pids("worker")

    run.control.scale("worker", 4)
    assert len(run.control.pids("worker")) == 4
    assert set(kept) < set(run.control.pids("worker"))

    run.control.scale("worker", 1)
    assert len(run.control.pids("worker")) == 1
    assert "ended unexpectedly" not in run.said()


def test_a_restart_replaces_the_process(start):
    run = start("web=stay").ready()
    before = run.control.pids("web")

    run.control.restart("web")

    after = run.control.pids("web")
    assert len(after) == 1
    assert after != before


def test_a_second_start_in_the_same_folder_says_that_one_runs(start):
    first = start("web=stay").ready()

    second = start("web=stay")

    assert second.process.wait(20) == 1
    assert f"process {first.process.pid}" in second.said()
    assert alive(first.below()) != []


def test_the_next_start_ends_what_a_killed_manager_left(start):
    run = start("web=stubborn", "worker=stay").ready()
    below = until(lambda: len(found := run.below()) == 3 and found)
    assert below, run.said()

    run.process.kill()
    run.process.wait()
    # On Linux the kernel ended the parts themselves; the child of one of them is left.
    again = start("web=stay").ready()

    assert until(lambda: not alive(below)), run.said()
    assert "that a killed run had left" in again.said()
    assert again.end() == 0


def test_a_recorded_pid_that_now_belongs_to_another_program_is_left_alone(start, home):
    run = start("web=stay").ready()
    record = run.home.read()
    run.process.kill()
    run.process.wait()
    with subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]) as stranger:
        mark = record.parts["web"][0]
        record.parts["web"][:] = [type(mark)(stranger.pid, mark.created_s)]
        found = [process.pid for process in orphans.orphans_of(record)]
        stranger.kill()

    assert stranger.pid not in found


def test_parts_see_no_terminal_and_write_to_their_own_log(start):
    run = start("web=stay").ready()

    assert until(lambda: "here" in run.home.tail("web"))
    (pid,) = run.control.pids("web")
    assert os.getsid(pid) == pid
    assert run.home.var_dir.stat().st_mode & 0o777 == 0o700
