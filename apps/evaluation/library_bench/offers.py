"""Branches with completed fills, as a page that shows an offer has them."""

from dataclasses import dataclass

from apps.evaluation.library_bench.loading import Shaped, stored
from apps.evaluation.library_bench.material import NOW_MS
from apps.evaluation.library_bench.shelf import NEVER_MS, Shelf
from apps.serving.branch.record import BranchRecord
from apps.serving.names import Coordinate
from apps.serving.ports import ChainRecord, FillRecord
from apps.serving.workflow import Semantics

OWNER = "worker:bench"
COORDINATE = Coordinate("concierge", 1, "offer")
SCOPE = {"tenant": "tenant", "conversation": "c", "mode": "full"}
UNTIL_MS = NOW_MS + NEVER_MS


@dataclass(frozen=True, slots=True)
class Offers:
    """Exclusive branches: a selection ends the other shadows, so that those elsewhere stay as many as they were.

    prefix   of the branches' ids
    shadows  all that there are to be; the last branch may have fewer than `width`
    """

    shaped: Shaped
    prefix: str
    width: int
    shadows: int

    @property
    def branches(self) -> int:
        return -(-self.shadows // self.width)

    def branch_id(self, number: int) -> str:
        return f"{self.prefix}-{number}"

    def fill_id(self, number: int, place: int) -> str:
        return f"{self.prefix}-{number}.{place}.0"

    def store(self, shelf: Shelf, number: int) -> None:
        branch_id = self.branch_id(number)
        branch = BranchRecord(branch_id, COORDINATE, Semantics.EXCLUSIVE, SCOPE, NOW_MS, UNTIL_MS)
        stored(branch_id, shelf.branches.open(branch, NOW_MS))
        for place in range(min(self.width, self.shadows - number * self.width)):
            self._shadow(shelf, number, place)

    def _shadow(self, shelf: Shelf, number: int, place: int) -> None:
        branch_id, fill_id = self.branch_id(number), self.fill_id(number, place)
        chain_id, shaped = f"{branch_id}.{place}", number * self.width + place
        chain = ChainRecord(
            chain_id, branch_id, str(place), place, {}, SCOPE, (fill_id,), f"r.{chain_id}", 1, 400, UNTIL_MS
        )
        fill = FillRecord(fill_id, chain_id, branch_id, 0, "reply", f"{self.prefix}:{shaped:020d}")
        name, result = self.shaped.name(shaped), self.shaped.result(shaped)
        stored(chain_id, shelf.shadows.create_chain(chain, [fill], NOW_MS))
        stored(fill_id, shelf.shadows.start(fill_id, name, OWNER, NOW_MS, result.upstream))
        stored(fill_id, shelf.shadows.complete(fill_id, result, NOW_MS, UNTIL_MS))
