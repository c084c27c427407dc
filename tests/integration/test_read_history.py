"""The judge of histories, on histories made by hand."""

import pytest

from tests.integration.read_history import NEVER, BrokenHistory, Commit, Served, stale_reads

FIRST = [Commit("a", 1, 0, 0), Commit("b", 1, 0, 0)]


def test_a_value_that_was_committed_all_the_while_is_fresh():
    assert stale_reads(FIRST, [Served("x", {"a": 1, "b": 1}, 10, 20)]) == []


def test_a_value_whose_record_was_replaced_before_the_request_is_stale():
    found = stale_reads([*FIRST, Commit("a", 2, 30, 40)], [Served("x", {"a": 1}, 41, 50)])

    assert len(found) == 1
    assert "a in version 1" in found[0]


@pytest.mark.parametrize(("start", "end"), [(10, 20), (10, 35), (35, 36), (39, 60)])
def test_a_value_is_fresh_while_the_commit_that_replaces_it_may_not_have_happened_yet(start, end):
    assert stale_reads([*FIRST, Commit("a", 2, 30, 40)], [Served("x", {"a": 1}, start, end)]) == []


def test_a_new_value_served_before_its_commit_began_is_no_read_of_this_world():
    assert stale_reads([*FIRST, Commit("a", 2, 30, 40)], [Served("x", {"a": 2}, 10, 29)])
    assert stale_reads([*FIRST, Commit("a", 2, 30, 40)], [Served("x", {"a": 2}, 10, 30)]) == []


def test_two_versions_that_never_were_together_are_stale_though_each_once_was():
    torn = [*FIRST, Commit("a", 2, 30, 40), Commit("b", 2, 60, 70)]

    assert stale_reads(torn, [Served("x", {"a": 1, "b": 2}, 0, 100)])
    assert stale_reads(torn, [Served("x", {"a": 2, "b": 1}, 0, 100)]) == []


def test_two_commits_that_overlap_may_have_come_in_either_order():
    either = [*FIRST, Commit("a", 2, 30, 60), Commit("b", 2, 40, 50)]

    for versions in ({"a": 1, "b": 2}, {"a": 2, "b": 1}):
        assert stale_reads(either, [Served("x", versions, 0, 100)]) == []


def test_a_writer_that_died_in_its_commit_leaves_both_versions_possible():
    died = [*FIRST, Commit("a", 2, 30, NEVER)]

    for version in (1, 2):
        assert stale_reads(died, [Served("x", {"a": version}, 50, 60)]) == []
    assert stale_reads(died, [Served("x", {"a": 2}, 10, 20)])


def test_a_version_that_was_never_committed_is_named():
    (found,) = stale_reads(FIRST, [Served("x", {"a": 7}, 0, 10)])

    assert "never committed" in found
    (found,) = stale_reads(FIRST, [Served("x", {"unknown": 1}, 0, 10)])
    assert "unknown in version 1" in found


def test_a_value_without_reads_is_always_fresh():
    assert stale_reads(FIRST, [Served("x", {}, 0, 10)]) == []


@pytest.mark.parametrize("more", [Commit("a", 1, 5, 6), Commit("a", 3, 5, 6)])
def test_a_log_with_a_version_twice_or_left_out_is_refused(more):
    with pytest.raises(BrokenHistory, match="a: committed versions"):
        stale_reads([*FIRST, more], [])
