"""The engine contract, held by every adapter on the scripted engine and by the real embedded one."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from apps.engines.factory import KINDS
from apps.engines.scripted import ScriptedEngine
from apps.runtime.ports_free import free_port
from tests.contract.engine_contract import EngineContract, Subject

ROOT = Path(__file__).resolve().parents[2]


class TestScriptedEngine(EngineContract):
    """Answers take long enough to be caught while they run."""

    @pytest.fixture(params=sorted(KINDS))
    def subject(self, request: pytest.FixtureRequest) -> Iterator[Subject]:
        with ScriptedEngine() as engine:
            engine.behave(first_byte_s=0.02, token_s=0.002)
            engine.behave(contains="lighthouse", text="word " * 600, first_byte_s=0.02, token_s=0.01)
            engine.behave(contains="word word", text="word " * 600, first_byte_s=2, token_s=0.01)
            yield Subject(request.param, engine.url, frees_within_s=1)


@pytest.fixture(scope="module")
def embedded_url() -> Iterator[str]:
    """The embedded engine as the product runs it: its command, in a process of its own."""
    port = free_port()
    command = [sys.executable, "manage.py", "embedded_engine", "--port", str(port)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "dynbranch_site.settings"}
    with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
        try:
            wait_until_healthy(process, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(5)


def wait_until_healthy(process: subprocess.Popen[bytes], url: str, within_s: float = 30) -> None:
    deadline = time.monotonic() + within_s
    while True:
        assert process.poll() is None, "the embedded engine ended"
        assert time.monotonic() < deadline, f"not healthy within {within_s} s"
        try:
            if httpx.get(f"{url}/health", trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.05)


class TestEmbeddedEngine(EngineContract):
    """llama.cpp and the real model. In the prefill an abort waits for one step of 64 tokens."""

    @pytest.fixture
    def subject(self, embedded_url: str) -> Subject:
        return Subject("llamacpp", embedded_url, frees_within_s=3)

    async def test_the_load_tells_slots_and_kv_in_use(self, engine):
        load = await engine.load()

        assert load.running == 0
        assert load.waiting == 0
        assert load.kv_frac == 0
        assert load.slots == 5

    async def test_the_identity_holds_the_hash_of_the_weights(self, engine):
        tags = (await engine.identity())["revision"]["tags"]

        assert any(tag.startswith("sha256:") and len(tag) == 71 for tag in tags)
