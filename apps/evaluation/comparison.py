"""Two arms turn by turn: are the answers byte-equal, and do both stay on one trajectory? Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.evaluation.played import Kind, Played, TurnRecord
from apps.evaluation.statistics import share


@dataclass(frozen=True, slots=True)
class Pair:
    """One scheduled turn in both arms. `diverged`: the arms no longer asked the same from the same offer."""

    first: TurnRecord
    second: TurnRecord
    diverged: bool

    @property
    def equal(self) -> bool:
        """Both answered, with the same bytes to the same question."""
        both = self.first.answered and self.second.answered
        return both and self._question(self.first) == self._question(self.second) and self._same_bytes()

    def _same_bytes(self) -> bool:
        return self.first.reply.encode() == self.second.reply.encode()

    @staticmethod
    def _question(turn: TurnRecord) -> tuple[str, str]:
        return turn.kind.value, turn.asked


@dataclass(frozen=True, slots=True)
class Equality:
    """equal_frac is over all pairs, in [0, 1]: a diverged pair with other words counts as unequal.

    diverged        pairs whose offers differed, or that follow such a pair in their conversation
    comparable      pairs before any divergence; comparable_frac: the equal ones among them
    """

    pairs: int
    equal: int
    equal_frac: float | None
    diverged: int
    comparable: int
    comparable_frac: float | None
    differing: tuple[Pair, ...]


def paired(first: Played, second: Played) -> Iterator[Pair]:
    """Turns with the same place in the schedule, in order."""
    others = {(turn.conversation, turn.step): turn for turn in second.turns}
    lost: set[int] = set()
    for turn in first.turns:
        other = others.get((turn.conversation, turn.step))
        if other is None:
            continue
        if (turn.offered, turn.asked) != (other.offered, other.asked):
            lost.add(turn.conversation)
        yield Pair(turn, other, turn.conversation in lost)


def equality(pairs: Sequence[Pair]) -> Equality:
    equal = [pair for pair in pairs if pair.equal]
    on_track = [pair for pair in pairs if not pair.diverged]
    equal_on_track = sum(pair.equal for pair in on_track)
    return Equality(
        pairs=len(pairs),
        equal=len(equal),
        equal_frac=share(len(equal), len(pairs)),
        diverged=len(pairs) - len(on_track),
        comparable=len(on_track),
        comparable_frac=share(equal_on_track, len(on_track)),
        differing=tuple(pair for pair in pairs if not pair.equal),
    )


def complete_ms_of(pairs: Sequence[Pair], kind: Kind) -> tuple[list[float], list[float]]:
    """Latencies to the complete answer of the pairs that both answered, in ms: of the first arm, of the second."""
    both = [
        (pair.first.complete_ms, pair.second.complete_ms)
        for pair in pairs
        if pair.first.kind is kind and pair.second.kind is kind and pair.first.answered and pair.second.answered
    ]
    return [a for a, _ in both if a is not None], [b for _, b in both if b is not None]
