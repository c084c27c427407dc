import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from apps.engines.scripted import Outcome, ScriptedEngine
from apps.engines.scripted.answers import smallest

ROOT = Path(__file__).resolve().parents[3]


def ask(url, text, **more):
    body = {"messages": [{"role": "user", "content": text}], "stream": True, **more}
    return httpx.post(f"{url}/v1/chat/completions", json=body, trust_env=False)


def test_equal_prompts_get_equal_answers_and_others_do_not():
    with ScriptedEngine() as engine:
        first, again, other = (ask(engine.url, text).text for text in ("one", "one", "two"))

    assert first == again != other


def test_a_rule_answers_the_prompts_that_hold_its_text_and_reset_forgets_it():
    with ScriptedEngine() as engine:
        engine.behave(contains="hotel", status=500)

        assert ask(engine.url, "a hotel").status_code == 500
        assert ask(engine.url, "a bar").status_code == 200
        engine.reset()
        assert ask(engine.url, "a hotel").status_code == 200


def test_a_function_may_answer_in_the_place_of_the_script():
    with ScriptedEngine() as engine:
        engine.respond_with(lambda seen: "mine" if "hotel" in seen.prompt else None)

        assert '"mine"' in ask(engine.url, "a hotel").text
        assert '"Scripted "' in ask(engine.url, "a bar").text


def test_a_request_that_does_not_stream_is_refused():
    with ScriptedEngine() as engine:
        assert ask(engine.url, "one", stream=False).status_code == 400
        assert engine.seen[0].outcome is Outcome.FAILED


def test_a_misspelt_script_is_refused_by_name():
    with ScriptedEngine() as engine:
        answer = httpx.put(f"{engine.url}/script", json={"tokens_s": 1}, trust_env=False)

    assert answer.status_code == 400
    assert "tokens_s" in answer.text


def test_as_a_process_it_is_told_over_http_and_ends_on_terminate():
    command = [sys.executable, "-m", "apps.engines.scripted", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().split()[3].rstrip(",")
        httpx.put(f"{url}/script", json={"contains": "hotel", "text": "told so"}, trust_env=False)
        answer = ask(url, "a hotel").text
        seen = httpx.get(f"{url}/script/seen", trust_env=False).json()
        process.terminate()
        assert process.wait(5) == 0

    assert "told" in answer
    assert [request["outcome"] for request in seen] == ["complete"]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": ["b", "a"]}, "b"),
        ({"const": 4}, 4),
        ({"type": "integer", "minimum": 2}, 2),
        ({"type": ["null", "string"]}, None),
        ({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, False),
        ({"type": "array", "items": {"type": "string"}, "minItems": 2}, ["", ""]),
        ({"type": "string", "minLength": 3}, "xxx"),
        ({"properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["a"], "$defs": {"n": {"const": 1}}}, {"a": 1}),
    ],
)
def test_the_smallest_value_of_a_schema_is_one_that_it_allows(schema, value):
    assert smallest(schema, schema) == value
