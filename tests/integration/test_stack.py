"""The whole product as `make run` starts it: it answers, heals, scales, and leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import time

import httpx
import psutil
import pytest
import redis
from celery import Celery

from apps.runtime.embedded_redis import answers
from apps.runtime.stack import PROJECT, Stack

HEAL_TIMEOUT_S = 30.0


def until(condition, timeout_s: float = HEAL_TIMEOUT_S):
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.1)
    return condition()


def healthy(stack: Stack) -> bool:
    try:
        return httpx.get(f"{stack.base_url}/healthz", timeout=5, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False


def redis_url(stack: Stack) -> str:
    config = (stack.home.run / "redis" / "redis.conf").read_text()
    port, password = re.search(r"^port (.*)$", config, re.M)[1], re.search(r"^requirepass (.*)$", config, re.M)[1]
    return f"redis://:{password}@127.0.0.1:{port}/0"


def consumes(stack: Stack) -> bool:
    """Whether a worker takes a message from the queue; an unknown chain is nothing to do."""
    url = redis_url(stack)
    with Celery(broker=url) as app, redis.Redis.from_url(url) as client:
        app.send_task("fills.run_chain", ["no-such-chain"], queue="fills", ignore_result=True)
        return bool(until(lambda: client.llen("fills") == 0, 5))


def manage(stack: Stack, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    full = {**stack._env, **env}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=full, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    with Stack(tmp_path_factory.mktemp("stack") / "var") as running:
        yield running.wait_ready(180)


def test_every_part_runs_and_the_web_answers(stack):
    counts = {part: len(stack.pids(part)) for part in ("redis", "engine", "web", "worker", "probe")}

    assert healthy(stack)
    assert set(counts.values()) == {1}, counts
    assert consumes(stack)
    assert "unexpectedly" not in stack.output()


def test_the_redis_of_a_stack_refuses_whoever_does_not_know_its_password(stack):
    without = re.sub(r"//:.*@", "//", redis_url(stack))

    assert answers(redis_url(stack))
    assert not answers(without)


def test_no_secret_is_in_a_command_line_or_readable_by_others(stack):
    secrets = [(stack.home.var_dir / "secret_key").read_text().strip(), redis_url(stack).split("@")[0][9:]]
    lines = [" ".join(p.cmdline()) for p in psutil.Process(stack.manager.pid).children(recursive=True)]

    assert [line for line in lines for secret in secrets if secret in line] == []
    assert stack.home.var_dir.stat().st_mode & 0o077 == 0


def test_a_killed_worker_is_started_again_and_consumes(stack):
    killed = stack.kill("worker")

    assert until(lambda: (pids := stack.pids("worker")) and set(pids).isdisjoint(killed))
    assert until(lambda: consumes(stack))


def test_after_redis_died_everything_works_again_at_the_same_address(stack):
    url = redis_url(stack)
    stack.kill("redis")

    assert until(lambda: answers(url))
    assert until(lambda: healthy(stack))
    assert until(lambda: consumes(stack))
    assert redis_url(stack) == url


def test_the_number_of_workers_changes_while_it_runs(stack):
    assert manage(stack, "scale", "worker", "2").stdout.strip() == "worker: 2"
    assert len(stack.pids("worker")) == 2

    manage(stack, "scale", "worker", "1")
    assert len(stack.pids("worker")) == 1


def test_a_second_start_in_the_same_folder_is_refused_with_the_mend(stack):
    second = manage(stack, "serve")

    assert second.returncode == 1
    assert stack.base_url in second.stderr
    assert "DYNBRANCH_VAR" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_taken_port_is_refused_with_the_mend(stack, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = manage(stack, "serve", DYNBRANCH_PORT=port, DYNBRANCH_VAR=str(tmp_path))

    assert refused.returncode == 1
    assert f"port {port}" in refused.stderr
    assert "DYNBRANCH_PORT" in refused.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [("DYNBRANCH_PORT", "eighty"), ("DYNBRANCH_DEBUG", "perhaps"), ("ENGINE_KIND", "abacus"), ("DATABASE_URL", "x:y")],
)
def test_a_setting_that_cannot_be_used_is_named_without_a_traceback(stack, tmp_path, name, value):
    refused = manage(stack, "serve", **{"DYNBRANCH_VAR": str(tmp_path), name: value})

    assert refused.returncode == 1
    assert name in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_outside_redis_that_does_not_answer_stops_the_start(stack, tmp_path, port):
    url = f"redis://127.0.0.1:{port}/0"
    refused = manage(stack, "serve", REDIS_URL=url, DYNBRANCH_VAR=str(tmp_path), DYNBRANCH_PORT="0")

    assert refused.returncode == 1
    assert "runtime.E007" in refused.stderr


def test_ctrl_c_leaves_no_process_and_a_second_start_keeps_key_and_users(stack):
    """Last in this module: it stops the shared stack and starts it again."""
    below = psutil.Process(stack.manager.pid).children(recursive=True)
    key = (stack.home.var_dir / "secret_key").read_text()
    stack.manager.send_signal(signal.SIGINT)

    assert stack.manager.wait(30) == 0
    assert [p for p in below if p.is_running() and p.status() != psutil.STATUS_ZOMBIE] == []

    stack.start().wait_ready(120)
    assert healthy(stack)
    assert (stack.home.var_dir / "secret_key").read_text() == key
    assert stack.home.log("serve").read_text().count("shown only this once") == 1


def test_the_callers_own_settings_do_not_reach_a_stack(tmp_path):
    assert os.environ["REDIS_URL"]
    unstarted = Stack(tmp_path, env={"DYNBRANCH_XRAY": "false"})

    assert "REDIS_URL" not in unstarted._env
    assert unstarted._env["DYNBRANCH_XRAY"] == "false"
    assert unstarted._env["DYNBRANCH_VAR"] == str(tmp_path)
