"""How a Lua script is put together from its header, and how a server comes to have it."""

import pytest
import redis

from apps.serving.library import eviction
from apps.stores import keys, scripts


def test_a_script_gets_the_keys_that_it_and_what_it_uses_declare():
    source = scripts.load_lua("check_fresh")
    assert set(source.keys) == {"versions", "writing", "unknown", "cascading"}
    source = scripts.load_lua("entry_facts")
    assert set(source.keys) == {"versions", "writing", "unknown", "cascading", "entry:", "worth"}


def test_each_key_has_its_name_in_the_script():
    source = scripts.load_lua("promote_shadow")
    for word in source.keys:
        assert source.text.count(f'{word.rstrip(":")} = base .. "{word}"') == 1
    assert len(set(source.keys)) == len(source.keys)


def test_what_is_used_comes_first_and_once():
    text = scripts.load_lua("commit_write").text
    assert text.count("local function unlink") == 1
    assert text.index("local function unlink") < text.index("local function drop_entry")
    assert text.index("local function drop_entry") < text.index("local function publish_version")


def test_what_is_used_is_defined_once_and_what_a_call_changes_begins_anew_in_each():
    text = scripts.load_lua("commit_write").text
    called = text.index("redis.register_function")
    assert text.index("local function unlink") < called
    assert called < text.index("\nbook = { bytes = 0, ghosts = 0 }\n") < text.index("-- commit_write:")
    assert "book" in text.splitlines()[1]


def test_a_script_counts_with_the_numbers_of_the_core():
    text = scripts.load_lua("record_entry").text
    for word in ("ENTRY_BYTES", "NAME_COPIES", "MEMBER_BYTES", "MAX_PROVENANCES", "MAX_EVICTED"):
        assert f"local {word} = {getattr(eviction, word)}\n" in text
    assert "ENTRY_BYTES" not in scripts.load_lua("probe_entry").text


def test_a_function_has_another_name_for_another_text(monkeypatch):
    before = scripts.load_lua("record_entry")
    monkeypatch.setattr(eviction, "ENTRY_BYTES", 1)
    after = scripts.load_lua.__wrapped__("record_entry")
    assert (before.library, before.function != after.function) == (after.library, True)


class Line:
    """A server that forgets every function so many times."""

    def __init__(self, forgets: int, fault: str = "Function not found") -> None:
        self.forgets, self.fault, self.asked = forgets, fault, []

    def ask(self, *command):
        self.asked.append(command[0])
        if command[0] == "FCALL" and self.forgets:
            self.forgets -= 1
            raise redis.ResponseError(self.fault)
        return b"ok"


def ran(monkeypatch, line: Line) -> bytes:
    monkeypatch.setattr(scripts, "line", lambda client: line)
    return scripts.Scripts(None).run(keys.library("main"), "release", "id")


def test_a_server_that_has_not_seen_a_script_is_given_it(monkeypatch):
    line = Line(1)
    assert ran(monkeypatch, line) == b"ok"
    assert line.asked == ["FCALL", "FUNCTION", "FCALL"]


def test_a_script_that_another_version_replaced_meanwhile_is_given_again(monkeypatch):
    line = Line(3)
    assert ran(monkeypatch, line) == b"ok"
    assert line.asked.count("FUNCTION") == 3


def test_an_error_of_the_script_itself_is_not_taken_for_a_missing_one(monkeypatch):
    line = Line(1, "WRONGTYPE")
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        ran(monkeypatch, line)
    assert line.asked == ["FCALL"]


def test_ids_cannot_move_a_key_out_of_its_slot():
    made = keys.library("main").key("fill:", "}{other}")
    assert made.startswith("dynbranch:{library.main}:fill:")
