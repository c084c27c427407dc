"""What a demand or a fill may use, and the name under which its result is found. §3.2"""

from collections.abc import Mapping
from dataclasses import replace

from apps.engines.base import Engine, EngineError
from apps.runtime.scope import Scope
from apps.serving.config import Mode
from apps.serving.names import Json, ReuseName, reuse_name
from apps.serving.workflow import StageCall, StageKind, Workflow, fingerprint


def allowed_mode(asked: Mode, speculation: bool, reuse: bool) -> Mode:
    """What a scope asks for, as far as the product's switches allow it."""
    reuses = asked.reuses and reuse
    speculates = asked.speculates and speculation
    if reuses:
        return Mode.FULL if speculates else Mode.C1
    return Mode.C2 if speculates else Mode.FLOOR


async def name_of(call: StageCall, scope: Scope, mode: Mode, workflow: Workflow, engine: Engine) -> ReuseName | None:
    """None when the executor's identity is not known, so that nothing may be reused."""
    executor: Mapping[str, Json] = {}
    if call.stage.kind is StageKind.MODEL:
        try:
            executor = await engine.identity()
        except EngineError:
            return None
    namespace = replace(scope, mode=mode).namespace(call.sharing)
    return reuse_name(namespace, fingerprint(workflow, call.stage, executor), dict(call.rendered))
