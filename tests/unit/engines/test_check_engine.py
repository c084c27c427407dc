"""What check_engine says about engines whose behaviour is known."""

import itertools
import json
from collections.abc import AsyncIterator, Iterator

import pytest
from django.core.management import CommandError, call_command

from apps.engines.base import EngineError
from apps.engines.factory import make_engine
from apps.engines.http import HttpEngine
from apps.engines.scripted import ScriptedEngine
from apps.runtime.engine_check import check
from apps.runtime.measurement import Check


@pytest.fixture
def scripted() -> Iterator[ScriptedEngine]:
    with ScriptedEngine() as server:
        server.behave(contains="lighthouse", text="word " * 600, token_s=0.005)
        server.behave(contains="Reader", text="word " * 600, token_s=0.005)
        yield server


@pytest.fixture
async def engine(scripted: ScriptedEngine) -> AsyncIterator[HttpEngine]:
    adapter = make_engine("llamacpp", scripted.url, "m")
    adapter.load_kept_s = 0
    yield adapter
    await adapter.aclose()


def quiet(line: str) -> None: ...


async def found(engine: HttpEngine) -> dict[str, Check]:
    _, checks = await check(engine, 7, quiet)
    return {one.name: one for one in checks}


async def test_an_engine_that_repeats_itself_and_stops_when_told_passes(engine):
    checks = await found(engine)

    assert [checks[name].value for name in ("warm_equals_cold", "batched_equals_alone")] == [1, 1]
    assert checks["abort_in_decode"].holds
    assert checks["abort_in_prefill"].holds


async def test_answers_that_differ_when_warm_are_found(scripted, engine):
    asked = itertools.count()
    scripted.respond_with(lambda seen: None if "Session" not in seen.prompt else f"cold {next(asked) < 6}")

    checks = await found(engine)

    assert checks["warm_equals_cold"].value == 0
    assert checks["warm_equals_cold"].holds is False
    assert checks["batched_equals_alone"].value == 1


async def test_an_engine_that_reports_no_load_leaves_its_aborts_unmeasured(scripted):
    engine = make_engine("openai", scripted.url, "m")

    checks = await found(engine)

    assert checks["abort_in_decode"].value is None
    assert checks["abort_in_decode"].holds is None
    await engine.aclose()


async def test_an_engine_that_is_not_there_is_an_error(port):
    engine = make_engine("llamacpp", f"http://127.0.0.1:{port}", "m")

    with pytest.raises(EngineError, match="does not answer"):
        await check(engine, 7, quiet)
    await engine.aclose()


def test_the_command_prints_a_table_and_writes_the_common_form(scripted, settings, tmp_path, capsys):
    settings.ENGINE_URL, settings.ENGINE_KIND = scripted.url, "sglang"

    call_command("check_engine", "--seed", "7", "--json", str(tmp_path / "out.json"))

    written = json.loads((tmp_path / "out.json").read_text())
    assert set(written) == {"command", "date", "machine", "seed", "rows", "checks"}
    assert {"fact": "deterministic by design", "found": "True"} in written["rows"]
    assert {"name", "value", "unit", "target", "holds"} == set(written["checks"][0])
    assert "warm_equals_cold" in capsys.readouterr().out


def test_the_command_says_where_it_looked_when_nothing_answers(settings, port):
    settings.ENGINE_URL = f"http://127.0.0.1:{port}"

    with pytest.raises(CommandError, match="ENGINE_URL"):
        call_command("check_engine", "--seed", "7")
