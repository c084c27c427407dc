"""How a Lua script is put together from its header."""

from apps.serving.library import eviction
from apps.stores import keys, scripts


def test_a_script_gets_the_keys_that_it_and_what_it_uses_declare():
    source = scripts.load_lua("check_fresh")
    assert set(source.keys) == {"versions", "writing", "unknown", "cascading"}
    source = scripts.load_lua("entry_facts")
    assert set(source.keys) == {"versions", "writing", "unknown", "cascading", "entry:", "worth"}


def test_each_key_has_one_place_in_keys_and_its_name_in_the_script():
    source = scripts.load_lua("promote_shadow")
    first_line = source.text.splitlines()[0]
    for place, word in enumerate(source.keys, start=1):
        assert f"{word.rstrip(':')} = KEYS[{place}]" in first_line
    assert len(set(source.keys)) == len(source.keys)


def test_what_is_used_comes_first_and_once():
    text = scripts.load_lua("commit_write").text
    assert text.count("local function unlink") == 1
    assert text.index("local function unlink") < text.index("local function drop_entry")
    assert text.index("local function drop_entry") < text.index("local function publish_version")


def test_a_script_counts_with_the_numbers_of_the_core():
    text = scripts.load_lua("record_entry").text
    for word in ("ENTRY_BYTES", "NAME_COPIES", "MEMBER_BYTES", "MAX_PROVENANCES", "MAX_EVICTED"):
        assert f"local {word} = {getattr(eviction, word)}\n" in text
    assert "ENTRY_BYTES" not in scripts.load_lua("probe_entry").text


def test_ids_cannot_move_a_key_out_of_its_slot():
    made = keys.library("main").key("fill:", "}{other}")
    assert made.startswith("dynbranch:{library.main}:fill:")
