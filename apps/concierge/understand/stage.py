"""The `understand` stage: the model chooses one of the readings that the rules found possible."""

import json
from collections.abc import Mapping
from contextlib import aclosing

from apps.concierge.prompts import LETTERS
from apps.engines.base import Completion, Delta, EngineRequest, IncompleteAnswer
from apps.runtime.program import StageTools
from apps.serving.names import Json
from apps.serving.outcomes import Result


async def understand(rendered: Mapping[str, Json], tools: StageTools) -> Result:
    """Run the stage. An answer outside the schema (a cut one, an engine without schemas) means the first reading."""
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
    chosen = chosen_index(text, len(rendered["requests"]))
    index = 0 if chosen is None else chosen
    return Result(
        output={"choice": str(index), "request": rendered["requests"][index]},
        reads={},
        engine_ms=end.engine_ms,
        notes={
            "fallback": chosen is None,
            "prompt_tokens": end.prompt_tokens,
            "completion_tokens": end.completion_tokens,
        },
    )


def chosen_index(text: str, options: int) -> int | None:
    """Which option the answer names; None when it names none."""
    try:
        letter = json.loads(text)
    except ValueError:
        return None
    index = LETTERS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
    return index if 0 <= index < options else None
