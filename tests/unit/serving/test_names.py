"""Reuse names: equal exactly when everything that can decide the output is equal."""

import json
import math

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from apps.serving.errors import UnnameableInput
from apps.serving.names import Coordinate, canonical_bytes, digest, reuse_name

texts = st.text('aAé\u0301 "\\\n🎉\0\ud83c', max_size=5)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=8)
calm = settings(
    max_examples=50, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)


def shuffled(value):
    """The same value with every object's keys the other way round."""
    if isinstance(value, dict):
        return {key: shuffled(inner) for key, inner in reversed(value.items())}
    return [shuffled(inner) for inner in value] if isinstance(value, list) else value


@calm
@given(values)
def test_the_order_of_keys_does_not_matter(value):
    assert canonical_bytes(shuffled(value)) == canonical_bytes(value)


@calm
@given(values, values)
def test_different_values_have_different_encodings_and_names(one, other):
    assume(json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True))
    assert canonical_bytes(one) != canonical_bytes(other)
    assert reuse_name("n", "f", one) != reuse_name("n", "f", other)


@pytest.mark.parametrize(
    ("one", "other"), [(1, 1.0), (1, True), (0, False), ("1", 1), (None, "null"), ([], {}), ("é", "e\u0301")]
)
def test_values_that_only_look_equal_are_named_apart(one, other):
    assert digest({"v": one}) != digest({"v": other})


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
    assert canonical_bytes({"b": [1, "é", None], "a": {"y": True, "x": 1.5}}) == (
        '{"a":{"x":1.5,"y":true},"b":[1,"é",null]}'.encode()
    )
    assert digest({}) == "c09da522dac261c3d2566230bed10d2f3ef13f8e7654576c12e857e07f786098"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, b"bytes", {1, 2}, object(), {("a",): 1}])
def test_what_has_no_json_value_cannot_be_named(value):
    with pytest.raises(UnnameableInput, match="use JSON values only"):
        reuse_name("n", "f", {"v": value} if not isinstance(value, dict) else value)


def test_text_with_a_lone_surrogate_has_a_name_of_its_own():
    assert digest("\ud83c") != digest("\ufffd")


def test_a_coordinate_reads_as_workflow_version_and_point():
    assert str(Coordinate("concierge", 3, "offer")) == "concierge/3/offer"
