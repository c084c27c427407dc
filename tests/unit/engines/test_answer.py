import json

import pytest

from apps.engines.answer import MESSAGE_LIMIT, AnswerParts, refusal
from apps.engines.base import EngineAborted, EngineRefused, Finish, IncompleteAnswer

USAGE = {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}}


def chunk(finish=None, usage=None, **delta):
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": usage})


def call_piece(index=0, call_id=None, name=None, arguments=None):
    return {"index": index, "id": call_id, "function": {"name": name, "arguments": arguments}}


def parts_of(*chunks):
    parts = AnswerParts()
    for data in chunks:
        parts.take(data)
    return parts


def test_text_comes_at_once_and_the_rest_at_the_end():
    parts = AnswerParts()

    assert parts.take(chunk(content="Hel")) == "Hel"
    assert parts.take(chunk(finish="stop", usage=USAGE)) == ""

    end = parts.completion(12.5)
    assert (end.finish, end.prompt_tokens, end.completion_tokens, end.cached_tokens) == (Finish.STOP, 9, 3, 4)
    assert end.engine_ms == 12.5


def test_chunks_without_choices_or_content_are_no_text():
    parts = AnswerParts()

    assert parts.take('{"choices": [], "prompt_progress": {"total": 9}}') == ""
    assert parts.take('{"choices": null}') == ""
    assert parts.take(chunk(role="assistant", content=None)) == ""


def test_usage_may_come_in_a_chunk_of_its_own_after_the_finish_reason():
    parts = parts_of(chunk(content="a", finish="length"), json.dumps({"choices": [], "usage": USAGE}))

    assert parts.completion(1).finish is Finish.LENGTH


def test_cached_tokens_that_are_not_told_count_as_none_cached():
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": None}

    assert parts_of(chunk(finish="stop", usage=usage)).completion(1).cached_tokens == 0


@pytest.mark.parametrize(
    ("chunks", "missing"),
    [
        ([chunk(content="a", usage=USAGE)], "without a finish reason"),
        ([chunk(content="a", finish="stop")], "without usage"),
        ([chunk(finish="tool_calls", usage=USAGE)], "never came"),
        ([chunk(finish="content_filter", usage=USAGE)], "content_filter"),
    ],
)
def test_an_answer_that_lacks_an_ending_is_incomplete(chunks, missing):
    with pytest.raises(IncompleteAnswer, match=missing):
        parts_of(*chunks).completion(1)


def test_an_aborted_answer_is_no_completion():
    with pytest.raises(EngineAborted):
        parts_of(chunk(content="a", finish="abort", usage=USAGE)).completion(1)


def test_tool_calls_are_put_together_from_their_pieces_in_order():
    parts = parts_of(
        chunk(tool_calls=[call_piece(1, "b", "book", "")]),
        chunk(tool_calls=[call_piece(0, "a", "find", '{"na')]),
        chunk(tool_calls=[call_piece(0, None, None, 'me": "x"}'), call_piece(1, None, None, "{}")]),
        chunk(finish="tool_calls", usage=USAGE),
    )

    assert parts.completion(1).tool_calls == (
        {"id": "a", "type": "function", "function": {"name": "find", "arguments": '{"name": "x"}'}},
        {"id": "b", "type": "function", "function": {"name": "book", "arguments": "{}"}},
    )


def test_a_tool_call_that_ends_with_stop_ended_for_the_tool():
    parts = parts_of(chunk(tool_calls=[call_piece(0, "a", "find", "{}")]), chunk(finish="stop", usage=USAGE))

    assert parts.completion(1).finish is Finish.TOOL_CALLS


@pytest.mark.parametrize("arguments", ['{"name": "x', "[1]", "nonsense"])
@pytest.mark.parametrize("finish", ["tool_calls", "length", "stop"])
def test_a_tool_call_whose_arguments_are_no_closed_object_is_incomplete(arguments, finish):
    parts = parts_of(chunk(tool_calls=[call_piece(0, "a", "find", arguments)]), chunk(finish=finish, usage=USAGE))

    with pytest.raises(IncompleteAnswer, match="find"):
        parts.completion(1)


@pytest.mark.parametrize("data", ["not json", "[]", '"text"'])
def test_an_event_that_is_no_chunk_is_incomplete(data):
    with pytest.raises(IncompleteAnswer):
        AnswerParts().take(data)


def test_a_second_choice_is_refused_rather_than_mixed_in():
    with pytest.raises(IncompleteAnswer, match="more than one answer"):
        AnswerParts().take('{"choices": [{"index": 1, "delta": {"content": "b"}}]}')


@pytest.mark.parametrize(
    "data",
    [
        '{"error": {"message": "out of memory", "code": 500}}',
        '{"error": "out of memory"}',
        '{"object": "error", "message": "out of memory"}',
        '{"error": {"error": {"message": "out of memory"}}}',
    ],
)
def test_an_error_event_says_what_the_engine_said(data):
    with pytest.raises(EngineRefused, match=r"^out of memory$"):
        AnswerParts().take(data)


def test_a_long_refusal_is_shortened_and_one_line():
    said = str(refusal({"message": "a\nb " * 1000}))

    assert len(said) == MESSAGE_LIMIT
    assert "\n" not in said


def test_a_refusal_without_words_repeats_what_came():
    assert str(refusal({"code": 7})) == '{"code": 7}'
