from apps.evaluation.progress import Progress
from tests.unit.evaluation.builders import turn


def test_each_turn_is_told_with_its_place_its_latency_and_the_time_left():
    lines: list[str] = []
    progress = Progress("c2", 4, lines.append)
    progress.started_s -= 10
    progress(turn(complete_ms=123.4))
    progress(turn(state="failed", error="engine: unreachable", complete_ms=None))
    assert lines == [
        "c2: turn 1 of 4, pick 123 ms, served; eta 30 s",
        "c2: turn 2 of 4, pick engine: unreachable; eta 10 s",
    ]
