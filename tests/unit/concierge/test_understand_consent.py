"""An order that waits for a yes is carried out only when the message agrees to it, and says nothing else."""

import pytest

from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from apps.concierge.understand.labels import LABELS
from apps.concierge.understand.reading import read
from tests.unit.concierge.conftest import MONDAY, asker, typed

PLACE = {"slug": "oro-e-sale", "name": "Oro e Sale", "service": "restaurant", "area": "Riverside"}
BOOK = request("book", place="oro-e-sale", day="2026-12-01", time="19:00", people=2)
CHANGE = request("change", ref="VB234567", people=3)
CANCEL = request("cancel", ref="VB234567")
NO = {"label": "No, leave it", "payload": request("drop", place="oro-e-sale")}


def waiting(asked, do, label, ref="VB234567"):
    """The talk in which `asked` was restated and waits for a yes."""
    commit = {"label": label, "payload": request("commit", order={"do": do})}
    return {"focus": PLACE, "request": asked, "ref": ref, "actions": [commit, NO]}


TALKS = {
    "book": waiting(BOOK, "book", "Yes, book it", None),
    "change": waiting(CHANGE, "change", "Yes, change it"),
    "cancel": waiting(CANCEL, "cancel", "Yes, cancel it"),
}
AGREED = [
    ("book", "yes"), ("book", "Yes please!"), ("book", "ok, go ahead"), ("book", "book it"), ("book", "great, do it"),
    ("book", "1"), ("book", "option 1"), ("book", "that's right"), ("book", "yes yes i'm sure"), ("book", "y"),
    ("change", "yes, change it please"), ("change", "confirm"), ("change", "sounds good"), ("change", "sure thing"),
    ("cancel", "yes"), ("cancel", "yes please cancel it"), ("cancel", "please cancel the booking now"),
    ("cancel", "go ahead"), ("cancel", "cancel"), ("cancel", "I want to cancel my reservation"),
]  # fmt: skip
NOT_AGREED = [
    ("book", "yes?"), ("book", "1?"), ("book", "yes but at 8"), ("book", "is it booked?"), ("book", "yes for 5 people"),
    ("book", "ok cancel it"), ("book", "yes if they have parking"), ("book", "why not"), ("book", "ok wait"),
    ("book", "do not do it"), ("book", "that's not right"), ("book", "yes\u061f"),
    ("book", "great"), ("book", "is that right"), ("book", "yes maybe"), ("book", "yesterday"), ("book", "ok-ish"),
    ("change", "can you change it?"), ("change", "don't change it"), ("change", "yes, and cancel it"),
    ("change", "change it"), ("cancel", "drop it"), ("cancel", "scrap that"),
    ("book", "right now"), ("book", "that's it"), ("change", "cancel it"), ("change", "what would that change"),
    ("change", "no yes"),
    ("cancel", "is it cancelled?"), ("cancel", "please don't cancel it"), ("cancel", "do not cancel"),
    ("cancel", "can i cancel it"), ("cancel", "did you cancel it"), ("cancel", "cancel it?"), ("cancel", "cancelled"),
    ("cancel", "what happens if i cancel"), ("cancel", "never cancel it"), ("cancel", "cancel my other booking"),
    ("cancel", "I'd rather not cancel"), ("cancel", "who said cancel it"), ("cancel", "book it"), ("cancel", "asdf"),
]  # fmt: skip


@pytest.mark.parametrize(("do", "text"), AGREED)
def test_a_clear_yes_carries_the_order_out_by_rule(do, text):
    assert read(text, TALKS[do], MONDAY).certain == request("commit", order={"do": do})


@pytest.mark.parametrize(("do", "text"), NOT_AGREED)
def test_no_label_carries_an_order_out_that_the_words_do_not_agree_to(do, text):
    reading = read(text, TALKS[do], MONDAY)

    assert "commit" not in {meant["op"] for meant in (*reading.requests.values(), reading.certain or {"op": ""})}


@pytest.mark.parametrize(("do", "asked"), [("book", BOOK), ("change", CHANGE), ("cancel", CANCEL)])
def test_a_yes_with_a_question_has_the_order_stated_again(do, asked):
    assert read("yes or what?", TALKS[do], MONDAY).requests["yes"] == asked


def test_a_question_about_a_waiting_cancellation_states_it_again():
    assert read("is it cancelled?", TALKS["cancel"], MONDAY).requests["cancel"] == CANCEL


def test_not_to_cancel_is_first_taken_for_a_no():
    reading = read("please don't cancel it", TALKS["cancel"], MONDAY)

    assert reading.likely[0] == "no"
    assert reading.requests["no"] == NO["payload"]


def test_calling_off_an_order_that_waits_drops_it():
    assert read("ok cancel it", TALKS["book"], MONDAY).certain == request("drop", place="oro-e-sale")


@pytest.mark.parametrize("do", TALKS)
async def test_the_words_of_the_offered_action_itself_carry_it_out(do):
    action = TALKS[do]["actions"][0]

    assert (await typed(action["label"].upper(), TALKS[do], asker()))["request"] == action["payload"]


def test_no_candidate_holds_a_stage_that_may_not_run_ahead():
    """Whatever the rules make of a text: what is guessed to be an order's yes is left to the model."""
    commit, menu = request("commit", order={"do": "cancel"}), request("menu")
    requests = {label: menu for label in LABELS} | {"cancel": commit, "yes": commit}
    turn = {"request": None, "session": "s1", "operation": "op-1", "now": MONDAY.isoformat()}
    turn |= {"requests": requests, "likely": ["cancel", "yes", "menu"], "user": "please cancel the booking now"}

    (candidate,) = PROGRAM.candidates("understand", turn, {})

    assert (candidate.choice, candidate.rank) == ("menu", 0)
    assert candidate.stages == ("lookup", "reply", "offer")
