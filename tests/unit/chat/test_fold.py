from apps.chat.queries import Whole
from apps.chat.snapshots import fold
from apps.serving.ports import Event


def turn(turn_id="t", state="running", epoch=1, reply=""):
    return {"id": turn_id, "state": state, "epoch": epoch, "reply": reply, "html": ""}


def whole(*turns):
    return Whole({"head": "t", "title": ""}, list(turns))


def text(seq, offset, piece, epoch=1, turn_id="t"):
    return Event(seq, "turn.text", {"turn": turn_id, "turn_epoch": epoch, "offset": offset, "text": piece}, 0)


def test_the_text_of_a_running_turn_is_put_together_from_its_pieces():
    (shown,) = fold(whole(turn()), [text(1, 0, "**Hi"), text(2, 4, "** you")], before=2)

    assert shown["reply"] == "**Hi** you"
    assert shown["html"] == "<p><strong>Hi</strong> you</p>\n"


def test_a_piece_that_was_published_twice_appears_once():
    (shown,) = fold(whole(turn()), [text(1, 0, "ab"), text(2, 2, "cd"), text(3, 2, "cd")], before=3)

    assert shown["reply"] == "abcd"


def test_pieces_of_a_former_epoch_are_void():
    (shown,) = fold(whole(turn(epoch=2)), [text(1, 0, "old"), text(2, 0, "new", epoch=2)], before=2)

    assert shown["reply"] == "new"


def test_a_row_that_ended_is_not_changed_by_its_late_events():
    ended = turn(state="done", reply="whole")
    late = Event(2, "turn.done", {"turn": {**ended, "reply": "other"}}, 0)

    (shown,) = fold(whole(ended), [text(1, 0, "wh"), late], before=0)

    assert shown["reply"] == "whole"


def test_a_turn_that_ended_after_the_rows_were_read_is_shown_as_ended():
    done = Event(2, "turn.done", {"turn": turn(state="done", reply="all")}, 0)

    (shown,) = fold(whole(turn()), [text(1, 0, "a"), done], before=1)

    assert (shown["state"], shown["reply"]) == ("done", "all")


def test_only_later_events_move_the_head_and_the_title():
    rows = whole(turn())
    events = [
        Event(1, "head.changed", {"head": "older"}, 0),
        Event(2, "head.changed", {"head": "newer"}, 0),
        Event(3, "title.changed", {"title": "Later"}, 0),
    ]

    fold(rows, events, before=1)

    assert rows.conversation == {"head": "newer", "title": "Later"}


def test_a_turn_created_and_restarted_after_the_rows_were_read_is_there():
    made = Event(1, "turn.created", {"turn": turn("n")}, 0)
    pieces = [made, text(2, 0, "ab", turn_id="n"), Event(3, "turn.restarted", {"turn": "n", "turn_epoch": 2}, 0)]

    shown = fold(whole(), [*pieces, text(4, 0, "A", epoch=2, turn_id="n")], before=0)

    assert [(t["id"], t["epoch"], t["reply"]) for t in shown] == [("n", 2, "A")]
