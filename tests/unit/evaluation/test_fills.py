from apps.evaluation.fills import FillTrace, count


def trace(*moves: tuple[str, float], engine_ms: float | None = None) -> FillTrace:
    fill = FillTrace("f", "reply")
    for state, at_ms in moves:
        data = {"fill": "f", "stage": "reply", "state": state, "reason": ""}
        fill = fill.moved(data if engine_ms is None else {**data, "engine_ms": engine_ms}, at_ms)
    return fill


def test_a_fill_costs_the_time_it_ran_when_no_event_states_its_cost():
    assert trace(("running", 100.0), ("shadow", 350.0), ("discarded", 900.0)).cost_ms == 250.0


def test_a_stated_cost_stands_before_the_time_span():
    assert trace(("running", 100.0), ("shadow", 350.0), engine_ms=240.0).cost_ms == 240.0


def test_a_fill_discarded_before_it_ran_cost_nothing():
    assert trace(("discarded", 500.0)).cost_ms == 0.0


def test_a_fill_aborted_while_running_cost_the_time_until_then():
    assert trace(("running", 100.0), ("discarded", 180.0)).cost_ms == 80.0


def test_counts_add_up_and_waste_is_what_was_not_used():
    fills = [
        trace(("running", 0.0), ("shadow", 100.0), ("promoted", 150.0), engine_ms=90.0),
        trace(("running", 0.0), ("shadow", 100.0), ("stale", 150.0), engine_ms=80.0),
        trace(("running", 0.0), ("failed", 30.0)),
        trace(("running", 0.0), ("shadow", 40.0), ("expired", 99.0)),
        trace(("discarded", 10.0)),
        trace(("running", 0.0), ("shadow", 20.0)),
    ]
    found = count(fills)
    assert found.issued == 6
    assert (found.used, found.discarded, found.stale, found.expired, found.failed, found.left) == (1, 1, 1, 1, 1, 1)
    assert (found.engine_ms, found.wasted_ms) == (90 + 80 + 30 + 40 + 20, 80 + 30 + 40 + 20)
    assert found.timed_frac == 2 / 5


def test_no_fills_count_as_nothing():
    assert (count([]).issued, count([]).timed_frac) == (0, None)
