"""Records as stored fields come back equal."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.serving.branch.record import BranchRecord, BranchState
from apps.serving.names import Coordinate, reuse_name
from apps.serving.outcomes import Result
from apps.serving.ports import ChainRecord
from apps.serving.workflow import Semantics
from apps.stores import codec

texts = st.text('aé|"\\\n🎉\0', max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(texts, values, max_size=3)
calm = settings(
    max_examples=50, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
reads = st.dictionaries(texts, st.integers(0, 2**53), max_size=3)


names = st.lists(texts.map(lambda space: reuse_name(space, "f" * 64, 1)), max_size=3)


@calm
@given(values, reads, st.floats(0, 1e9), objects, names, reads)
def test_a_result_comes_back_equal(output, read, engine_ms, notes, upstream, inherited):
    result = Result(output, read, engine_ms, notes, tuple(upstream), inherited)
    assert codec.decode_result(codec.encode_result(result).encode()) == result


@calm
@given(reads)
def test_reads_come_back_equal(read):
    assert codec.decode_reads(codec.encode_reads(read).encode()) == read


@calm
@given(names)
def test_upstream_names_are_each_there_once_in_the_order_of_their_bytes(upstream):
    stored = codec.encode_upstream(upstream)
    (found,) = codec.decode_provenances(f"[{stored}]".encode()) if stored else ((),)
    assert found == tuple(sorted(set(upstream), key=lambda name: str(name).encode()))


def test_what_has_no_stored_provenance_is_a_root():
    assert codec.decode_provenances(None) == ((),)


@calm
@given(texts, texts)
def test_a_name_comes_back_equal_whatever_its_namespace_holds(namespace, question):
    name = reuse_name(f"{namespace}|x", "f" * 64, {"q": question})
    assert codec.decode_name(str(name)) == name


@calm
@given(objects, objects)
def test_a_chain_comes_back_equal(turn, scope):
    chain = ChainRecord("c", "b", "0", 1, turn, scope, ("c.0", "c.1"), "r", 1, 200, 5)
    assert codec.decode_chain(codec.encode_chain(chain).encode()) == chain


@calm
@given(objects)
def test_a_branch_comes_back_with_the_state_and_choice_that_it_has_now(scope):
    opened = BranchRecord("b", Coordinate("w", 1, "offer"), Semantics.EXCLUSIVE, scope, 1, 2)
    fields = {b"record": codec.encode_branch(opened).encode(), b"state": b"resolved", b"choice": b"2"}
    decided = codec.decode_branch(fields)
    assert (decided.state, decided.choice, decided.scope) == (BranchState.RESOLVED, "2", scope)
    assert codec.decode_branch({**fields, b"state": b"open", b"choice": b""}).choice == ""
