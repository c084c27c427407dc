from apps.evaluation.arms import ask
from apps.evaluation.played import Kind
from apps.evaluation.schedule import Step

OFFER = {
    "id": "o1",
    "actions": [
        {"index": 0, "label": "Casa Luma", "kind": "speculable"},
        {"index": 1, "label": "Book it", "kind": "commit"},
    ],
}


def test_a_pick_takes_the_action_at_its_position():
    asked = ask({"offer": OFFER}, Step("pick", 0.2, "hello", 1.0))
    assert (asked.kind, asked.text, asked.offer_id, asked.action) == (Kind.PICK, "Casa Luma", "o1", 0)


def test_an_action_that_writes_is_a_commit():
    assert ask({"offer": OFFER}, Step("pick", 0.9, "hello", 1.0)).kind is Kind.COMMIT


def test_typed_text_remembers_what_was_offered_beside_it():
    asked = ask({"offer": OFFER}, Step("text", 0.2, "hello", 1.0))
    assert (asked.kind, asked.text, asked.action) == (Kind.TEXT, "hello", None)
    assert asked.offered == ("Casa Luma", "Book it")


def test_without_an_offer_a_pick_becomes_typed_text():
    for shown in ({}, {"offer": None}, {"offer": {"id": "o1", "actions": []}}):
        assert ask(shown, Step("pick", 0.2, "hello", 1.0)).text == "hello"
