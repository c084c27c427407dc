import csv
import io
import json

import plotly.graph_objects as go
import pytest

from apps.figures.load import TRACES, LoadPoint, draw, gap, load_csv, load_figure
from apps.figures.palette import DASHES, PALETTES, Theme

POINT = LoadPoint(1_700_000_000_000, 3, 4, 1024, 8192, 0.25, 2, 1)


def test_a_point_is_drawn_in_percent_of_its_limits_and_in_requests():
    assert draw(POINT).y == (75.0, 12.5, 25.0, 2, 1)


def test_hover_text_gives_the_exact_numbers_behind_the_percentage():
    assert draw(POINT).text == (
        "3 of 4 slots",
        "1024 of 8192 tokens",
        "25.00 % of the pool",
        "2 requests",
        "1 requests",
    )


def test_an_absent_reading_is_a_gap_and_says_absent_while_zero_stays_zero():
    drawn = draw(LoadPoint(1, slots_held=0, slots_limit=4, running=0))

    assert drawn.y == (0.0, None, None, 0, None)
    assert drawn.text == ("0 of 4 slots", "absent", "absent", "0 requests", "absent")


def test_a_limit_of_zero_draws_no_percentage():
    assert draw(LoadPoint(1, slots_held=0, slots_limit=0)).y[0] is None


@pytest.mark.parametrize("theme", Theme)
def test_the_figure_is_one_that_plotly_accepts_and_has_units_on_its_axes(theme):
    figure = load_figure((draw(POINT), gap(2), draw(POINT)), theme)

    assert go.Figure(figure).to_plotly_json()["data"][0]["name"] == "fill slots"
    layout = figure["layout"]
    assert layout["xaxis"]["title"]["text"] == "time (UTC)"
    assert layout["yaxis"]["title"]["text"] == "% of limit"
    assert layout["yaxis2"]["title"]["text"] == "requests"
    assert json.loads(json.dumps(figure)) == figure


def test_every_trace_breaks_at_a_gap_instead_of_bridging_it():
    for trace in load_figure((draw(POINT), gap(2), draw(POINT)), Theme.LIGHT)["data"]:
        assert trace["y"][1] is None
        assert trace["connectgaps"] is False


@pytest.mark.parametrize("theme", Theme)
def test_lines_differ_in_colour_within_a_theme_and_in_dash_within_an_axis(theme):
    assert len(set(PALETTES[theme].lines[: len(TRACES)])) == len(TRACES)
    assert len(set(DASHES[:3])) == 3
    assert len(set(DASHES[3:])) == 2


@pytest.mark.parametrize(("theme", "background"), [(Theme.LIGHT, "#ffffff"), (Theme.DARK, "#171c1b")])
def test_every_line_has_a_contrast_of_at_least_three_on_its_background(theme, background):
    for colour in (*PALETTES[theme].lines, PALETTES[theme].text):
        assert _contrast(colour, background) >= 3, colour


def test_csv_has_units_in_its_header_and_leaves_absent_fields_empty():
    header, first, second = csv.reader(io.StringIO(load_csv((POINT, LoadPoint(1_700_000_001_500, running=0)))))

    assert header[0] == "time_utc"
    assert "kv_held_tokens" in header
    assert first == ["2023-11-14T22:13:20.000+00:00", "3", "4", "1024", "8192", "0.25", "2", "1"]
    assert second == ["2023-11-14T22:13:21.500+00:00", "", "", "", "", "", "0", ""]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
