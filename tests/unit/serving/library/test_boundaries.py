"""Figure 7: one change in six taken nodes, and what each boundary can still serve."""

import pytest

from apps.serving.library.boundaries import Boundary, Node, served

FIGURE_7 = (
    Node("v1"),
    Node("v2", uses=("v1",)),
    Node("v3", uses=("v2",)),
    Node("v4", uses=("v3",)),
    Node("x1", uses=("v1",), after=("v3",)),
    Node("x2", uses=("x1",), after=("v3",)),
)


@pytest.mark.parametrize(
    ("boundary", "nodes"),
    [
        (Boundary.WHOLE_RESPONSE, ()),
        (Boundary.PREFIX_REGION, ("v1", "v2")),
        (Boundary.SUBGRAPH, ("v1", "v2", "x1", "x2")),
    ],
)
def test_the_six_nodes_of_figure_7_serve_0_2_and_4(boundary, nodes):
    assert served(FIGURE_7, {"v3"}, boundary) == nodes


@pytest.mark.parametrize("boundary", Boundary)
def test_without_a_change_every_boundary_serves_all(boundary):
    assert served(FIGURE_7, (), boundary) == ("v1", "v2", "v3", "v4", "x1", "x2")


@pytest.mark.parametrize("changed", [node.name for node in FIGURE_7])
def test_a_wider_boundary_never_serves_less(changed):
    whole, prefix, subgraph = (set(served(FIGURE_7, {changed}, boundary)) for boundary in Boundary)
    assert whole <= prefix <= subgraph
    assert changed not in subgraph
