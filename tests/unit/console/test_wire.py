import json

import pytest

from apps.console.wire import MOST_FRAME_CHARS, BadFrame, Ping, Position, encode_error, parse


def test_a_hello_with_nulls_has_no_position():
    assert parse('{"type": "hello", "epoch": null, "seq": null, "load_ms": null}') == Position()


def test_a_hello_gives_the_pages_position():
    assert parse('{"type": "hello", "epoch": "e", "seq": 4, "load_ms": 9}') == Position("e", 4, 9)


def test_a_ping_is_a_ping():
    assert parse('{"type": "ping"}') == Ping()


@pytest.mark.parametrize(
    "frame",
    [
        None,
        "",
        "{",
        "[]",
        "3",
        "{}",
        '{"type": "say"}',
        '{"type": "hello", "epoch": 3, "seq": 1}',
        '{"type": "hello", "epoch": "e", "seq": "1"}',
        '{"type": "hello", "epoch": "e", "seq": true}',
        '{"type": "hello", "load_ms": 1.5}',
        "[" * 4_000,
        '{"type": "hello", "x": "' + "x" * MOST_FRAME_CHARS + '"}',
    ],
)
def test_anything_else_is_refused_and_says_what_to_send(frame):
    with pytest.raises(BadFrame) as refused:
        parse(frame)

    error = json.loads(encode_error(refused.value))
    assert error["type"] == "error"
    assert error["message"]
    assert "hello" in error["mend"]
