"""The provenance graph: a write ends exactly what it must, whatever the steps."""

import random
from dataclasses import dataclass

import pytest

from apps.serving.library.eviction import MAX_PROVENANCES
from apps.serving.library.graph import ROOT, Graph, Kind, Node, joined
from apps.serving.names import ReuseName, reuse_name
from apps.serving.outcomes import Result


def named(key: object) -> ReuseName:
    return reuse_name("tenant", "f" * 64, {"key": key})


X, Y, Z = map(named, "xyz")


def made(graph: Graph, name: ReuseName, *upstream: ReuseName, reads=None, inherited=None) -> Node:
    node = graph.made(Kind.ENTRY, str(name), name, Result("", reads or {}, 1.0, {}, upstream, inherited or {}))
    graph.put(node)
    return node


def ended(graph: Graph, record: str, version: int = 2, step: int = 1) -> set[ReuseName]:
    graph.write(record)
    names: set[ReuseName] = set()
    while graph.open:
        names |= {node.name for node in graph.step(step, {record: version})}
    return names


def test_a_write_ends_readers_and_all_that_was_made_from_them():
    graph = Graph()
    made(graph, X, reads={"r": 1})
    made(graph, Y, X)
    made(graph, Z, reads={"s": 1})
    assert ended(graph, "r") == {X, Y}
    assert set(graph.nodes) == {f"e|{Z}"}


def test_what_read_the_version_that_was_published_stays():
    graph = Graph()
    made(graph, X, reads={"r": 2})
    assert ended(graph, "r", version=2) == set()
    assert graph.held(X)


def test_a_child_survives_on_another_provenance_and_falls_with_its_last():
    graph = Graph()
    made(graph, X, reads={"r": 1})
    made(graph, Y, reads={"s": 1})
    graph.put(Node(Kind.ENTRY, str(Z), Z, provenances=((X,), (Y,))))
    assert ended(graph, "r") == {X}
    assert graph.nodes[f"e|{Z}"].provenances == ((Y,),)
    assert ended(graph, "s") == {Y, Z}


def test_a_name_with_another_holder_is_not_lost():
    graph = Graph()
    made(graph, X, reads={"r": 1})
    graph.put(Node(Kind.SHADOW, "fill", X, reads={"s": 1}))
    made(graph, Y, X)
    assert ended(graph, "r") == {X}
    assert graph.held(Y)
    assert ended(graph, "s") == {X, Y}


def test_a_running_fill_holds_no_name_and_ends_with_what_it_was_given():
    graph = Graph()
    made(graph, X, reads={"r": 1})
    graph.put(Node(Kind.RUNNING, "fill", Y, provenances=((X,),)))
    assert not graph.held(Y)
    assert ended(graph, "r") == {X, Y}


def test_what_goes_without_a_write_leaves_a_ghost_as_long_as_something_was_made_from_it():
    graph = Graph()
    for name, upstream in ((X, ()), (Y, (X,)), (Z, (Y,))):
        made(graph, name, *upstream, reads={str(name)[-20:]: 1} if not upstream else None)
    graph.take(f"e|{X}")
    graph.take(f"e|{Y}")
    assert set(graph.nodes) == {f"g|{X}", f"g|{Y}", f"e|{Z}"}
    graph.take(f"e|{Z}")
    assert graph.nodes == {}
    assert graph.bytes == 0


def test_a_write_reaches_through_ghosts():
    graph = Graph()
    made(graph, X, reads={"r": 1})
    made(graph, Y, X)
    made(graph, Z, Y)
    graph.take(f"e|{X}")
    graph.take(f"e|{Y}")
    assert ended(graph, "r") == {X, Y, Z}
    assert graph.nodes == {}


def test_what_becomes_a_ghost_while_a_cascade_is_open_is_looked_at_in_its_place():
    graph = Graph()
    made(graph, X, reads={"r": 1})
    made(graph, Y, X)
    graph.write("r")
    graph.take(f"e|{X}")
    while graph.open:
        graph.step(1, {"r": 2})
    assert graph.nodes == {}


def test_a_ghost_is_needed_no_more_when_its_child_survives_on_something_else():
    graph = Graph()
    made(graph, X)
    made(graph, Y, reads={"r": 1})
    graph.put(Node(Kind.ENTRY, str(Z), Z, provenances=(tuple(sorted((X, Y), key=str)), ROOT)))
    graph.take(f"e|{X}")
    assert f"g|{X}" in graph.nodes
    assert ended(graph, "r") == {Y}
    assert set(graph.nodes) == {f"e|{Z}"}


def test_incomplete_provenance_is_indexed_by_what_it_inherits():
    graph = Graph()
    made(graph, X)
    node = made(graph, Z, X, Y, reads={"own": 1}, inherited={"r": 1})
    assert (node.whole, node.provenances, node.reads) == (False, ((X,),), {"own": 1, "r": 1})
    assert ended(graph, "r") == {Z}


def test_complete_provenance_is_not_indexed_by_what_it_inherits():
    graph = Graph()
    made(graph, X, reads={"r": 1})
    node = made(graph, Z, X, X, reads={"own": 1}, inherited={"r": 1})
    assert (node.whole, node.provenances, node.reads) == (True, ((X,),), {"own": 1})


def test_the_provenances_of_a_name_join_unless_one_says_more_than_the_others():
    old = Node(Kind.ENTRY, "z", Z, provenances=((X,), (Y,)))
    assert joined(old, (X,)) == ((Y,), (X,))
    assert joined(old, ROOT) == (ROOT,)
    assert joined(Node(Kind.ENTRY, "z", Z), (X,)) == (ROOT,)
    assert joined(Node(Kind.ENTRY, "z", Z, provenances=((Y,),), whole=False), (X,)) == ((X,),)
    many = tuple((named(n),) for n in range(MAX_PROVENANCES))
    assert joined(Node(Kind.ENTRY, "z", Z, provenances=many), (X,)) == (*many[1:], (X,))


# -- against a reference that knows no index -----------------------------------------------------------


@dataclass
class Known:
    """A node as the reference knows it."""

    name: ReuseName
    reads: dict[str, int]
    provenances: list[frozenset[ReuseName]]


def affected(nodes: list[Known], record: str) -> set[ReuseName]:
    """Looked for until nothing changes any more."""
    left = [node for node in nodes if record not in node.reads]
    while True:
        names = {node.name for node in left}
        kept = [node for node in left if any(p <= names for p in node.provenances)]
        if len(kept) == len(left):
            return {node.name for node in nodes} - names
        left = kept


@pytest.mark.parametrize("seed", range(40))
def test_the_cascade_is_exactly_what_a_search_without_index_finds(seed):
    rng, graph, nodes = random.Random(seed), Graph(), []
    for number in range(30):
        lower = [node.name for node in nodes]
        ups = [frozenset(rng.sample(lower, min(len(lower), rng.randint(1, 2)))) for _ in range(rng.randint(0, 3))]
        provenances = [p for p in ups if p] or [frozenset()]
        node = Known(named(number), {f"r{rng.randint(0, 9)}": 1} if rng.random() < 0.4 else {}, provenances)
        nodes.append(node)
        ways = tuple(dict.fromkeys(tuple(sorted(p, key=str)) for p in provenances))
        graph.put(Node(Kind.ENTRY, str(node.name), node.name, node.reads, ways))
    for name in rng.sample([node.name for node in nodes], 8):
        graph.take(f"e|{name}")  # leaves ghosts, which the reference need not know of
    before = {node.name for node in graph.nodes.values() if node.kind is Kind.ENTRY}

    found = ended(graph, "r0", step=rng.randint(1, 5))

    assert found & before == affected(nodes, "r0") & before
    assert before - found == {node.name for node in graph.nodes.values() if node.kind is Kind.ENTRY}
