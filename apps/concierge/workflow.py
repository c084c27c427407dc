"""The declared shape of the concierge: stages, decision points, and which stages are safe to run twice."""

from apps.concierge import prompts
from apps.concierge.code_version import code_version
from apps.concierge.understand import prompt as understand
from apps.concierge.understand.reading import MODEL_CHARS
from apps.serving.workflow import DecisionPoint, Semantics, Stage, StageKind, Window, Workflow

_CODE = code_version()
# Bounds of KV hold for the longer dialect, "instructed", with SmolLM2's tokenizer. Of `understand` 240 tokens are the
# same for every message; a character of the message is at most its four bytes, each a token.
_UNDERSTAND_KV = 256 + 4 * MODEL_CHARS + understand.MOST_TOKENS
# Of speech 130 are the same; the plain sentences have up to 80, the answer MOST_TOKENS (325 in all at most, of 2500).
_SPEECH_KV = 136 + 128 + prompts.MOST_TOKENS
UNDERSTAND = Stage("understand", StageKind.MODEL, speculable=True, code_version=_CODE, kv_tokens=_UNDERSTAND_KV)
LOOKUP = Stage("lookup", StageKind.TOOL, speculable=True, code_version=_CODE)
REPLY = Stage("reply", StageKind.MODEL, speculable=True, code_version=_CODE, kv_tokens=_SPEECH_KV)
CONFIRM = Stage("confirm", StageKind.MODEL, speculable=True, code_version=_CODE, kv_tokens=_SPEECH_KV)
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
