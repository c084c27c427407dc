import pytest

from apps.console.figures import GAP_MS, drawn, load_figures, load_point
from apps.figures.load import LoadPoint
from apps.serving.ports import Event


def test_a_load_view_becomes_a_point_and_missing_readings_stay_absent():
    data = {"slots_held": 1, "slots_max": 4, "kv_tokens_held": 0, "kv_tokens_max": 8, "running": None, "kv_frac": 0.5}

    assert load_point(Event(1, "load.view", data, 77)) == LoadPoint(77, 1, 4, 0, 8, 0.5, None, None)


@pytest.mark.parametrize("wrong", ["3", True, [], {}])
def test_a_reading_that_is_no_number_is_absent(wrong):
    data = {"slots_held": wrong, "kv_frac": wrong, "running": wrong}

    assert load_point(Event(1, "load.view", data, 77)) == LoadPoint(77)


def test_a_long_pause_is_drawn_as_a_break_before_the_next_point():
    points = (LoadPoint(0, running=1), LoadPoint(GAP_MS, running=1), LoadPoint(2 * GAP_MS + 1, running=1))

    assert [p.y[3] for p in drawn(points, -1)] == [1, 1, None, 1]


def test_only_later_points_are_drawn_and_a_break_is_not_lost_between_two_answers():
    points = (LoadPoint(1, running=1), LoadPoint(60_000, running=2))

    assert [p.y[3] for p in drawn(points, 1)] == [None, 2]
    assert drawn(points, 60_000) == ()


def test_both_themes_draw_the_same_points():
    figures = load_figures((LoadPoint(1, running=1),))

    assert set(figures) == {"light", "dark"}
    assert figures["light"]["data"][3]["y"] == figures["dark"]["data"][3]["y"] == [1]
