"""The engine requests of the model stages. Short, constant part first: prefill is what costs on a CPU."""

from collections.abc import Sequence

from django.conf import settings

from apps.concierge.facts import Sheet
from apps.serving.names import Json

REPLY_SYSTEM = "You repeat what you are told."
# Two examples keep the small model from commenting on the text instead of saying it; being constant, they are
# prefilled once per engine slot.
REPLY_EXAMPLES = (
    "Take Tram 9 to Elm Square, 2 minutes on foot from Bar Uno.",
    "No, Cafe Nord does not offer parking.",
)
UNDERSTAND_SYSTEM = "Choose the option that fits what the visitor says."
LETTERS = "ABCDEF"


def reply_body(sheet: Sheet) -> dict[str, Json]:
    """Restate the facts; at most about half as many tokens again as the plain sentences need."""
    text = " ".join(f.text for f in sheet.facts)
    return {
        **_base(REPLY_SYSTEM, f'Repeat: "{text}"', REPLY_EXAMPLES),
        "max_tokens": min(96, 16 + len(text) // 2),
        "stop": ["\n"],
    }


def understand_body(text: str, options: Sequence[str]) -> dict[str, Json]:
    """Choose one of the readings; the schema leaves the model no other answer."""
    letters: list[Json] = list(LETTERS[: len(options)])
    listed = "\n".join(f"{letter}: {option}" for letter, option in zip(letters, options, strict=True))
    # A bare string instead of an object: three tokens to decode, not ten.
    schema: Json = {"type": "string", "enum": letters}
    return {
        **_base(UNDERSTAND_SYSTEM, f"{listed}\nVisitor: {text}"),
        "max_tokens": 12,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reading", "schema": schema}},
    }


def _base(system: str, user: str, examples: Sequence[str] = ()) -> dict[str, Json]:
    messages: list[Json] = [{"role": "system", "content": system}]
    for said in examples:
        messages += [{"role": "user", "content": f'Repeat: "{said}"'}, {"role": "assistant", "content": said}]
    return {
        "model": settings.ENGINE_MODEL,
        "messages": [*messages, {"role": "user", "content": user}],
        "temperature": 0,
        "seed": 0,
    }
