"""The engine requests of the speaking stages, in two dialects (setting PROMPTS). Constant part first: prefill costs.

terse       for the model trained on exactly this form: the facts, not their sentences; one word of system prompt
instructed  for any other model: it repeats the plain sentences
"""

from collections.abc import Sequence

from django.conf import settings

from apps.concierge.fact_types import Fact
from apps.concierge.facts import Sheet
from apps.serving.names import Json

INSTRUCTED_SYSTEM = "You repeat what you are told."
# Two examples keep the small model from commenting on the text instead of saying it; being constant, they are
# prefilled once per engine slot.
INSTRUCTED_EXAMPLES = (
    "Take Tram 9 to Elm Square, 2 minutes on foot from Bar Uno.",
    "No, Cafe Nord does not offer parking.",
)
MOST_TOKENS = 120


def speech_body(task: str, sheet: Sheet) -> dict[str, Json]:
    """The whole engine request that has `sheet` said; `task` is the stage, "reply" or "confirm".

    At most about half as many tokens again as the plain sentences need.
    """
    text = " ".join(f.text for f in sheet.facts)
    terse = settings.PROMPTS == "terse"
    asked = _base(task, terse_text(sheet)) if terse else _base(INSTRUCTED_SYSTEM, repeat(text), INSTRUCTED_EXAMPLES)
    return {**asked, "max_tokens": min(MOST_TOKENS, 16 + len(text) // 2), "stop": ["\n"]}


def terse_text(sheet: Sheet) -> str:
    """One line per fact: "price hotel: Prism Rooms; $130 per night", or only its kind if it has no values."""
    return "\n".join(f"{kind(f)}: {'; '.join(f.values)}" if f.values else kind(f) for f in sheet.facts)


def kind(stated: Fact) -> str:
    """ "price hotel": what it is about, and the service where one is known"""
    return f"{stated.about} {stated.service}".strip()


def repeat(text: str) -> str:
    return f'Repeat: "{text}"'


def greedy_body(messages: Sequence[Json]) -> dict[str, Json]:
    """What the requests of all stages have in common: the model, asked for its likeliest answer."""
    return {"model": settings.ENGINE_MODEL, "messages": list(messages), "temperature": 0, "seed": 0}


def _base(system: str, user: str, examples: Sequence[str] = ()) -> dict[str, Json]:
    messages: list[Json] = [{"role": "system", "content": system}]
    for said in examples:
        messages += [{"role": "user", "content": repeat(said)}, {"role": "assistant", "content": said}]
    return greedy_body([*messages, {"role": "user", "content": user}])
