from collections import Counter

import pytest

from apps.evaluation.schedule import LONGEST_CONVERSATION, SHORTEST_CONVERSATION, Step, schedule


def steps(turns: int, seed: int = 7, **options: float) -> list[Step]:
    return [step for script in schedule(turns, seed, **options) for step in script.steps]


def test_the_same_seed_gives_the_same_schedule_and_another_seed_another():
    assert schedule(60, 7) == schedule(60, 7)
    assert schedule(60, 7) != schedule(60, 8)


@pytest.mark.parametrize("turns", [1, 5, 60, 61])
def test_a_schedule_has_exactly_the_turns_asked_for(turns):
    assert len(steps(turns)) == turns


def test_conversations_have_five_to_eight_turns_except_the_last():
    lengths = [len(script.steps) for script in schedule(200, 7)][:-1]
    assert set(lengths) == set(range(SHORTEST_CONVERSATION, LONGEST_CONVERSATION + 1))


def test_a_longer_schedule_begins_with_the_conversations_of_a_shorter_one():
    short, long = schedule(30, 7), schedule(300, 7)
    assert long[: len(short) - 1] == short[:-1]


def test_picks_fall_uniformly_over_the_offered_actions():
    picked = Counter(step.index(4) for step in steps(4000) if step.kind == "pick")
    assert set(picked) == {0, 1, 2, 3}
    assert max(picked.values()) < 1.15 * min(picked.values())


def test_the_last_position_is_still_an_offered_action():
    assert Step("pick", 0.999999, "", 1.0).index(5) == 4


def test_about_one_turn_in_six_is_typed_and_none_when_told_so():
    typed = [step for step in steps(3000) if step.kind == "text"]
    assert 400 < len(typed) < 600
    assert all(step.kind == "pick" for step in steps(300, typed_frac=0.0))
