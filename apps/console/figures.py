"""From the load stream to the console's figure, in both themes: the page redraws when the reader switches."""

from collections.abc import Sequence
from typing import Any

from apps.figures.load import Drawn, LoadPoint, draw, gap, load_figure
from apps.figures.palette import Theme
from apps.serving.names import Json
from apps.serving.ports import Event

GAP_MS = 5_000  # a longer pause between two load views is drawn as a break


def load_point(event: Event) -> LoadPoint:
    """One `load.view` event of the probe; a reading that is missing or no number is absent."""
    data = event.data
    kv_frac = data.get("kv_frac")
    return LoadPoint(
        event.at_ms,
        _whole(data.get("slots_held")),
        _whole(data.get("slots_max")),
        _whole(data.get("kv_tokens_held")),
        _whole(data.get("kv_tokens_max")),
        float(kv_frac) if isinstance(kv_frac, int | float) and not isinstance(kv_frac, bool) else None,
        _whole(data.get("running")),
        _whole(data.get("waiting")),
    )


def drawn(points: Sequence[LoadPoint], after_ms: int) -> tuple[Drawn, ...]:
    """The points later than `after_ms` as drawn, with a break after every pause of more than `GAP_MS`."""
    first = next((i for i, point in enumerate(points) if point.t_ms > after_ms), len(points))
    result: list[Drawn] = []
    for i in range(first, len(points)):
        if i > 0 and points[i].t_ms - points[i - 1].t_ms > GAP_MS:
            result.append(gap(points[i].t_ms - 1))
        result.append(draw(points[i]))
    return tuple(result)


def load_figures(points: Sequence[LoadPoint]) -> dict[str, dict[str, Any]]:
    """Theme -> figure of load over time."""
    return {theme.value: load_figure(drawn(points, 0), theme) for theme in Theme}


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
