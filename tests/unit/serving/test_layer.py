"""The life of one request, in the core alone: open, admit, fill, resolve, demand, promote, settle."""

from itertools import count

import pytest

from apps.serving.branch.candidates import proposal
from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.branch.record import BranchRecord, BranchState
from apps.serving.config import Mode, ServingConfig
from apps.serving.effects import AbortFill, Announce, StartChain
from apps.serving.errors import NotSpeculable
from apps.serving.gate.policy import PlainGate
from apps.serving.layer import Layer, Stores
from apps.serving.names import Coordinate, reuse_name
from apps.serving.outcomes import Hit, Miss, MissReason, Pending, Promoted, Result
from apps.serving.workflow import DecisionPoint, Semantics, Stage, StageKind, Window, Workflow
from apps.stores.memory import MemoryStore

NOW = 1_000_000
LOOK = Stage("look", StageKind.TOOL, True, 1)
SAY = Stage("say", StageKind.MODEL, True, 1, kv_tokens=100)
BOOK = Stage("book", StageKind.TOOL, False, 1)
WORKFLOW = Workflow("toy", 1, (LOOK, SAY, BOOK), (DecisionPoint("say", Semantics.INDEPENDENT, Window.USER),))


class Bench:
    """A layer over memory, and short ways to bring a fill to where a test needs it."""

    def __init__(self, **config: int) -> None:
        self.store = MemoryStore()
        ids = count(1)
        self.layer = Layer(
            Stores(
                self.store.library,
                self.store.shadows,
                self.store.branches,
                self.store.records,
                self.store.reservations,
            ),
            PlainGate(),
            ServingConfig(**config),
            lambda: f"{next(ids):032x}",
        )
        self.store.records.publish({"place:a": 1}, NOW)

    def open(self, *choices: str, semantics: Semantics = Semantics.INDEPENDENT) -> tuple[str, list]:
        branch = BranchRecord(
            self.layer.new_id(), Coordinate("toy", 1, "say"), semantics, {"conversation": "c"}, NOW, NOW + 60_000
        )
        proposals = [
            proposal(WORKFLOW, choice, rank, f"action {choice}", {"pick": choice}, ("look", "say"))
            for rank, choice in enumerate(choices)
        ]
        return branch.branch_id, self.layer.on_branch_opened(branch, proposals, None, NOW)

    def chain(self, branch_id: str, choice: str):
        chains = [self.store.shadows.chain(c) for c in self.store.branches.chains(branch_id)]
        return next(chain for chain in chains if chain.choice == choice)

    def start(self, branch_id: str, choice: str, position: int = 0):
        fill_id = self.chain(branch_id, choice).fill_ids[position]
        name = self.name(choice, position)
        assert self.store.shadows.start(fill_id, name, "worker", NOW) is None
        return fill_id, name

    def shadow(self, branch_id: str, choice: str, position: int = 0):
        fill_id, name = self.start(branch_id, choice, position)
        result = Result({"text": choice}, {"place:a": 1}, 40.0, {})
        assert self.store.shadows.complete(fill_id, result, NOW, NOW + 60_000) is None
        return fill_id, name

    @staticmethod
    def name(choice: str, position: int = 0):
        return reuse_name("t/shared", "f" * 64, {"pick": choice, "position": position})

    def demand(self, name, mode: Mode = Mode.FULL, expected: str | None = None, stage: str = "look"):
        return self.layer.on_demand(name, mode, expected, stage, NOW)

    def state(self, fill_id: str) -> FillState:
        return self.store.shadows.fill(fill_id).state

    def held(self) -> tuple[int, int]:
        return tuple(self.store.reservations.held(NOW))


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_an_opened_branch_reserves_and_starts_its_candidates_in_rank_order(bench):
    _, effects = bench.open("0", "1", "2")

    starts = [effect for effect in effects if isinstance(effect, StartChain)]
    assert [bench.store.shadows.chain(s.chain_id).choice for s in starts] == ["0", "1", "2"]
    assert bench.held() == (3, 300)


def test_what_does_not_fit_is_refused_with_its_reason_and_holds_nothing():
    bench = Bench(fill_slots=2)

    _, effects = bench.open("0", "1", "2")

    opened = next(e for e in effects if isinstance(e, Announce) and e.kind == "branch.opened")
    assert [c["admitted"] for c in opened.data["candidates"]] == [True, True, False]
    assert "no fill slot free" in opened.data["candidates"][2]["reason"]
    assert bench.held() == (2, 200)


def test_the_kv_budget_is_a_limit_of_its_own():
    bench = Bench(fill_kv_tokens=150)

    _, effects = bench.open("0", "1")

    assert len([e for e in effects if isinstance(e, StartChain)]) == 1


def test_opening_the_same_branch_twice_admits_once(bench):
    branch = BranchRecord("b" * 32, Coordinate("toy", 1, "say"), Semantics.INDEPENDENT, {}, NOW, NOW + 1)
    one = [proposal(WORKFLOW, "0", 0, "a", {}, ("look",))]

    assert bench.layer.on_branch_opened(branch, one, None, NOW)
    assert bench.layer.on_branch_opened(branch, one, None, NOW) == []
    assert bench.held()[0] == 1


def test_a_stage_that_is_not_declared_speculable_can_not_be_proposed():
    with pytest.raises(NotSpeculable, match="book"):
        proposal(WORKFLOW, "0", 0, "Book it", {}, ("look", "book"))


def test_a_shadow_is_invisible_to_the_library_and_promoted_by_its_own_demand(bench):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.shadow(branch_id, "0")
    assert bench.store.library.probe(name, NOW) == Miss(MissReason.ABSENT)

    answer = bench.demand(name)

    assert isinstance(answer, Promoted)
    assert answer.fill_id == fill_id
    assert bench.state(fill_id) is FillState.PROMOTED


def test_a_promoted_result_serves_once_with_c1_off_and_again_with_c1_on():
    for mode, second in ((Mode.C2, Miss), (Mode.FULL, Hit)):
        bench = Bench()
        branch_id, _ = bench.open("0")
        _, name = bench.shadow(branch_id, "0")

        assert isinstance(bench.demand(name, mode), Promoted)
        assert isinstance(bench.demand(name, mode), second)


@pytest.mark.parametrize("mode", [Mode.FLOOR, Mode.C1])
def test_without_speculation_no_shadow_is_promoted(bench, mode):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.shadow(branch_id, "0")

    assert isinstance(bench.demand(name, mode), Miss)
    assert bench.state(fill_id) is FillState.SHADOW


def test_a_written_record_makes_the_shadow_stale_and_the_demand_a_miss(bench):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.shadow(branch_id, "0")

    bench.store.records.begin_write(["place:a"], "w", NOW + 5_000)
    assert bench.demand(name) == Miss(MissReason.UNCERTAIN)
    invalidated = bench.store.records.commit_write({"place:a": 2}, "w", NOW)

    assert invalidated == (fill_id,)
    assert bench.state(fill_id) is FillState.STALE
    assert isinstance(bench.demand(name), Miss)


def test_a_running_fill_of_the_demanded_name_is_pending(bench):
    branch_id, _ = bench.open("0")
    fill_id, name = bench.start(branch_id, "0")

    assert bench.demand(name) == Pending(fill_id, branch_id)


def test_the_expected_chain_is_awaited_between_two_of_its_stages(bench):
    branch_id, _ = bench.open("0")
    bench.shadow(branch_id, "0", position=0)
    chain = bench.chain(branch_id, "0")

    answer = bench.demand(bench.name("0", 1), expected=chain.chain_id, stage="say")

    assert answer == Pending(chain.fill_ids[1], branch_id)


def test_an_independent_selection_keeps_shadows_and_drops_unfinished_work_of_the_others(bench):
    branch_id, _ = bench.open("0", "1", "2")
    done, _ = bench.shadow(branch_id, "0")
    running, _ = bench.start(branch_id, "1")
    picked_running, _ = bench.start(branch_id, "2")

    picked, effects = bench.layer.on_resolved(branch_id, "2", NOW)

    assert picked == bench.chain(branch_id, "2").chain_id
    assert bench.state(done) is FillState.SHADOW
    assert bench.state(running) is FillState.DISCARDED
    assert bench.state(picked_running) is FillState.RUNNING
    assert [e.fill_id for e in effects if isinstance(e, AbortFill)] == [running]


def test_an_exclusive_selection_leaves_nothing_of_the_losers(bench):
    branch_id, _ = bench.open("0", "1", semantics=Semantics.EXCLUSIVE)
    loser, loser_name = bench.shadow(branch_id, "0")
    _, winner_name = bench.shadow(branch_id, "1")

    bench.layer.on_resolved(branch_id, "1", NOW)

    assert bench.state(loser) is FillState.DISCARDED
    assert isinstance(bench.demand(loser_name), Miss)
    assert isinstance(bench.demand(winner_name), Promoted)


def test_a_picked_chain_that_no_worker_has_taken_is_given_up_and_not_waited_for(bench):
    branch_id, _ = bench.open("0")

    picked, _ = bench.layer.on_resolved(branch_id, "0", NOW)

    assert picked is None
    assert bench.held() == (0, 0)


def test_what_a_picked_chain_has_not_begun_is_given_up_and_what_it_has_stays_promotable(bench):
    branch, _ = bench.open("0")
    fill_id, name = bench.shadow(branch, "0")

    picked, _ = bench.layer.on_resolved(branch, "0", NOW)

    assert picked is None  # its next stage waits in a queue: the demand is quicker
    assert bench.state(bench.chain(branch, "0").fill_ids[1]) is FillState.DISCARDED
    assert bench.state(fill_id) is FillState.SHADOW
    assert isinstance(bench.demand(name), Promoted)
    assert bench.held() == (0, 0)


def test_settling_again_leaves_the_picked_chain_alone_between_two_of_its_stages(bench):
    branch, _ = bench.open("0", "1")
    fill_id, _ = bench.start(branch, "0")
    bench.layer.on_resolved(branch, "0", NOW)
    result = Result({"text": "0"}, {"place:a": 1}, 40.0, {})
    assert bench.store.shadows.complete(fill_id, result, NOW, NOW + 60_000) is None

    assert bench.layer.settle_again(branch, NOW) == []
    assert bench.state(bench.chain(branch, "0").fill_ids[1]) is FillState.RESERVED


def test_an_unknown_choice_promotes_nothing_and_a_second_selection_changes_nothing(bench):
    branch_id, _ = bench.open("0")
    fill_id, _ = bench.start(branch_id, "0")

    picked, _ = bench.layer.on_resolved(branch_id, "no such action", NOW)

    assert picked is None
    assert bench.state(fill_id) is FillState.DISCARDED
    assert bench.layer.on_resolved(branch_id, "0", NOW) == (None, [])


def test_fills_can_not_be_admitted_under_a_decided_branch(bench):
    branch_id, _ = bench.open("0")
    bench.layer.on_resolved(branch_id, None, NOW)
    chain = bench.chain(branch_id, "0")

    assert bench.store.shadows.create_chain(chain, [], NOW) == Miss(MissReason.STATE)


def test_a_branch_settles_when_its_last_shadow_has_ended(bench):
    branch_id, _ = bench.open("0", "1")
    for choice in ("0", "1"):
        for position in (0, 1):
            bench.shadow(branch_id, choice, position)
    bench.layer.on_resolved(branch_id, "0", NOW)
    for position in (0, 1):
        assert isinstance(bench.demand(bench.name("0", position)), Promoted)
    assert bench.layer.settle(branch_id, NOW) == []

    bench.store.shadows.sweep(NOW + 60_001, 100)

    assert [e.kind for e in bench.layer.settle(branch_id, NOW)] == ["branch.settled"]
    assert bench.store.branches.branch(branch_id).state is BranchState.SETTLED


def test_ending_a_chain_releases_its_reservation_whatever_its_state(bench):
    branch_id, _ = bench.open("0")
    fill_id, _ = bench.start(branch_id, "0")

    bench.layer.end_chain(bench.chain(branch_id, "0"), FillEvent.FAIL, "its worker is gone", NOW)

    assert bench.state(fill_id) is FillState.FAILED
    assert bench.held() == (0, 0)
    assert bench.layer.end_chain(bench.chain(branch_id, "0"), FillEvent.FAIL, "again", NOW) == []


def test_a_write_aborts_what_a_chain_still_runs_on_top_of_a_stale_shadow(bench):
    branch_id, _ = bench.open("0")
    bench.shadow(branch_id, "0", 0)
    running, _ = bench.start(branch_id, "0", 1)
    bench.store.records.begin_write(["place:a"], "w", NOW + 5_000)
    invalidated = bench.store.records.commit_write({"place:a": 2}, "w", NOW)

    effects = bench.layer.on_invalidated(invalidated, NOW)

    assert [e.fill_id for e in effects if isinstance(e, AbortFill)] == [running]
    assert bench.state(running) is FillState.STALE


def test_a_canonical_result_is_kept_only_with_c1_on(bench):
    result = Result({"text": "x"}, {"place:a": 1}, 5.0, {})

    assert bench.layer.on_executed(bench.name("x"), Mode.C2, result, "canonical:1", NOW) == Miss(MissReason.BYPASS)
    assert bench.layer.on_executed(bench.name("x"), Mode.FULL, result, "canonical:1", NOW) is None
    assert isinstance(bench.demand(bench.name("x")), Hit)


def test_no_result_crosses_a_namespace(bench):
    result = Result({"text": "x"}, {}, 5.0, {})
    mine = reuse_name("tenant-a/shared", "f" * 64, {"q": 1})
    theirs = reuse_name("tenant-b/shared", "f" * 64, {"q": 1})

    bench.layer.on_executed(mine, Mode.FULL, result, "canonical:1", NOW)

    assert bench.demand(theirs) == Miss(MissReason.ABSENT)
