"""What may be admitted: predicted continuations, speculable from end to end. §3.3

A predictor's scores are uncalibrated and its word is not taken: only the order of what it names is used, and only
of what may be named.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from apps.serving.errors import NotSpeculable
from apps.serving.names import Json
from apps.serving.workflow import Stage, Workflow


@dataclass(frozen=True, slots=True)
class ProposalLimits:
    """deadline_ms    most that one proposal may take, ms, > 0
    candidates        most that a proposal names, >= 1; a branch has a few fill slots at best
    guesses           most of one ranking that are looked at, >= candidates
    candidate_chars   longest candidate of an open vocabulary, characters, >= 1
    running           most calls of one predictor in progress, those left behind at a deadline included, >= 1
    """

    deadline_ms: int = 200
    candidates: int = 32
    guesses: int = 1_000
    candidate_chars: int = 200
    running: int = 4


LIMITS = ProposalLimits()


@dataclass(frozen=True, slots=True)
class Option:
    """One continuation that is on offer.

    choice  the selection that it answers, meaningful at this visit only: an action's index
    kind    what it does, the same at every visit: what a history can count
    label   as a person reads it
    """

    choice: str
    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class Context:
    """What is known at a decision point before it resolves.

    partition  whose history counts here, as in reuse names: one never learns from another
    offered    the menu, in its order; empty where the vocabulary is open, and a candidate is then any text
    recent     kinds selected here before by the same user, oldest first
    wanted     what the decision is about: the last thing said, or the question
    read       texts already read, in the order of reading
    """

    partition: str
    now_ms: int
    offered: tuple[Option, ...] = ()
    recent: tuple[str, ...] = ()
    wanted: str = ""
    read: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guess:
    """score  higher is likelier; compared within one ranking only"""

    choice: str
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """choices  best first, each once      dropped  guesses that could not be used"""

    choices: tuple[str, ...] = ()
    dropped: int = 0


def ranked(guesses: Iterable[object], context: Context, limits: ProposalLimits = LIMITS) -> Ranking:
    """The usable of these guesses, by score; equal scores stay in the order given.

    Dropped: what is no `Guess`, scores that are not finite, choices not on offer, what was named already. Not even
    looked at, nor counted: all beyond `limits.guesses`, should there be no end of them.
    """
    offered = {option.choice for option in context.offered}
    scores: dict[str, float] = {}
    seen = 0
    for guess in islice(guesses, limits.guesses):
        seen += 1
        if _usable(guess, offered, limits) and guess.choice not in scores:
            scores[guess.choice] = guess.score
    best = sorted(scores, key=lambda choice: -scores[choice])
    kept = tuple(best[: limits.candidates])
    return Ranking(kept, seen - len(kept))


def _usable(guess: object, offered: set[str], limits: ProposalLimits) -> bool:
    # Exact types: a subclass may hash or compare as it pleases.
    if type(guess) is not Guess or type(guess.choice) is not str or type(guess.score) not in (int, float):
        return False
    if not -math.inf < guess.score < math.inf:  # no number at all is not in between either
        return False
    if offered:
        return guess.choice in offered
    return bool(guess.choice.strip()) and len(guess.choice) <= limits.candidate_chars


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate as the gate sees it.

    choice  the selection that it answers         rank  0 is best; only the order is used
    turn    what a run would walk, JSON           stages  its chain, in order, never empty
    """

    choice: str
    rank: int
    label: str
    turn: Mapping[str, Json]
    stages: tuple[Stage, ...]

    @property
    def kv_tokens(self) -> int:
        """Peak KV of the chain: its stages run one after another on one slot."""
        return max(stage.kv_tokens for stage in self.stages)


def proposal(
    workflow: Workflow, choice: str, rank: int, label: str, turn: Mapping[str, Json], stages: Sequence[str]
) -> Proposal:
    """A checked proposal. Raises NotSpeculable before anything of it can run."""
    chain = tuple(workflow.stage(name) for name in stages)
    for stage in chain:
        if not stage.speculable:
            raise NotSpeculable(workflow.name, stage.name)
    return Proposal(choice, rank, label, turn, chain)


def in_order(proposals: Iterable[Proposal], choices: Sequence[str]) -> tuple[Proposal, ...]:
    """The proposals that `choices` names, ranked anew by it; the others are not proposed."""
    by_choice = {one.choice: one for one in proposals}
    named = [by_choice[choice] for choice in dict.fromkeys(choices) if choice in by_choice]
    return tuple(replace(one, rank=rank) for rank, one in enumerate(named))
