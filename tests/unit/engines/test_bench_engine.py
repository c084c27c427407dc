import itertools
import random

from apps.engines.factory import make_engine
from apps.engines.scripted import ScriptedEngine
from apps.runtime import engine_bench
from apps.runtime.engine_bench import VARIATIONS, measured, prompts
from apps.runtime.engine_process import Target, arguments


def test_prompts_are_the_same_for_a_seed_and_never_twice_the_same():
    first, again = (list(itertools.islice(prompts(random.Random(7)), 50)) for _ in range(2))

    assert first == again
    assert len(set(first)) == 50


def test_every_set_of_options_reaches_the_command_line_as_one_of_its_own():
    lines = [tuple(arguments(options)) for options in VARIATIONS.values()]

    assert len(set(lines)) == len(lines)
    assert "--shared-kv" in arguments(VARIATIONS["shared KV and prefix cache"])


async def test_a_measurement_runs_the_mix_and_reports_what_it_saw():
    with ScriptedEngine() as scripted:
        scripted.behave(token_s=0.002)
        scripted.behave(contains="lighthouse", text="word " * 600, token_s=0.005)
        scripted.behave(contains="Reader", text="word " * 600, token_s=0.005)
        engine = make_engine("llamacpp", scripted.url, "m")
        engine.load_kept_s = 0
        row = await measured(engine, rounds=1, seed=7)
        await engine.aclose()

    assert scripted.most_running == 4
    assert row["equal_share"] == 1
    assert 0 < row["first_text_beside_3_ms"] < row["demand_beside_3_ms"]
    assert 0 <= row["abort_decode_ms"] < 1000


def test_options_under_which_the_engine_does_not_answer_are_a_row_that_says_so(monkeypatch):
    class Started:
        def __init__(self, options):
            self.options = options

        def __enter__(self):
            return Target("llamacpp", "http://127.0.0.1:1", "m", "")

        def __exit__(self, *error):
            return None

    monkeypatch.setattr(engine_bench, "EmbeddedEngineProcess", Started)

    (row,) = engine_bench.bench(["default"], rounds=1, seed=7, log=lambda line: None)

    assert row["options"] == "default"
    assert row["problem"] == "unreachable"
