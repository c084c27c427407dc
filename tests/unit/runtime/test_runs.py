"""What a process remembers of its runs: reads accumulate, and a begun chain belongs to one run."""

from apps.runtime.runs import Runs
from apps.serving.outcomes import Result


def result(**reads: int) -> Result:
    return Result("", reads, 0.0, {})


def test_a_chain_that_was_begun_for_one_run_is_never_awaited_by_the_next():
    runs = Runs()
    runs.picked("conv", "chain")

    assert runs.chain_of("conv", "t1") == "chain"
    assert runs.chain_of("conv", "t1") == "chain"
    assert runs.chain_of("conv", "t2") is None


def test_a_later_selection_within_a_run_takes_the_place_of_the_earlier():
    runs = Runs()
    runs.picked("conv", "first")
    runs.chain_of("conv", "t1")
    runs.picked("conv", "second")

    assert runs.chain_of("conv", "t1") == "second"


def test_a_selection_without_a_chain_under_way_leaves_none_to_wait_for():
    runs = Runs()
    runs.picked("conv", "chain")
    runs.picked("conv", None)

    assert runs.chain_of("conv", "t1") is None


def test_what_a_run_has_read_enters_what_it_makes_later_in_the_older_version():
    runs = Runs()
    runs.remember_reads("t1", result(a=1, b=2))
    runs.remember_reads("t1", result(a=3))

    assert runs.with_upstream("t1", result(b=5)).reads == {"a": 1, "b": 2}
    assert runs.with_upstream("t2", result(b=5)).reads == {"b": 5}
