"""The two-step gate as an interface, and its plain policy: in order, while slots and KV allow. §3.4

The priced controller implements the same two questions; nothing else in the core knows which is installed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.serving.branch.candidates import Proposal
from apps.serving.gate.load import LoadView
from apps.serving.names import Coordinate

SLOTS_PER_CHAIN = 1  # a chain's stages run one after another


@dataclass(frozen=True, slots=True)
class GenerationDecision:
    """Action 0: whether to expand this branch at all."""

    opens: bool
    reason: str


@dataclass(frozen=True, slots=True)
class FillDecision:
    """Action 1 for one candidate: the best of those left, and whether to run it."""

    proposal: Proposal
    admits: bool
    reason: str


class Gate(Protocol):
    def generation(self, branch_class: Coordinate, load: LoadView) -> GenerationDecision: ...

    def fill(self, left: Sequence[Proposal], load: LoadView) -> FillDecision:
        """The best of `left` (never empty) under the projected load."""
        ...


class PlainGate:
    """Opens every branch and takes candidates by rank while they fit."""

    def generation(self, branch_class: Coordinate, load: LoadView) -> GenerationDecision:
        return GenerationDecision(True, "plain gate: every branch is opened")

    def fill(self, left: Sequence[Proposal], load: LoadView) -> FillDecision:
        best = min(left, key=lambda candidate: candidate.rank)
        after = load.project(SLOTS_PER_CHAIN, best.kv_tokens)
        if after.slots_held > after.slots_max:
            return FillDecision(best, False, f"no fill slot free ({load.slots_held} of {load.slots_max} held)")
        if after.kv_tokens_held > after.kv_tokens_max:
            return FillDecision(
                best, False, f"KV budget full ({load.kv_tokens_held} of {load.kv_tokens_max} tokens held)"
            )
        return FillDecision(best, True, "fits")
