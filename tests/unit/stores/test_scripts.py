"""How a Lua script is put together from its header."""

from apps.stores import keys, scripts


def test_a_script_gets_the_keys_that_it_and_what_it_uses_declare():
    source = scripts.load_lua("start_fill")
    assert source.keys[-1] == "owners"
    assert set(source.keys) == {"owners", "fill:", "named:", "reserved", "running", "owned:", "expiry", "readers:"}


def test_each_key_has_one_place_in_keys_and_its_name_in_the_script():
    source = scripts.load_lua("promote_shadow")
    first_line = source.text.splitlines()[0]
    for place, word in enumerate(source.keys, start=1):
        assert f"{word.rstrip(':')} = KEYS[{place}]" in first_line
    assert len(set(source.keys)) == len(source.keys)


def test_what_is_used_comes_first_and_once():
    text = scripts.load_lua("commit_write").text
    assert text.count("local function unindex_reads") == 1
    assert text.index("local function unindex_reads") < text.index("local function drop_entry")
    assert text.index("local function drop_entry") < text.index("local function publish_version")


def test_ids_cannot_move_a_key_out_of_its_slot():
    made = keys.library("main").key("fill:", "}{other}")
    assert made.startswith("dynbranch:{library.main}:fill:")
