"""Load over time: what fills hold, and what the engine does. Plain data in, a figure or CSV out."""

import csv
import io
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from typing import Any

import plotly.graph_objects as go

from apps.figures.palette import DASHES, PALETTES, Theme

TRACES = ("fill slots", "fill KV", "engine KV", "engine running", "engine waiting")
REQUEST_TRACES = 2  # the last traces count requests and use the lower axis
ABSENT = "absent"

CSV_HEADER = (
    "time_utc", "slots_held", "slots_limit", "kv_held_tokens", "kv_limit_tokens", "engine_kv_frac",
    "engine_running_requests", "engine_waiting_requests",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LoadPoint:
    """One observation; None means that nobody reports it, which is drawn as a gap and never as 0.

    t_ms            ms since the epoch
    slots_*         fill slots reserved, and the most that may be
    kv_*_tokens     speculative KV reserved, and the most that may be
    engine_kv_frac  KV in use over the engine's pool, in [0, 1]
    running, waiting  requests in the engine
    """

    t_ms: int
    slots_held: int | None = None
    slots_limit: int | None = None
    kv_held_tokens: int | None = None
    kv_limit_tokens: int | None = None
    engine_kv_frac: float | None = None
    running: int | None = None
    waiting: int | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """One point as drawn: x in ms since the epoch, then y and exact hover text in the order of `TRACES`."""

    t_ms: int
    y: tuple[float | None, ...]
    text: tuple[str, ...]


def draw(point: LoadPoint) -> Drawn:
    """The values of every trace at one point: percent for the first three, requests for the others."""
    kv = point.engine_kv_frac
    return Drawn(
        point.t_ms,
        (
            _percent(point.slots_held, point.slots_limit),
            _percent(point.kv_held_tokens, point.kv_limit_tokens),
            None if kv is None else kv * 100,
            point.running,
            point.waiting,
        ),
        (
            _of(point.slots_held, point.slots_limit, "slots"),
            _of(point.kv_held_tokens, point.kv_limit_tokens, "tokens"),
            ABSENT if kv is None else f"{kv * 100:.2f} % of the pool",
            _count(point.running),
            _count(point.waiting),
        ),
    )


def gap(t_ms: int) -> Drawn:
    """A break in every line: nothing was observed for a while before the next point."""
    return Drawn(t_ms, (None,) * len(TRACES), (ABSENT,) * len(TRACES))


def load_figure(points: Sequence[Drawn], theme: Theme) -> dict[str, Any]:
    """A Plotly figure, {"data", "layout"}, JSON-ready. Times are shown in UTC.

    Trace i carries y[i] and text[i] of each point, so a page extends it by appending a drawn point.
    """
    palette = PALETTES[theme]
    traces = [
        go.Scatter(
            name=name,
            x=[point.t_ms for point in points],
            y=[point.y[i] for point in points],
            text=[point.text[i] for point in points],
            hovertemplate="%{text}",
            mode="lines",
            connectgaps=False,
            line={"color": palette.lines[i], "dash": DASHES[i], "width": 2, "shape": "hv"},
            yaxis="y2" if i >= len(TRACES) - REQUEST_TRACES else "y",
        )
        for i, name in enumerate(TRACES)
    ]
    figure = go.Figure(data=traces, layout=_layout(theme)).to_plotly_json()
    return {"data": figure["data"], "layout": figure["layout"]}


def _layout(theme: Theme) -> dict[str, Any]:
    palette = PALETTES[theme]
    axis = {"gridcolor": palette.grid, "linecolor": palette.grid, "zerolinecolor": palette.grid}
    return {
        "template": {},
        "uirevision": "load",  # zoom and hidden lines survive an update
        "font": {"color": palette.text, "family": "system-ui, sans-serif", "size": 12},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "x unified",
        "hoverlabel": {"bgcolor": "#ffffff" if theme is Theme.LIGHT else "#1c212b"},
        "margin": {"l": 60, "r": 12, "t": 8, "b": 44},
        "height": 380,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "xaxis": {
            **axis, "type": "date", "title": {"text": "time (UTC)", "standoff": 14}, "automargin": True, "anchor": "y2",
        },
        "yaxis": {
            **axis, "title": {"text": "% of limit"}, "rangemode": "tozero", "domain": [0.48, 1],
            "ticksuffix": " %",
        },
        "yaxis2": {**axis, "title": {"text": "requests"}, "rangemode": "tozero", "domain": [0, 0.4]},
    }  # fmt: skip


def load_csv(points: Sequence[LoadPoint]) -> str:
    """The same data as CSV with units in its header; an absent value is an empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(CSV_HEADER)
    for point in points:
        when = datetime.fromtimestamp(point.t_ms / 1000, UTC).isoformat(timespec="milliseconds")
        writer.writerow((when, *astuple(point)[1:]))
    return out.getvalue()


def _percent(held: int | None, limit: int | None) -> float | None:
    if held is None or not limit:
        return None
    return held / limit * 100


def _of(held: int | None, limit: int | None, unit: str) -> str:
    if held is None:
        return ABSENT
    return f"{held} {unit}, no limit known" if limit is None else f"{held} of {limit} {unit}"


def _count(value: int | None) -> str:
    return ABSENT if value is None else f"{value} requests"
