"""The engine contract, held by every adapter on the scripted engine and by the real embedded one."""

from collections.abc import Iterator

import pytest
from django.conf import settings

from apps.engines.factory import KINDS
from apps.engines.scripted import ScriptedEngine
from apps.runtime.engine_process import EmbeddedEngineProcess
from tests.contract.engine_contract import EngineContract, Subject


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
    # Our own model says little, and is done before anything could be cancelled.
    with EmbeddedEngineProcess(model=settings.BASE_MODEL) as target:
        yield target.url


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
        assert load.slots == 1

    async def test_the_identity_holds_the_hash_of_the_weights(self, engine):
        tags = (await engine.identity())["revision"]["tags"]

        assert any(tag.startswith("sha256:") and len(tag) == 71 for tag in tags)
