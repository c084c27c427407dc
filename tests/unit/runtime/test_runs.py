"""What a process remembers of its runs: how their stages were answered, and the chain that was begun for one."""

from apps.runtime import runs as runs_module
from apps.runtime.lineage import Lineage
from apps.runtime.runs import Runs
from apps.serving.outcomes import Result
from apps.serving.workflow import Sharing, Stage, StageCall, StageKind

CALL = StageCall(Stage("look", StageKind.TOOL, True, 1), {}, Sharing.TENANT)


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


def test_what_one_run_has_done_is_nothing_to_another():
    runs = Runs()

    runs.done("t1", CALL, None, Result("", {"a": 1}, 0.0, {}))

    assert runs.lineage("t1").inherited(CALL) == {"a": 1}
    assert runs.lineage("t2") == Lineage()


def test_a_stage_that_is_done_does_not_take_the_runs_chain_from_it():
    runs = Runs()
    runs.picked("conv", "chain")
    runs.chain_of("conv", "t1")

    runs.done("t1", CALL, None, Result("", {}, 0.0, {}))

    assert runs.chain_of("conv", "t1") == "chain"


def test_the_oldest_run_is_forgotten_first(monkeypatch):
    monkeypatch.setattr(runs_module, "REMEMBERED", 2)
    runs = Runs()

    for turn in ("t1", "t2", "t3"):
        runs.done(turn, CALL, None, Result("", {"a": 1}, 0.0, {}))

    assert runs.lineage("t1") == Lineage()
    assert runs.lineage("t2") != Lineage()
