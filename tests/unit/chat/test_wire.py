import json

import pytest

from apps.chat import wire


def parsed(**frame):
    return wire.parse(json.dumps(frame))


def refusal(text):
    answer = wire.parse(text)
    assert isinstance(answer, wire.Rejected)
    return answer.refusal


def test_every_client_frame_becomes_its_command():
    assert parsed(type="hello", epoch=None, seq=None) == wire.Hello()
    assert parsed(type="hello", epoch="e", seq=4) == wire.Hello("e", 4)
    assert parsed(type="say", key="k", head="h", text="hi") == wire.Say("k", "h", "hi")
    assert parsed(type="pick", key="k", head="h", offer="o", action=1, fork=True) == wire.Pick("k", "h", "o", 1, True)
    assert parsed(type="stop", turn="t") == wire.Stop("t")
    assert parsed(type="retry", key="k", turn="t") == wire.Retry("k", "t")
    assert parsed(type="edit", key="k", turn="t", text="x") == wire.Edit("k", "t", "x")
    assert parsed(type="goto", turn="t") == wire.Goto("t")
    assert parsed(type="ping") == wire.Ping()


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "frame"),
        ("{", "frame"),
        ("[1]", "frame"),
        ("[" * 90_000, "frame"),
        ("{}", "type"),
        ('{"type": ["say"]}', "type"),
        ('{"type": "shout"}', "type"),
        ('{"type": "say", "head": "h", "text": "x"}', "key"),
        ('{"type": "say", "key": "k", "head": "h", "text": 5}', "text"),
        ('{"type": "say", "key": "k", "head": "h", "text": "x", "fork": 1}', "fork"),
        ('{"type": "say", "key": "k", "head": "h", "text": "x", "color": 1}', "color"),
        ('{"type": "say", "key": "no space", "head": "h", "text": "x"}', "key"),
        ('{"type": "pick", "key": "k", "head": "h", "offer": "o", "action": true}', "action"),
        ('{"type": "pick", "key": "k", "head": "h", "offer": "o", "action": 1.5}', "action"),
        ('{"type": "hello", "epoch": 4}', "epoch"),
        ('{"type": "goto", "turn": ""}', "turn"),
    ],
)
def test_a_malformed_frame_is_refused_by_the_name_of_its_field(text, field):
    answer = refusal(text)

    assert answer.code == "bad_frame"
    assert answer.message.startswith(f"{field}:")
    assert answer.mend


def test_the_answer_to_half_a_surrogate_pair_can_be_sent():
    answer = wire.parse(r'{"type": "ping", "\ud83d": 1}')

    assert "is not a field" in wire.encode(wire.error(answer.refusal)).encode().decode()


def test_a_binary_frame_is_refused():
    assert refusal(None).code == "bad_frame"


def test_a_refused_frame_keeps_its_key_so_that_the_page_can_match_it():
    answer = parsed(type="say", key="k1", head="h", text="")

    assert (answer.key, answer.refusal.code) == ("k1", "empty")


@pytest.mark.parametrize("text", ["", "  \n\t ", "\x00\x1b\x7f", "\ud800"])
def test_a_message_without_text_is_empty(text):
    assert parsed(type="say", key="k", head="h", text=text).refusal.code == "empty"


def test_control_characters_go_and_line_breaks_and_tabs_stay():
    assert wire.clean(" a\x00b\x1b[0m\r\nc\td\ud800\re ") == "ab[0m\nc\td\ne"


def test_right_to_left_text_is_kept_as_it_is():
    text = "שלום \u202bمرحبا\u202c"

    assert wire.clean(text) == text


def test_a_message_has_at_most_4000_characters():
    assert wire.clean("é" * 4000) == "é" * 4000
    assert wire.clean("é" * 4001).code == "too_long"


def test_a_frame_beyond_100_kb_is_too_long():
    assert refusal(json.dumps({"type": "say", "text": "x" * 100_000})).code == "too_long"


def test_lone_surrogates_never_leave_the_server():
    frame = wire.parse('{"type": "say", "key": "k", "head": "h", "text": "a\\ud83d"}')

    assert frame.text == "a"
