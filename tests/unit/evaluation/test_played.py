import pytest

from apps.evaluation.played import Outcome, stages_of
from tests.unit.evaluation.builders import stages, turn


@pytest.mark.parametrize(
    ("hows", "outcome"),
    [
        (("promoted", "promoted", "promoted"), Outcome.SERVED),
        (("promoted", "promoted", "executed"), Outcome.SERVED),
        (("promoted", "waited", "executed"), Outcome.RUNNING),
        (("hit", "promoted"), Outcome.REUSED),
        (("hit", "waited"), Outcome.RUNNING),
        (("promoted", "executed"), Outcome.MISSED),
        (("executed", "waited"), Outcome.MISSED),
    ],
)
def test_a_pick_is_judged_by_its_stages_through_the_reply(hows, outcome):
    assert turn(stages=stages(*hows)).outcome is outcome


def test_a_turn_without_reported_stages_was_not_served():
    unreported = turn(stages=())
    assert (unreported.outcome, unreported.miss_reason) == (Outcome.MISSED, "unreported")


def test_a_miss_names_the_reason_of_its_first_executed_stage():
    assert turn(stages=stages("promoted", "executed", reason="stale")).miss_reason == "stale"


def test_stages_come_from_the_turns_timing():
    timing = {"stages": [{"stage": "reply", "how": "promoted", "ms": 3, "saved_ms": 9, "reason": "", "notes": {}}]}
    assert stages_of({"timing": timing})[0].how == "promoted"
    assert stages_of(None) == stages_of({"timing": None}) == ()
