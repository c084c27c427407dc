"""How the answers of several predictors become one, and how a setting says it."""

import pytest

from apps.predictors.plans import Answer, Combine, Plan, is_decided, merged, parse_plans

KNOWN = ("menu", "history", "read", "draft")


def test_a_menu_is_put_into_the_order_of_another_and_keeps_its_own_where_that_says_nothing():
    plan = Plan(("menu", "history"))
    assert merged(plan, [("0", "1", "2"), ("2", "9")]) == ("2", "0", "1")
    assert merged(plan, [("0", "1", "2"), ()]) == ("0", "1", "2")
    assert merged(plan, [(), ("2",)]) == ()


def test_a_third_orders_only_what_the_second_left_open():
    assert merged(Plan(("menu", "history", "draft")), [("0", "1", "2"), ("2",), ("1", "2")]) == ("2", "1", "0")


def test_a_union_puts_first_what_several_name():
    plan = Plan(("history", "read"), Combine.UNION)
    assert merged(plan, [("a", "b"), ("b", "c")]) == ("b", "a", "c")


def test_a_union_of_one_keeps_its_order_and_equals_go_by_place_in_the_plan():
    plan = Plan(("history", "read"), Combine.UNION)
    assert merged(plan, [("a", "b", "c"), ()]) == ("a", "b", "c")
    assert merged(plan, [("a",), ("b",)]) == ("a", "b")


def test_the_first_with_an_answer_is_taken_whole():
    plan = Plan(("draft", "history", "menu"), Combine.FIRST)
    assert merged(plan, [(), ("b",), ("a", "c")]) == ("b",)
    assert merged(plan, [(), (), ()]) == ()


@pytest.mark.parametrize(
    ("combine", "answers", "decided"),
    [
        (Combine.REORDER, [(("a",), True), ((), False)], False),
        (Combine.UNION, [(("a",), True), (("b",), True)], True),
        (Combine.FIRST, [(("a",), True), ((), False)], True),
        (Combine.FIRST, [(("a",), False), (("b",), True)], False),  # the first may yet say more
        (Combine.FIRST, [((), True), ((), False)], False),
        (Combine.FIRST, [((), True), ((), True)], True),
    ],
)
def test_a_plan_is_decided_once_nothing_to_come_can_change_it(combine, answers, decided):
    assert is_decided(Plan(("one", "two"), combine), [Answer(*answer) for answer in answers]) is decided


def test_a_setting_names_a_plan_for_each_decision_point():
    text = " concierge/offer = menu+history, research/hop=read|draft ,a/b=history&read,c/d=menu,"
    assert parse_plans(text, KNOWN) == {
        "concierge/offer": Plan(("menu", "history")),
        "research/hop": Plan(("read", "draft"), Combine.FIRST),
        "a/b": Plan(("history", "read"), Combine.UNION),
        "c/d": Plan(("menu",)),
    }
    assert parse_plans("", KNOWN) == {}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("concierge/offer", r"'concierge/offer' is not like workflow/decision-point=menu\+history"),
        ("offer=menu", "'offer=menu' is not like"),
        ("a/=menu", "is not like"),
        ("a/b=", "a/b asks ''; known are draft, history, menu, read"),
        ("a/b=menu+magic", "a/b asks 'magic'; known are"),
        ("a/b=menu+history|read", r"a/b mixes \+ and \|; use one of them"),
        ("a/b=menu+menu", "asks a predictor twice"),
        ("a/b=menu,a/b=read", "a/b is there twice"),
    ],
)
def test_a_setting_that_says_no_plan_is_refused_with_its_mend(text, fault):
    with pytest.raises(ValueError, match=f"^DYNBRANCH_PREDICTORS: .*{fault}"):
        parse_plans(text, KNOWN)
