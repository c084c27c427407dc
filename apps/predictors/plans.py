"""Which predictors a decision point asks, and how their answers become one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

SETTING = "DYNBRANCH_PREDICTORS"
FUSION_RANK = 60  # of reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009


class Combine(StrEnum):
    """The value is the sign in the setting."""

    REORDER = "+"  # the first names the candidates, in the order of the second, then of the third, …
    UNION = "&"  # what any names, by reciprocal rank fusion: only order is used, so scores are not added
    FIRST = "|"  # the first in the list that has an answer


@dataclass(frozen=True, slots=True)
class Plan:
    """predictors  names, each once, at least one"""

    predictors: tuple[str, ...]
    combine: Combine = Combine.REORDER


@dataclass(frozen=True, slots=True)
class Answer:
    """choices so far, best first; `ended` when there will be no other"""

    choices: tuple[str, ...]
    ended: bool


def is_decided(plan: Plan, answers: Sequence[Answer]) -> bool:
    """Nothing that is still to come can change what `merged` says."""
    if plan.combine is Combine.FIRST:
        for answer in answers:
            if not answer.ended:
                return False
            if answer.choices:
                return True
    return all(answer.ended for answer in answers)


def merged(plan: Plan, rankings: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """One ranking of `plan.predictors`' own, in their order."""
    match plan.combine:
        case Combine.FIRST:
            return next((tuple(ranking) for ranking in rankings if ranking), ())
        case Combine.UNION:
            return _fused(rankings)
        case Combine.REORDER:
            return _reordered(rankings)


def _fused(rankings: Sequence[Sequence[str]]) -> tuple[str, ...]:
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, choice in enumerate(ranking, start=1):
            scores[choice] = scores.get(choice, 0.0) + 1 / (FUSION_RANK + rank)
    return tuple(sorted(scores, key=lambda choice: -scores[choice]))


def _reordered(rankings: Sequence[Sequence[str]]) -> tuple[str, ...]:
    named, *orders = rankings
    places = [{choice: place for place, choice in enumerate(order)} for order in orders]
    return tuple(sorted(named, key=lambda choice: [place.get(choice, len(place)) for place in places]))


def parse_plans(text: str, known: Collection[str]) -> Mapping[str, Plan]:
    """`concierge/offer=menu+history, research/hop=read|draft`: "workflow/decision point" -> its plan.

    Raises ValueError, naming the setting, the part that is wrong and the mend.
    """
    plans: dict[str, Plan] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        point, equals, asked = (piece.strip() for piece in part.partition("="))
        if not equals or point.count("/") != 1 or not all(point.split("/")):
            raise ValueError(f"{SETTING}: {part!r} is not like workflow/decision-point=menu+history")
        if point in plans:
            raise ValueError(f"{SETTING}: {point} is there twice; write one plan for it")
        plans[point] = _plan(point, asked, known)
    return plans


def _plan(point: str, asked: str, known: Collection[str]) -> Plan:
    signs = [sign for sign in Combine if sign in asked]
    if len(signs) > 1:
        raise ValueError(f"{SETTING}: {point} mixes {' and '.join(signs)}; use one of them in a plan")
    sign = signs[0] if signs else Combine.REORDER
    names = tuple(name.strip() for name in asked.split(sign))
    for name in names:
        if name not in known:
            raise ValueError(f"{SETTING}: {point} asks {name!r}; known are {', '.join(sorted(known))}")
    if len(set(names)) != len(names):
        raise ValueError(f"{SETTING}: {point} asks a predictor twice; name each once")
    return Plan(names, sign)
