import json

import pytest

from apps.evaluation.played import Kind
from apps.evaluation.report import checks, rows
from tests.unit.evaluation.builders import played, stages, turn

EXECUTED = stages("executed", "executed", "executed", reason="bypass")


@pytest.fixture
def floor():
    return played("floor", *(turn(i, complete_ms=1000.0, first_ms=500.0, stages=EXECUTED) for i in range(4)))


@pytest.fixture
def c2():
    served = [turn(i, complete_ms=100.0, first_ms=50.0) for i in range(3)]
    return played("c2", *served, turn(3, complete_ms=900.0, first_ms=400.0, stages=EXECUTED))


def by_name(found):
    return {check.name: check for check in found}


def test_the_four_checks_are_computed_from_both_arms(floor, c2):
    found = by_name(checks([floor, c2], seed=1))
    assert found["c2_over_floor_mean"].value == pytest.approx(0.3)
    assert found["served_share"].value == 0.75
    assert found["promoted_first_byte_p50_ms"].value == 50.0
    assert found["equal_share"].value == 1.0
    assert all(check.holds for check in found.values())


def test_a_target_that_is_missed_does_not_hold(floor, c2):
    slow = played("c2", *(turn(i, complete_ms=600.0, first_ms=61.0, reply="other") for i in range(4)))
    found = by_name(checks([floor, slow], seed=1))
    assert [name for name, check in found.items() if not check.holds] == [
        "c2_over_floor_mean",
        "promoted_first_byte_p50_ms",
        "equal_share",
    ]


def test_nothing_to_measure_does_not_hold(floor):
    nothing = played("c2", turn(0, kind=Kind.TEXT))
    found = by_name(checks([floor, nothing], seed=1))
    for name in ("c2_over_floor_mean", "served_share", "promoted_first_byte_p50_ms"):
        assert (found[name].value, found[name].holds) == (None, False)


def test_a_pick_that_failed_lowers_the_served_share(floor):
    failed = played("c2", turn(0), turn(1, state="failed"))
    assert by_name(checks([floor, failed], seed=1))["served_share"].value == 0.5


def test_one_arm_alone_gets_only_the_checks_that_need_no_other(c2):
    assert list(by_name(checks([c2], seed=1))) == ["served_share", "promoted_first_byte_p50_ms"]


def test_each_kind_of_turn_has_rows_of_its_own():
    mixed = played("c2", turn(0), turn(1, kind=Kind.COMMIT), turn(2, kind=Kind.TEXT), turn(3, state="failed"))
    latencies = {row["kind"]: row for row in rows([mixed], seed=1) if row["row"] == "latency"}
    assert {kind: row["turns"] for kind, row in latencies.items()} == {"pick": 2, "commit": 1, "text": 1}
    assert latencies["pick"]["unanswered"] == 1
    assert latencies["pick"]["complete"]["n"] == 1


def test_misses_are_counted_by_reason(floor):
    outcome = next(row for row in rows([floor], seed=1) if row["row"] == "outcome")
    assert (outcome["missed_frac"], outcome["missed_by_reason"]) == (1.0, {"bypass": 4})


def test_differing_answers_are_listed_with_both_texts(floor):
    other = played("c2", *(turn(i, reply="x") for i in range(4)))
    row = next(row for row in rows([floor, other], seed=1) if row["row"] == "equality")
    assert (row["equal"], len(row["differing"])) == (0, 4)
    assert row["differing"][0]["c2"]["reply"] == "x"


def test_the_report_is_plain_json(floor, c2):
    assert json.loads(json.dumps(rows([floor, c2], seed=1)))
