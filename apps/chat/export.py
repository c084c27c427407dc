"""A conversation to take away: as Markdown to read, as JSON with everything in it."""

from datetime import UTC, datetime
from typing import Any

from apps.chat.models import Kind, State
from apps.chat.queries import Whole
from apps.serving.names import Json

UNTITLED = "Conversation"


def as_json(whole: Whole) -> dict[str, Json]:
    """The whole tree with its picks, offers and timing; `html` is left out, since `reply` gives it."""
    turns: list[Json] = [{k: v for k, v in turn.items() if k != "html"} for turn in whole.turns]
    return {"format": "dynbranch.conversation", "version": 1, "conversation": whole.conversation, "turns": turns}


def as_markdown(whole: Whole) -> str:
    """Every turn once, oldest first; a turn that does not follow the one above it says what it follows."""
    title = _one_line(str(whole.conversation["title"] or UNTITLED))
    lines = [f"# {title}", "", f"Started {_when(whole.conversation['created_ms'])}."]
    numbers = {turn["id"]: number for number, turn in enumerate(whole.turns, 1)}
    before: Json = None
    for turn in whole.turns:
        lines += ["", *_turn_lines(turn, numbers, before)]
        before = turn["id"]
    return "\n".join(lines) + "\n"


def _turn_lines(turn: dict[str, Any], numbers: dict[Any, int], before: Json) -> list[str]:
    number = numbers[turn["id"]]
    follows = "" if turn["parent"] == before else f" (follows {numbers.get(turn['parent'], 'nothing')})"
    lines = [f"## {number}. {_when(turn['created_ms'])}{follows}", ""]
    if turn["kind"] == Kind.TEXT:
        lines += [*(f"> {line}" for line in turn["text"].split("\n")), ""]
    elif turn["kind"] == Kind.PICK:
        lines += [f"> *Picked:* {_one_line(turn['text'])}", ""]
    lines.append(turn["reply"] or "*No answer.*")
    if turn["state"] != State.DONE:
        lines += ["", f"*{_one_line(turn['error'] or turn['state'])}*"]
    if turn["offer"]:
        actions = turn["offer"]["actions"]
        lines += ["", *(f"{action['index'] + 1}. {_one_line(action['label'])}" for action in actions)]
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _when(at_ms: Any) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
