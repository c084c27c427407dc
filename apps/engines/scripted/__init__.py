"""An engine that does as it is told: a real HTTP server, for tests and for trying the product without a model.

In a test: `with ScriptedEngine() as engine: engine.behave(token_s=0.01)`. As a process:
`python -m apps.engines.scripted --port 8100`, told over HTTP by `PUT /script`.
"""

from apps.engines.scripted.behaviour import Behaviour, Outcome, Seen
from apps.engines.scripted.engine import ScriptedEngine

__all__ = ["Behaviour", "Outcome", "ScriptedEngine", "Seen"]
