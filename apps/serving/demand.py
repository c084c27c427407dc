"""A demand, and what it may use and leave behind: decisions of mode and lookup alone. §3.2, method.md §3"""

from dataclasses import dataclass

from apps.serving.config import Mode
from apps.serving.names import ReuseName
from apps.serving.workflow import NORMAL, Lookup, LookupMode

UNSERVED = frozenset({LookupMode.REFRESH, LookupMode.BYPASS})
UNKEPT = frozenset({LookupMode.NO_STORE, LookupMode.BYPASS})


@dataclass(frozen=True, slots=True)
class Terms:
    """What the run allows, and what the stage or its caller asks for."""

    mode: Mode
    lookup: Lookup = NORMAL

    @property
    def probes(self) -> bool:
        """Whether an entry may serve it."""
        return self.mode.reuses and self.lookup.mode not in UNSERVED

    @property
    def promotes(self) -> bool:
        """Whether a shadow may. A shadow is confirmed by this very demand, so no maximum age shuts it out."""
        return self.mode.speculates and self.lookup.mode not in UNSERVED

    @property
    def waits(self) -> bool:
        """Whether a fill that still runs is waited for; who asks for what is cached wants to hear at once."""
        return self.promotes and self.runs

    @property
    def runs(self) -> bool:
        """Whether its stage runs when nothing served it."""
        return self.lookup.mode is not LookupMode.ONLY_IF_CACHED

    @property
    def keeps(self) -> bool:
        """Whether its answer, run or promoted, becomes an entry."""
        return self.mode.reuses and self.lookup.mode not in UNKEPT


@dataclass(frozen=True, slots=True)
class Demand:
    """A canonical, non-speculative request for one stage.

    workflow        "name/version"          stage  the stage's own name
    expected_chain  the chain of the selection just made, if any: its next fill may have this name soon
    """

    name: ReuseName
    workflow: str
    stage: str
    terms: Terms
    expected_chain: str | None = None

    @property
    def address(self) -> str:
        """Its `workflow/version/stage`, as the library shows it."""
        return f"{self.workflow}/{self.stage}"
