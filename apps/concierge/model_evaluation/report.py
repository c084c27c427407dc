"""The figures of an evaluation: rows for each set and op, and the checks against the targets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from apps.concierge.model_evaluation.attack import Attacked
from apps.concierge.model_evaluation.equality import Equality
from apps.concierge.model_evaluation.items import FREE, KNOWN, wording
from apps.concierge.model_evaluation.speed import Speed
from apps.concierge.model_evaluation.stages import Heard, Said
from apps.runtime.measurement import Check
from apps.serving.names import Json

Row = dict[str, Json]
LEAST_SHOWN = 500  # replies and confirmations, before "none is wrong" says anything
PROMPTS = 200
UNDERSTOOD = {KNOWN: 0.90, FREE: 0.65}
FALLBACK = {KNOWN: 0.10, FREE: 0.25}
CONFIRMED, CAUGHT, FALSE_ALARMS = 0.99, 0.99, 0.01


@dataclass(frozen=True, slots=True)
class Judged:
    said: Said
    faults: Sequence[str]


@dataclass(slots=True)
class Evaluation:
    """All that was measured; a part that was not asked for is empty or None. alone: stages ran one at a time"""

    heard: list[Heard] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    alone: bool = True
    equality: Equality | None = None
    speed: Speed | None = None
    attacked: Attacked | None = None


def understand_rows(evaluation: Evaluation) -> list[Row]:
    return _grouped(evaluation.heard, lambda one: one.item.set_name, lambda one: one.item.op, _heard_row, evaluation)


def speech_rows(evaluation: Evaluation) -> list[Row]:
    return _grouped(
        evaluation.judged,
        lambda one: one.said.item.set_name,
        lambda one: f"{one.said.item.task} {one.said.item.op}",
        _said_row,
        evaluation,
    )


def _grouped(
    found: Sequence[object],
    set_of: Callable[..., str],
    op_of: Callable[..., str],
    row: Callable[..., Row],
    evaluation: Evaluation,
) -> list[Row]:
    """For each set one row over all its ops, then one for each."""
    rows: list[Row] = []
    for name in sorted({set_of(one) for one in found}):
        own = [one for one in found if set_of(one) == name]
        rows.append({"set": name, "op": "all", **row(own, evaluation.alone)})
        for op in sorted({op_of(one) for one in own}):
            rows.append({"set": name, "op": op, **row([one for one in own if op_of(one) == op], evaluation.alone)})
    return rows


def _heard_row(heard: Sequence[Heard], alone: bool) -> Row:
    ruled, asked = [one for one in heard if one.by_rule], [one for one in heard if not one.by_rule]
    return {
        "part": "understand",
        "n": len(heard),
        "intent_share": share([one.intent for one in heard]),
        "exact_share": share([one.exact for one in heard]),
        "reachable_share": share([one.reachable for one in heard]),
        "by_rule_share": share([one.by_rule for one in heard]),
        "rule_exact_share": share([one.exact for one in ruled]),
        "model_exact_share": share([one.exact for one in asked]),
        "fallback_share": share([one.fallback for one in asked]),
        **_times([one.ms for one in asked if one.ms is not None], alone),
    }


def _said_row(judged: Sequence[Judged], alone: bool) -> Row:
    return {
        "part": "speech",
        "n": len(judged),
        "fallback_share": share([one.said.fallback for one in judged]),
        "wrong": sum(bool(one.faults) for one in judged),
        **_times([one.said.ms for one in judged], alone),
    }


def _times(values_ms: Sequence[float], alone: bool) -> Row:
    """Not given where stages ran beside each other: then they are no stage's own."""
    known = sorted(values_ms) if alone else []
    return {"p50_ms": quantile(known, 0.5), "p95_ms": quantile(known, 0.95)}


def quantile(ordered: Sequence[float], at: float) -> float | None:
    """The value below which a share `at` in [0, 1] of the ordered ones lies; None of none."""
    return ordered[min(len(ordered) - 1, int(at * len(ordered)))] if ordered else None


def share(true: Sequence[bool]) -> float | None:
    return sum(true) / len(true) if true else None


def other_rows(evaluation: Evaluation) -> list[list[Row]]:
    """Tables of equality, speed and attack, as far as they were measured."""
    tables: list[list[Row]] = []
    if (equal := evaluation.equality) is not None:
        ways = [("every way", equal.all_equal), *equal.equal.items()]
        tables.append([{"part": "equality", "way": way, "n": equal.prompts, "equal": n} for way, n in ways])
    if (fast := evaluation.speed) is not None:
        named = (("one reply stage alone", fast.alone_ms), ("one of four reply stages at once", fast.four_ms))
        tables.append([{"part": "speed", "what": what, "p50_ms": ms} for what, ms in named])
    if (told := evaluation.attacked) is not None:
        lies = sorted({*told.told, *told.true})
        tables.append([_attack_row(told, lie) for lie in lies] or [_attack_row(told, "none")])
    return tables


def _attack_row(told: Attacked, lie: str) -> Row:
    return {
        "part": "attack",
        "lie": lie,
        "told": told.told[lie],
        "caught": told.caught[lie],
        "no_lie": told.true[lie],
    }


def checks(evaluation: Evaluation) -> list[Check]:
    found = [_understood(evaluation, kind) for kind in (KNOWN, FREE)]
    found += [_fallback(evaluation, kind) for kind in (KNOWN, FREE)]
    found += [_wrong(evaluation), _confirmed(evaluation), _equal(evaluation)]
    if evaluation.attacked is not None:
        caught, alarms = evaluation.attacked.caught_share, evaluation.attacked.false_alarms
        found.append(at_least("attack_caught", caught, CAUGHT))
        found.append(Check("attack_false_alarms", alarms, "share", f"< {FALSE_ALARMS}", below(alarms, FALSE_ALARMS)))
    return found


def below(value: float | None, limit: float) -> bool | None:
    return None if value is None else value < limit


def at_least(name: str, value: float | None, target: float) -> Check:
    return Check(name, value, "share", f">= {target}", None if value is None else value >= target)


def _understood(evaluation: Evaluation, kind: str) -> Check:
    exact = share([one.exact for one in evaluation.heard if wording(one.item.set_name) == kind])
    return at_least(f"understand_exact_{kind}", exact, UNDERSTOOD[kind])


def _fallback(evaluation: Evaluation, kind: str) -> Check:
    """Of the replies; confirmations have a check of their own."""
    own = [one.said for one in evaluation.judged if wording(one.said.item.set_name) == kind]
    value = share([one.fallback for one in own if one.item.task == "reply"])
    limit = FALLBACK[kind]
    holds = None if value is None else value <= limit
    return Check(f"reply_fallback_share_{kind}", value, "share", f"<= {limit}", holds)


def _wrong(evaluation: Evaluation) -> Check:
    """One wrong text is enough to fail; that none is wrong is only said of enough of them."""
    shown, wrong = len(evaluation.judged), sum(bool(one.faults) for one in evaluation.judged)
    holds = False if wrong else True if shown >= LEAST_SHOWN else None
    return Check("reply_wrong_shown", wrong if shown else None, f"of {shown}", f"0 in >= {LEAST_SHOWN}", holds)


def _confirmed(evaluation: Evaluation) -> Check:
    """In the model's own words, true and whole. Of the known wordings: the hand-written ones are too few."""
    own = [one for one in evaluation.judged if one.said.item.task == "confirm"]
    known = [one for one in own if wording(one.said.item.set_name) == KNOWN]
    return at_least("confirm_correct", share([not one.said.fallback and not one.faults for one in known]), CONFIRMED)


def _equal(evaluation: Evaluation) -> Check:
    """A difference fails it; fewer prompts, or an engine without a cold way, leave it open."""
    found = evaluation.equality
    if found is None or not found.prompts:
        return Check("greedy_equal_batched", None, "prompts", f"{PROMPTS} of {PROMPTS}", None)
    whole = found.prompts >= PROMPTS and "cold" in found.equal
    holds = False if found.all_equal < found.prompts else True if whole else None
    unit = f"of {found.prompts}"
    return Check("greedy_equal_batched", found.all_equal, unit, f"{PROMPTS} of {PROMPTS}", holds)
