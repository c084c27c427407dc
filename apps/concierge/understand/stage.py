"""The `understand` stage: the model names one label, and the rendered input says which request that is."""

import json
from collections.abc import Mapping
from contextlib import aclosing

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
    label = chosen_label(text, rendered["requests"])
    meant = label or str(rendered["likely"][0])
    return Result(
        output={"choice": choice_of(meant, rendered), "label": meant, "request": rendered["requests"][meant]},
        reads={},
        engine_ms=end.engine_ms,
        notes={
            "fallback": label is None,
            "prompt_tokens": end.prompt_tokens,
            "completion_tokens": end.completion_tokens,
        },
    )


def chosen_label(text: str, requests: Mapping[str, Json]) -> str | None:
    """The label that the answer names, quoted as JSON or bare; None when it names none."""
    try:
        label = json.loads(text)
    except ValueError:
        label = text.strip().strip('".').lower()
    return label if isinstance(label, str) and label in requests else None


def choice_of(label: str, rendered: Mapping[str, Json]) -> str:
    """The candidate's key: several labels may mean one request here, and then the first of the likely ones stands."""
    requests = rendered["requests"]
    return next((likely for likely in rendered["likely"] if requests[likely] == requests[label]), label)
