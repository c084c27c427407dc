"""From what the arms played to the report's rows and checks. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from apps.evaluation.comparison import Pair, complete_ms_of, equality, paired
from apps.evaluation.fills import count
from apps.evaluation.played import Kind, Outcome, Played, TurnRecord
from apps.evaluation.statistics import latency, ratio_interval, share
from apps.runtime.measurement import Check

Row = dict[str, Any]
FLOOR, C2 = "floor", "c2"


def latency_rows(played: Played) -> list[Row]:
    """One row for each kind of turn: both latencies of the answered turns, ms; the others are counted."""
    rows = []
    for kind in Kind:
        turns = [turn for turn in played.turns if turn.kind is kind]
        answered = [turn for turn in turns if turn.answered]
        row: Row = {"row": "latency", "arm": played.arm, "kind": kind.value, "turns": len(turns)}
        row["unanswered"] = len(turns) - len(answered)
        row["resumed"] = sum(turn.resumes > 0 for turn in turns)
        row["first"] = as_row([turn.first_ms for turn in answered if turn.first_ms is not None])
        row["complete"] = as_row([turn.complete_ms for turn in answered if turn.complete_ms is not None])
        rows.append(row)
    return rows


def as_row(samples_ms: Sequence[float]) -> Row | None:
    found = latency(samples_ms)
    return asdict(found) if found else None


def outcome_rows(played: Played) -> list[Row]:
    """How each kind's answers were come by, as shares in [0, 1] of all its turns, and why the missed were."""
    rows = []
    for kind in Kind:
        turns = [turn for turn in played.turns if turn.kind is kind]
        by_outcome = Counter(turn.outcome for turn in turns)
        row: Row = {"row": "outcome", "arm": played.arm, "kind": kind.value, "turns": len(turns)}
        row |= {f"{outcome.value}_frac": share(by_outcome[outcome], len(turns)) for outcome in Outcome}
        missed = [turn.miss_reason for turn in turns if turn.outcome is Outcome.MISSED]
        row["missed_by_reason"] = dict(Counter(missed).most_common())
        rows.append(row)
    return rows


def equality_row(first: Played, second: Played) -> Row:
    found = equality(list(paired(first, second)))
    row: Row = {"row": "equality", "arms": [first.arm, second.arm]}
    row |= {name: value for name, value in asdict(found).items() if name != "differing"}
    row["differing"] = [differing(pair, first.arm, second.arm) for pair in found.differing]
    return row


def differing(pair: Pair, first: str, second: str) -> Row:
    return {
        "conversation": pair.first.conversation,
        "step": pair.first.step,
        "diverged": pair.diverged,
        first: spoken(pair.first),
        second: spoken(pair.second),
    }


def spoken(turn: TurnRecord) -> Row:
    return {name: getattr(turn, name) for name in ("kind", "asked", "offered", "state", "error", "reply")}


def ratio_row(floor: Played, other: Played, seed: int) -> Row:
    """Mean pick -> complete of the paired speculable picks, other over floor, with its 95 % interval."""
    base_ms, other_ms = complete_ms_of(list(paired(floor, other)), Kind.PICK)
    interval = ratio_interval(other_ms, base_ms, seed)
    mean_ratio = sum(other_ms) / sum(base_ms) if base_ms else None
    row: Row = {"row": "ratio", "arms": [other.arm, floor.arm], "pairs": len(base_ms), "mean_ratio": mean_ratio}
    row["interval"] = asdict(interval) if interval else None
    return row


def rows(arms: Sequence[Played], seed: int) -> list[Row]:
    found: list[Row] = []
    for played in arms:
        found += latency_rows(played) + outcome_rows(played)
        found.append({"row": "fills", "arm": played.arm, **asdict(count(played.fills))})
    base = arms[0]
    for other in arms[1:]:
        found += [equality_row(base, other), ratio_row(base, other, seed)]
    return found


def checks(arms: Sequence[Played], seed: int) -> list[Check]:
    """The issue's four checks; those that compare need both arms, floor and c2. One without a value does not hold."""
    by_arm = {played.arm: played for played in arms}
    floor, c2 = by_arm.get(FLOOR), by_arm.get(C2)
    found: list[Check] = []
    if floor and c2:
        found.append(at_most("c2_over_floor_mean", ratio_row(floor, c2, seed)["mean_ratio"], "ratio", 0.55))
    if c2:
        picks = [turn for turn in c2.turns if turn.kind is Kind.PICK]
        served = [turn for turn in picks if turn.outcome is Outcome.SERVED and turn.answered]
        found.append(at_least("served_share", share(len(served), len(picks)), "share", 0.73))
        first = latency([turn.first_ms for turn in served if turn.first_ms is not None])
        found.append(at_most("promoted_first_byte_p50_ms", first.p50_ms if first else None, "ms", 60.0))
    if floor and c2:
        found.append(at_least("equal_share", equality_row(floor, c2)["equal_frac"], "share", 1.0))
    return found


def at_most(name: str, value: float | None, unit: str, limit: float) -> Check:
    return Check(name, value, unit, f"<= {limit:g}", value is not None and value <= limit)


def at_least(name: str, value: float | None, unit: str, limit: float) -> Check:
    return Check(name, value, unit, f">= {limit:g}", value is not None and value >= limit)
