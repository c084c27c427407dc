import pytest

from apps.evaluation.transcript import Transcript


def turn(turn_id: str, state: str = "running", reply: str = "") -> dict:
    return {"id": turn_id, "state": state, "reply": reply, "offer": None}


def event(seq: int, kind: str, data: dict, epoch: str = "e1") -> dict:
    return {"type": "event", "epoch": epoch, "seq": seq, "kind": kind, "at_ms": 1000 + seq, "data": data}


def snapshot(seq: int, *turns: dict, epoch: str = "e1", head: str | None = None) -> dict:
    return {"type": "snapshot", "epoch": epoch, "seq": seq, "conversation": {"head": head}, "turns": list(turns)}


@pytest.fixture
def transcript() -> Transcript:
    known = Transcript()
    known.apply(snapshot(4, turn("t0", "done", "Hello")), 1.0)
    known.apply(event(5, "turn.created", {"turn": turn("t1")}), 2.0)
    return known


def test_times_are_those_of_the_first_text_and_of_done(transcript):
    transcript.apply(event(6, "turn.text", {"turn": "t1", "offset": 0, "text": "A"}), 2.5)
    transcript.apply(event(7, "turn.text", {"turn": "t1", "offset": 1, "text": "B"}), 2.7)
    transcript.apply(event(8, "turn.done", {"turn": turn("t1", "done", "AB")}), 3.0)
    assert (transcript.first_at_s["t1"], transcript.done_at_s["t1"]) == (2.5, 3.0)
    assert transcript.shown()["reply"] == "AB"


def test_an_answer_that_comes_whole_is_first_shown_when_it_is_done(transcript):
    transcript.apply(event(6, "turn.done", {"turn": turn("t1", "done", "AB")}), 3.0)
    assert transcript.first_at_s["t1"] == transcript.done_at_s["t1"] == 3.0


def test_empty_text_is_no_first_byte(transcript):
    transcript.apply(event(6, "turn.text", {"turn": "t1", "offset": 0, "text": ""}), 2.5)
    assert "t1" not in transcript.first_at_s


def test_a_restart_voids_the_text_shown_so_far(transcript):
    transcript.apply(event(6, "turn.text", {"turn": "t1", "offset": 0, "text": "A"}), 2.5)
    transcript.apply(event(7, "turn.restarted", {"turn": "t1", "turn_epoch": 2}), 2.6)
    transcript.apply(event(8, "turn.text", {"turn": "t1", "offset": 0, "text": "A"}), 2.9)
    assert transcript.first_at_s["t1"] == 2.9


def test_an_event_seen_twice_changes_nothing(transcript):
    done = event(6, "turn.done", {"turn": turn("t1", "done", "AB")})
    transcript.apply(done, 3.0)
    transcript.apply(done, 9.0)
    assert (transcript.done_at_s["t1"], transcript.seq, transcript.behind) == (3.0, 6, False)


def test_a_gap_is_noticed_and_not_applied_until_a_snapshot_mends_it(transcript):
    transcript.apply(event(9, "turn.done", {"turn": turn("t1", "done", "AB")}), 3.0)
    assert transcript.behind
    assert not transcript.ended("t1")
    transcript.apply(snapshot(9, turn("t0", "done", "Hello"), turn("t1", "done", "AB")), 4.0)
    assert (transcript.behind, transcript.done_at_s["t1"], transcript.head) == (False, 4.0, "t1")


def test_an_event_of_another_epoch_is_a_gap(transcript):
    transcript.apply(event(6, "turn.done", {"turn": turn("t1", "done")}, epoch="e2"), 3.0)
    assert transcript.behind
    assert not transcript.ended("t1")


def test_the_snapshot_names_the_head_where_it_is_not_the_last_turn():
    known = Transcript()
    known.apply(snapshot(4, turn("t0", "done"), turn("t1", "done"), head="t0"), 1.0)
    assert known.shown()["id"] == "t0"


def test_fills_are_followed_through_their_states(transcript):
    for seq, state in ((6, "running"), (7, "shadow"), (8, "promoted")):
        transcript.apply(event(seq, "fill.moved", {"fill": "f1", "stage": "reply", "state": state}), 3.0)
    assert transcript.fills["f1"].state == "promoted"
    assert transcript.fills["f1"].held_ms == 1.0


def test_acks_and_errors_are_kept_by_key(transcript):
    transcript.apply({"type": "ack", "key": "k1", "turn": "t1"}, 2.1)
    transcript.apply({"type": "error", "key": "k2", "code": "stale_offer", "message": "…"}, 2.2)
    assert transcript.acks == {"k1": "t1"}
    assert transcript.errors["k2"]["code"] == "stale_offer"
