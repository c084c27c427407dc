from apps.serving.branch.candidates import Proposal
from apps.serving.gate.load import LoadView
from apps.serving.gate.policy import PlainGate
from apps.serving.names import Coordinate
from apps.serving.workflow import Stage, StageKind

SAY = Stage("say", StageKind.MODEL, True, 1, kv_tokens=100)


def candidate(rank: int) -> Proposal:
    return Proposal(str(rank), rank, f"action {rank}", {}, (SAY,))


def load(slots: int = 0, kv_tokens: int = 0, slots_max: int = 2, kv_tokens_max: int = 250) -> LoadView:
    return LoadView(slots, slots_max, kv_tokens, kv_tokens_max)


def test_every_branch_is_opened():
    assert PlainGate().generation(Coordinate("w", 1, "offer"), load(slots=2)).opens


def test_the_best_rank_comes_first_whatever_the_order_given():
    decision = PlainGate().fill([candidate(2), candidate(0), candidate(1)], load())

    assert decision.admits
    assert decision.proposal.rank == 0


def test_a_candidate_is_refused_when_slots_are_used_up_and_the_reason_says_so():
    decision = PlainGate().fill([candidate(0)], load(slots=2))

    assert not decision.admits
    assert decision.reason == "no fill slot free (2 of 2 held)"


def test_a_candidate_is_refused_when_its_kv_does_not_fit():
    assert PlainGate().fill([candidate(0)], load(kv_tokens=150)).admits
    assert not PlainGate().fill([candidate(0)], load(kv_tokens=151)).admits


def test_a_projected_admission_fills_the_view():
    after = load().project(1, 100).project(1, 100)

    assert (after.fill_frac, after.kv_frac) == (1.0, 0.8)


def test_a_pool_without_slots_or_budget_counts_as_full_not_as_idle():
    empty = load(slots_max=0, kv_tokens_max=0)

    assert (empty.fill_frac, empty.kv_frac) == (1.0, 1.0)
    assert not PlainGate().fill([candidate(0)], empty).admits
