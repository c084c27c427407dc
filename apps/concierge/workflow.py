"""The declared shape of the concierge: stages, decision points, and which stages are safe to run twice."""

from apps.concierge.code_version import code_version
from apps.serving.workflow import DecisionPoint, Semantics, Stage, StageKind, Window, Workflow

_CODE = code_version()
UNDERSTAND = Stage("understand", StageKind.MODEL, speculable=True, code_version=_CODE, kv_tokens=320)
LOOKUP = Stage("lookup", StageKind.TOOL, speculable=True, code_version=_CODE)
REPLY = Stage("reply", StageKind.MODEL, speculable=True, code_version=_CODE, kv_tokens=320)
CONFIRM = Stage("confirm", StageKind.MODEL, speculable=True, code_version=_CODE, kv_tokens=320)
OFFER = Stage("offer", StageKind.TOOL, speculable=True, code_version=_CODE)
COMMIT = Stage("commit", StageKind.TOOL, speculable=False, code_version=_CODE)

WORKFLOW = Workflow(
    name="concierge",
    version=1,
    stages=(UNDERSTAND, LOOKUP, REPLY, CONFIRM, OFFER, COMMIT),
    decision_points=(
        DecisionPoint("understand", Semantics.EXCLUSIVE, Window.DECODE),
        DecisionPoint("offer", Semantics.INDEPENDENT, Window.USER),
    ),
)
