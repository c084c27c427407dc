"""The `understand` stage: the model names one label; which request that is, the turn says."""

import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing

from apps.concierge.understand.labels import LABELS
from apps.engines.base import Completion, Delta, EngineRequest, IncompleteAnswer
from apps.runtime.program import StageTools
from apps.serving.names import Json
from apps.serving.outcomes import Result


async def understand(rendered: Mapping[str, Json], tools: StageTools) -> Result:
    """Run the stage. An answer outside the schema (a cut one, an engine without schemas) means the likeliest label."""
    text, end = "", None
    request = EngineRequest(rendered["body"], tools.request_id, tools.lane)
    async with aclosing(tools.engine.stream(request)) as stream:
        async for piece in stream:
            if isinstance(piece, Delta):
                text += piece.text
            elif isinstance(piece, Completion):
                end = piece
    if end is None:
        raise IncompleteAnswer("understand: the stream ended without a completion")
    label = chosen_label(text)
    meant = label or str(rendered["instead"])
    return Result(
        output={"label": meant, "choice": str(rendered["same"].get(meant, meant))},
        reads={},
        engine_ms=end.engine_ms,
        notes={
            "fallback": label is None,
            "prompt_tokens": end.prompt_tokens,
            "completion_tokens": end.completion_tokens,
        },
    )


def understand_input(body: Mapping[str, Json], likely: Sequence[str], requests: Mapping[str, Json]) -> dict[str, Json]:
    """The stage's rendered input: what decides its label, but none of the requests, which differ between talks.

    instead   the label that stands for an answer outside the schema: the likeliest
    same      label -> the first of the likely ones that means the same request here, where that is another
    """
    firsts = {label: next((one for one in likely if requests[one] == requests[label]), label) for label in requests}
    same: dict[str, Json] = {label: first for label, first in firsts.items() if label != first}
    return {"body": dict(body), "instead": likely[0], "same": same}


def chosen_label(text: str) -> str | None:
    """The label that the answer names, quoted as JSON or bare; None when it names none."""
    try:
        label = json.loads(text)
    except ValueError:
        label = text.strip().strip('".').lower()
    return label if isinstance(label, str) and label in LABELS else None
