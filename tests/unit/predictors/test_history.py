"""Past selections order the candidates: variable-order Markov with back-off, times recency and frequency."""

from dataclasses import replace

import pytest

from apps.predictors.history import PastSelections
from apps.predictors.interface import Box
from apps.serving.branch.candidates import Context, ProposalLimits
from apps.serving.branch.history import DAY_MS, HistoryConfig, Tally, contexts_of, weights
from apps.stores.memory.history import MemoryHistory
from tests.unit.predictors.doubles import HERE, MENU, OFFERED

NOW = 1_800_000_000_000
STEADY = HistoryConfig(lasting_half_life_ms=10**18, recent_half_life_ms=10**18)
OPEN = Context("t/shared", NOW)


def taught(*sequences: str, config: HistoryConfig = STEADY) -> PastSelections:
    """One that saw these users, each a row of one-letter kinds."""
    past = PastSelections(MemoryHistory(config), config)
    for user, kinds in enumerate(sequences):
        for place, kind in enumerate(kinds):
            past.learn(HERE, replace(OPEN, recent=tuple(kinds[:place])), kind, f"{user}.{place}")
    return past


def proposed(past: PastSelections, context: Context) -> tuple[str, ...]:
    box = Box(context, ProposalLimits())
    past.predict(HERE, context, box)
    return box.close().choices


def test_without_a_past_nothing_is_said():
    assert proposed(taught(), MENU) == ()


def test_what_was_selected_more_often_comes_first():
    assert proposed(taught("a", "b", "b"), OPEN) == ("b", "a")


def test_what_followed_the_latest_selections_comes_before_what_is_frequent():
    past = taught("xb", "xb", "xb", *"aaaa")
    assert proposed(past, OPEN)[0] == "a"
    assert proposed(past, replace(OPEN, recent=("x",)))[0] == "b"


def test_a_longer_context_overrules_a_shorter_one():
    past = taught(*["pxb"] * 3, *["qxa"] * 4)
    assert proposed(past, replace(OPEN, recent=("x",)))[0] == "a"
    assert proposed(past, replace(OPEN, recent=("p", "x")))[0] == "b"


def test_a_context_never_seen_backs_off_to_its_known_end():
    past = taught(*["xb"] * 3, *"aaaa")
    assert proposed(past, replace(OPEN, recent=("never", "x"))) == proposed(past, replace(OPEN, recent=("x",)))
    assert proposed(past, replace(OPEN, recent=("never",))) == proposed(past, OPEN)


def test_of_equally_frequent_kinds_the_one_selected_last_comes_first():
    config = HistoryConfig()
    past = PastSelections(MemoryHistory(config), config)
    for number, (kind, at_ms) in enumerate((("new", NOW), ("old", NOW - DAY_MS), ("older", NOW - 2 * DAY_MS))):
        past.learn(HERE, replace(OPEN, now_ms=at_ms), kind, str(number))
    assert proposed(past, OPEN) == ("new", "old", "older")


def test_the_weight_is_the_stated_formula():
    day = HistoryConfig(lasting_half_life_ms=10**18, recent_half_life_ms=DAY_MS)
    root = {"a": Tally(3.0, 2.0, NOW), "b": Tally(1.0, 1.0, NOW - DAY_MS)}
    after = {"b": Tally(1.0, 1.0, NOW - DAY_MS)}

    found = weights([root, after], NOW, day)

    p_a, p_b = (3 + 1) / (4 + 1), (1 + 1) / (4 + 1)
    assert found["a"] == pytest.approx((p_a / 2) ** 1.65 * 2 ** (1 / 1.65))
    assert found["b"] == pytest.approx(((1 + p_b) / 2) ** 1.65 * 0.5 ** (1 / 1.65))


def test_one_order_without_decay_is_the_markov_weight_of_access_rank():
    config = replace(STEADY, alpha=1.0)
    found = weights([{"a": Tally(3.0, 1.0, NOW), "b": Tally(1.0, 1.0, NOW)}], NOW, config)
    assert found == pytest.approx({"a": (3 + 1) / (4 + 1), "b": (1 + 1) / (4 + 1)})


def test_a_weight_stays_finite_after_any_time():
    found = weights([{"a": Tally(3.0, 2.0, NOW)}], NOW + 10**15, HistoryConfig())
    assert found == {"a": 0.0}
    assert weights([{"a": Tally(1.0, 1.0, NOW)}], NOW - 10**15, STEADY)["a"] == pytest.approx(1.0)
    assert weights([], NOW) == {}


def test_options_are_counted_by_what_they_do_not_by_their_place():
    past = taught()
    past.learn(HERE, MENU, "menu", "b1")
    assert proposed(past, MENU) == ("2",)
    moved = replace(MENU, offered=(OFFERED[2], OFFERED[0]))
    assert proposed(past, moved) == ("2",)


def test_one_tenant_never_learns_from_another():
    past = taught("a")
    assert proposed(past, replace(OPEN, partition="other/shared")) == ()


def test_a_selection_told_twice_counts_once():
    past = taught()
    assert past.learn(HERE, OPEN, "a", "b1")
    assert not past.learn(HERE, OPEN, "a", "b1")


@pytest.mark.parametrize(
    ("kind", "fault"), [("", "0 characters"), ("x" * 201, "201 characters"), ("\ud800", "surrogate")]
)
def test_a_kind_that_cannot_be_kept_is_refused_by_name(kind, fault):
    with pytest.raises(ValueError, match=f"^kind .*{fault}"):
        taught().learn(HERE, OPEN, kind, "b1")


def test_contexts_are_the_ends_of_what_was_selected_up_to_the_order():
    assert len(contexts_of((), 3)) == 1
    assert len(contexts_of(("a", "b", "c", "d"), 3)) == 4
    assert contexts_of(("z", "b"), 1) == contexts_of(("a", "b"), 1)
    assert contexts_of(("ab",), 1) != contexts_of(("a", "b"), 2)[:2]
