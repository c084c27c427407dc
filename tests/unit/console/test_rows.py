import pytest

from apps.console.rows import FILL_WORDS, MISS_WORDS, WORDS, event_row
from apps.console.tone import Tone
from apps.serving.branch.fill import FillState
from apps.serving.outcomes import MissReason
from apps.serving.ports import Event


def row(kind, **data):
    return event_row(Event(7, kind, data, 1_700_000_000_123))


def test_a_row_says_when_in_utc_and_for_which_conversation():
    shown = row("branch.settled", conversation="c1", branch="b1")

    assert (shown.seq, shown.at, shown.conversation) == (7, "22:13:20.123", "c1")
    assert shown.data == {"conversation": "c1", "branch": "b1"}


def test_a_promoted_shadow_is_told_in_words_and_marked_good():
    shown = row("fill.moved", state="promoted", stage="reply", choice="2", reason="")

    assert shown.words == "shadow promoted: it answered the demand · reply for choice 2"
    assert shown.tone is Tone.GOOD


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        ("discarded", "", "fill discarded: another action was picked"),
        ("failed", "its worker is gone", "fill failed (its worker is gone)"),
        ("molten", "", "fill moved to molten"),
    ],
)
def test_other_ends_of_a_fill_say_why(state, reason, words):
    assert row("fill.moved", state=state, reason=reason).words == words


def test_every_fill_state_and_every_reason_of_a_miss_has_words():
    assert set(FILL_WORDS) == set(FillState)
    assert set(MISS_WORDS) == set(MissReason)


def test_a_served_stage_says_how_and_what_it_saved():
    assert row("stage.served", stage="reply", how="promoted", ms=12.4, saved_ms=830).words == (
        "reply answered from its shadow in 12 ms, 830 ms saved"
    )
    assert row("stage.served", stage="reply", how="executed", ms=900, saved_ms=0, reason="stale").words == (
        "reply ran on the engine in 900 ms: a record that it reads was written since"
    )


def test_a_missing_time_reads_absent_and_not_zero():
    assert row("stage.served", stage="reply", how="executed").words == "reply ran on the engine in absent ms"


def test_an_opened_branch_counts_what_was_admitted():
    candidates = [{"choice": "0", "admitted": True}, {"choice": "1", "admitted": False}]

    assert row("branch.opened", candidates=candidates).words == "branch opened: 1 of 2 candidates admitted"


def test_a_write_says_what_it_made_unusable():
    written = row("write.committed", records=["a", "b"], entries=3, shadows=2, running=0, steps=1)

    assert written.words == "catalogue written: 2 records; 3 kept results, 2 shadows made unusable"
    assert (
        row("write.committed", records=["a"], entries=0).words == "catalogue written: 1 record; nothing made unusable"
    )


@pytest.mark.parametrize("kind", [*WORDS, "something.new"])
@pytest.mark.parametrize("data", [{}, {"turn": None, "candidates": 3, "records": 1, "state": [], "conversation": {}}])
def test_an_event_with_unexpected_data_is_still_a_row_with_words(kind, data):
    shown = row(kind, **data)

    assert shown.words
    assert shown.kind == kind


def test_an_unknown_kind_is_shown_under_its_own_name():
    assert row("something.new", x=1).words == "something.new"
