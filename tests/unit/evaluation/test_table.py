from apps.evaluation.played import Kind
from apps.evaluation.report import checks, rows
from apps.evaluation.table import render
from tests.unit.evaluation.builders import played, stages, turn


def test_the_table_shows_every_section_and_says_what_does_not_hold():
    executed = stages("executed", "executed", reason="bypass")
    floor = played("floor", *(turn(i, complete_ms=1000.0, stages=executed) for i in range(2)))
    c2 = played("c2", turn(0, complete_ms=900.0), turn(1, complete_ms=900.0, reply="other", stages=executed))
    text = render(rows([floor, c2], seed=1), checks([floor, c2], seed=1))
    assert "pick -> complete" in text
    assert "c2 over floor, mean pick -> complete, 2 pairs: 0.900 (95 % interval 0.900 to 0.900)" in text
    assert "floor and c2: 1 of 2 answers byte-equal (50.0 %)" in text
    line = next(line for line in text.splitlines() if line.startswith("c2_over_floor_mean"))
    assert line.split() == ["c2_over_floor_mean", "<=", "0.55", "0.900", "ratio", "NO"]


def test_what_was_not_measured_is_a_dash_and_never_a_zero():
    text = render(rows([played("c2", turn(0, kind=Kind.TEXT))], seed=1), checks([played("c2")], seed=1))
    line = next(line for line in text.splitlines() if line.startswith("served_share"))
    assert line.split() == ["served_share", ">=", "0.73", "–", "share", "NO"]
