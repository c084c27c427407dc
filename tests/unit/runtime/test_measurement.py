"""Every measurement is told in one form."""

import json

from apps.runtime.measurement import Check, Measurement, columns


def test_columns_are_as_wide_as_their_longest_cell():
    rows = [{"name": "a", "of": "x", "ms": 1234.5}, {"name": "bcd", "of": "yy", "ms": 0.5}]

    assert columns(rows) == (
        "name  of    ms\n"
        "----  --  ----\n"
        "a     x   1234\n"
        "bcd   yy  0.50"
    )  # fmt: skip


def test_a_table_shows_what_is_unknown_as_such():
    table = Measurement("m", 1, [{"a": 1, "b": None}], [Check("c", None, "ms", "< 1", None)]).table()

    assert "–" in table
    assert "not measured" in table


def test_what_is_written_says_when_and_where_it_was_measured(tmp_path):
    check = Check("c", 0.5, "ms", "< 1", True)
    Measurement("m", 7, [{"a": 1}], [check]).write(tmp_path / "m.json")

    written = json.loads((tmp_path / "m.json").read_text())
    assert set(written) == {"command", "date", "machine", "seed", "rows", "checks"}
    assert written["machine"]["cores"] >= 1
    assert written["checks"] == [{"name": "c", "value": 0.5, "unit": "ms", "target": "< 1", "holds": True}]
