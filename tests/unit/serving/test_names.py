"""Reuse names: equal exactly when everything that can decide the output is equal."""

import math
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.serving.errors import UnnameableInput
from apps.serving.names import Coordinate, canonical_bytes, digest, reuse_name

texts = st.text('aAé\u0301 "\\\n🎉\0\ud83c', max_size=5)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | texts
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=8)
# So few that two drawn ones are often equal, or nearly.
LOOKALIKES = [0, 0.0, -0.0, False, None, "", "0", 1, 1.0, True, "1", [], {}, 2**53, 2.0**53, 2**53 + 1, 10**23, 1e23]
lookalikes = st.recursive(
    st.sampled_from(LOOKALIKES),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=3,
)
calm = settings(
    max_examples=100, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)


def meaning(value):
    """What the value means in JSON, as something that Python compares exactly."""
    if isinstance(value, dict):
        return frozenset((key, meaning(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return tuple(meaning(inner) for inner in value)
    if isinstance(value, bool) or value is None:
        return str(value), "word"
    return (value, "text") if isinstance(value, str) else (Fraction(value), "number")


def respelled(value):
    """The same meaning: keys the other way round, each number in the other type if that holds it exactly."""
    if isinstance(value, dict):
        return {key: respelled(inner) for key, inner in reversed(value.items())}
    if isinstance(value, list):
        return [respelled(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        return float(value)
    return value


@calm
@given(values)
def test_neither_the_order_of_keys_nor_the_spelling_of_numbers_matters(value):
    assert canonical_bytes(respelled(value)) == canonical_bytes(value)


@calm
@given(values, values)
def test_any_two_values_share_an_encoding_and_a_name_exactly_if_they_mean_the_same(one, other):
    same = meaning(one) == meaning(other)
    assert (canonical_bytes(one) == canonical_bytes(other)) == same
    assert (reuse_name("n", "f", one) == reuse_name("n", "f", other)) == same


@settings(calm, max_examples=400)
@given(lookalikes, lookalikes)
def test_values_that_nearly_mean_the_same_are_told_apart(one, other):
    assert (canonical_bytes(one) == canonical_bytes(other)) == (meaning(one) == meaning(other))


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (0, False), ("1", 1), (None, "null"), ([], {}), ("é", "e\u0301"), ([1, 2], [2, 1])]
)
def test_values_that_only_look_equal_are_named_apart(one, other):
    assert digest({"v": one}) != digest({"v": other})


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (0, -0.0), (100, 1e2), (10**22, 1e22), (0.1, 0.10)])
def test_one_number_has_one_spelling(one, other):
    assert digest({"v": one}) == digest({"v": other})


@pytest.mark.parametrize("number", [2**53, 2**64, 10**40, -(10**300)])
def test_large_integers_are_exact(number):
    assert digest(number) != digest(number + 1)
    assert canonical_bytes(number) == str(number).encode()


def test_null_is_not_the_same_as_absent():
    assert digest({"seed": None}) != digest({})


def test_one_character_of_the_input_changes_the_name():
    assert reuse_name("n", "f", {"q": "turn on"}) != reuse_name("n", "f", {"q": "turn off"})


@pytest.mark.parametrize("part", ["namespace", "fingerprint"])
def test_namespace_and_fingerprint_are_part_of_the_name(part):
    name = reuse_name("tenant/shared", "f" * 64, {"q": 1})
    changed = reuse_name(**{"namespace": "tenant/shared", "fingerprint": "f" * 64, "rendered": {"q": 1}, part: "else"})
    assert changed != name
    assert str(changed) != str(name)


def test_the_inputs_length_stands_beside_its_hash():
    name = reuse_name("n", "f", {"q": "é"})
    assert name.input_bytes == len('{"q":"é"}'.encode())
    assert len(name.input_hash) == 64
    assert str(name).endswith(f"|{name.input_hash}|{name.input_bytes}")


def test_the_encoding_is_stable_between_versions_and_machines():
    assert canonical_bytes({"b": [1.0, "é", None], "a": {"y": True, "x": 1.5}}) == (
        '{"a":{"x":1.5,"y":true},"b":[1,"é",null]}'.encode()
    )
    assert digest({}) == "c09da522dac261c3d2566230bed10d2f3ef13f8e7654576c12e857e07f786098"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (math.nan, "nan is no number"),
        (math.inf, "inf is no number"),
        (-math.inf, "-inf is no number"),
        (b"bytes", "bytes is no type"),
        ({1, 2}, "set is no type"),
        (object(), "object is no type"),
        ({("a",): 1}, r"key \('a',\) is no string"),
        ({1: 1}, "key 1 is no string"),
        ({None: 1}, "key None is no string"),
        ({True: 1}, "key True is no string"),
    ],
)
def test_what_has_no_json_value_is_refused_with_its_place(value, said):
    with pytest.raises(UnnameableInput, match=rf"at messages\[1\]\.content: {said}.*; use JSON values only"):
        reuse_name("n", "f", {"model": "m", "messages": [{"content": ""}, {"content": value}]})


def test_an_integer_without_end_is_refused():
    with pytest.raises(UnnameableInput, match="an integer has too many digits"):
        digest({"seed": 10**5000})


def test_a_value_that_contains_itself_is_refused():
    value = []
    value.append(value)
    with pytest.raises(UnnameableInput, match="contains itself"):
        digest(value)


def test_text_with_a_lone_surrogate_has_a_name_of_its_own():
    assert digest("\ud83c") != digest("\ufffd")


def test_a_coordinate_reads_as_workflow_version_and_point():
    assert str(Coordinate("concierge", 3, "offer")) == "concierge/3/offer"
