"""Three exact boundaries of reuse, and what each can serve after one realized change. §3.2, Figure 7

Whole-response and prefix-region are what other systems key by; ours is the subgraph. The names bring the
subgraph's figure about by themselves (a stage's name covers its rendered input and nothing else); this says what
they must come to.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Boundary(StrEnum):
    WHOLE_RESPONSE = "whole response"  # all of a request, or nothing
    PREFIX_REGION = "prefix region"  # what no change comes before, on any path from the root
    SUBGRAPH = "subgraph"  # what no changed value enters


@dataclass(frozen=True, slots=True)
class Node:
    """One taken node of a run.

    uses    nodes whose outputs enter its rendered input
    after   nodes that decide only that it runs: control, no value
    """

    name: str
    uses: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def served(nodes: Sequence[Node], changed: Collection[str], boundary: Boundary) -> tuple[str, ...]:
    """Nodes that a library of the run before the change can serve, in order; a changed node gives another output.

    nodes  of one run, each after those that it uses or comes after
    """
    if boundary is Boundary.WHOLE_RESPONSE:
        return () if changed else tuple(node.name for node in nodes)
    reached = set(changed)
    for node in nodes:
        before = node.uses if boundary is Boundary.SUBGRAPH else (*node.uses, *node.after)
        if not reached.isdisjoint(before):
            reached.add(node.name)
    return tuple(node.name for node in nodes if node.name not in reached)
