from apps.evaluation.comparison import complete_ms_of, equality, paired
from apps.evaluation.played import Kind
from tests.unit.evaluation.builders import played, turn


def pairs(first, second):
    return list(paired(played("floor", *first), played("c2", *second)))


def test_equal_answers_to_equal_questions_are_equal():
    found = equality(pairs([turn(0), turn(1)], [turn(0), turn(1)]))
    assert (found.equal, found.equal_frac, found.diverged, found.differing) == (2, 1.0, 0, ())


def test_answers_that_differ_by_one_byte_are_listed():
    found = equality(pairs([turn(0), turn(1)], [turn(0), turn(1, reply="It is open until 23:00. ")]))
    assert found.equal_frac == 0.5
    assert [pair.first.step for pair in found.differing] == [1]


def test_characters_that_look_alike_are_not_equal():
    found = equality(pairs([turn(reply="caf\u00e9")], [turn(reply="cafe\u0301")]))
    assert found.equal == 0


def test_a_failed_answer_equals_nothing_not_even_another_failed_one():
    failed = turn(state="failed", reply="")
    assert equality(pairs([failed], [failed])).equal == 0


def test_other_offers_divert_the_rest_of_their_conversation_only():
    first = [turn(0), turn(1), turn(2), turn(0, conversation=1)]
    second = [turn(0), turn(1, offered=("Other",)), turn(2), turn(0, conversation=1)]
    found = equality(pairs(first, second))
    assert (found.diverged, found.comparable, found.comparable_frac) == (2, 2, 1.0)
    assert found.equal == 4  # the same question and words all the same


def test_only_pairs_that_both_answered_give_latencies():
    first = [turn(0, complete_ms=200.0), turn(1, complete_ms=300.0), turn(2, kind=Kind.TEXT)]
    second = [turn(0, complete_ms=20.0), turn(1, state="failed", complete_ms=1.0), turn(2, kind=Kind.TEXT)]
    assert complete_ms_of(pairs(first, second), Kind.PICK) == ([200.0], [20.0])
