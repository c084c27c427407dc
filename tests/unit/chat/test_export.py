from apps.chat import export
from apps.chat.queries import Whole


def turn(turn_id, parent, kind, text, reply, state="done", error=None):
    offer = {"id": "o", "branch": "", "actions": [{"index": 0, "label": "Find\na table", "kind": "speculable"}]}
    return {
        "id": turn_id, "parent": parent, "kind": kind, "text": text, "reply": reply, "html": "<p>x</p>", "state": state,
        "error": error, "offer": offer if kind == "start" else None, "created_ms": 0, "timing": {"first_ms": 12},
    }  # fmt: skip


WHOLE = Whole(
    {"id": "c", "title": "A  trip", "created_ms": 0},
    [
        turn("a", None, "start", "", "Hello."),
        turn("b", "a", "text", "two\nlines", "Yes."),
        turn("d", "a", "pick", "Find a table", "", "failed", "The model is away."),
    ],
)


def test_markdown_holds_every_turn_and_says_what_a_sibling_follows():
    text = export.as_markdown(WHOLE)

    assert text.startswith("# A trip\n")
    assert "> two\n> lines" in text
    assert "## 3. 1970-01-01 00:00:00 UTC (follows 1)" in text
    assert "> *Picked:* Find a table" in text
    assert "*The model is away.*" in text
    assert "1. Find a table" in text


def test_json_holds_the_tree_with_its_timing_and_no_html():
    data = export.as_json(WHOLE)

    assert [t["parent"] for t in data["turns"]] == [None, "a", "a"]
    assert data["turns"][1]["timing"] == {"first_ms": 12}
    assert all("html" not in t for t in data["turns"])
