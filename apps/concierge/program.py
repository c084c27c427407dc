"""The built-in demonstration workflow: a concierge of a fictional city. The runtime finds it as `PROGRAM`."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from channels.db import database_sync_to_async

from apps.concierge import queries, services
from apps.concierge.facts import GREETING, sheet
from apps.concierge.offers import offer, uses_today
from apps.concierge.prompts import speech_body, understand_body
from apps.concierge.requests import Request, chain_of, is_own, lookup_query, request
from apps.concierge.speaking import speak
from apps.concierge.state import context_after, offer_view, still_ahead
from apps.concierge.understand import gazetteer
from apps.concierge.understand.reading import read
from apps.concierge.understand.stage import understand
from apps.concierge.workflow import COMMIT, CONFIRM, LOOKUP, OFFER, REPLY, UNDERSTAND, WORKFLOW
from apps.runtime.program import Action, Asker, Candidate, Finished, StageTools
from apps.serving.names import Json
from apps.serving.outcomes import Result
from apps.serving.workflow import Sharing, StageCall, Workflow

Turn = Mapping[str, Json]
Outputs = Mapping[str, Json]


class Concierge:
    """`Program` of apps/runtime/program.py. Holds no state: a turn carries all that its stages use."""

    workflow: Workflow = WORKFLOW

    def start_turn(self, asker: Asker) -> Turn:
        return _turn(request("start"), asker.session, asker.operation, asker.now)

    def text_turn(self, text: str, context: Mapping[str, Json], asker: Asker) -> Turn:
        """A certain reading walks on as if picked; otherwise `understand` chooses among the readings."""
        for action in context.get("actions", []):
            if _folded(text) == _folded(str(action["label"])):
                return self.pick_turn(action["payload"], context, asker)
        gazetteer.refresh()
        reading = read(text, context, asker.now)
        turn = _turn(still_ahead(reading.options[0].request, asker.now), asker.session, asker.operation, asker.now)
        if reading.certain:
            return turn
        options: list[Json] = [
            {"request": still_ahead(o.request, asker.now), "label": o.label} for o in reading.options
        ]
        return {**turn, "request": None, "options": options, "text": reading.text}

    def pick_turn(self, payload: Mapping[str, Json], context: Mapping[str, Json], asker: Asker) -> Turn:
        return _turn(still_ahead(payload, asker.now), asker.session, asker.operation, asker.now)

    def next_call(self, turn: Turn, outputs: Outputs) -> StageCall | None:
        asked = _asked(turn, outputs)
        if asked is None:
            rendered = {"body": _understand_body(turn), "requests": [o["request"] for o in turn["options"]]}
            return StageCall(UNDERSTAND, rendered, Sharing.SESSION)
        for name in chain_of(asked):
            if name not in outputs:
                return _call(name, asked, turn, outputs)
        return None

    async def execute(self, call: StageCall, tools: StageTools) -> Result:
        rendered = call.rendered
        if call.stage in (REPLY, CONFIRM):
            return await speak(rendered, tools)
        if call.stage == UNDERSTAND:
            return await understand(rendered, tools)
        if call.stage == LOOKUP:
            found = await database_sync_to_async(queries.run)(rendered)
            return Result(found.output, found.reads, 0.0, {})
        if call.stage == OFFER:
            actions: list[Json] = list(offer(rendered["request"], rendered["found"], str(rendered.get("today", ""))))
            return Result({"actions": actions}, {}, 0.0, {})
        order = (str(rendered["operation"]), str(rendered["session"]), rendered["order"])
        return Result(await database_sync_to_async(services.run_operation)(*order), {}, 0.0, {})

    def candidates(self, stage: str, turn: Turn, outputs: Outputs) -> Sequence[Candidate]:
        if stage == "understand":
            options = enumerate(turn.get("options", [])[:2])
            return [_candidate(str(i), i, str(o["label"]), turn, o["request"]) for i, o in options]
        actions = enumerate(outputs["offer"]["actions"])
        now = datetime.fromisoformat(str(turn["now"]))
        return [
            _candidate(str(i), i, str(a["label"]), turn, still_ahead(a["payload"], now))
            for i, a in actions
            if a["speculable"]
        ]

    def shown(self, call: StageCall, output: Json) -> str:
        return str(output["text"]) if call.stage in (REPLY, CONFIRM) else ""

    def choice(self, stage: str, output: Json) -> str:
        return str(output["choice"]) if stage == "understand" else ""

    def finish(self, turn: Turn, outputs: Outputs) -> Finished:
        asked = _asked(turn, outputs)
        said = outputs.get("reply") or outputs.get("confirm") or {"text": GREETING}
        offered = outputs["offer"]["actions"]
        actions = tuple(Action(a["label"], a["payload"], a["speculable"]) for a in offered)
        return Finished(str(said["text"]), actions, context_after(asked, outputs, offered))


def _turn(asked: Request, session: str, operation: str, now: datetime) -> dict[str, Json]:
    return {"request": dict(asked), "session": session, "operation": operation, "now": now.isoformat()}


def _candidate(choice: str, rank: int, label: str, turn: Turn, asked: Request) -> Candidate:
    now = datetime.fromisoformat(str(turn["now"]))
    # No operation: a fill walks no mutating stage, and no other stage renders it.
    return Candidate(choice, rank, label, _turn(asked, str(turn["session"]), "", now), chain_of(asked))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _asked(turn: Turn, outputs: Outputs) -> Request | None:
    """What the turn asks for; None until `understand` has said it."""
    if turn["request"] is not None:
        return turn["request"]
    return outputs["understand"]["request"] if "understand" in outputs else None


def _understand_body(turn: Turn) -> Json:
    return understand_body(str(turn["text"]), [str(o["label"]) for o in turn["options"]])


def _call(name: str, asked: Request, turn: Turn, outputs: Outputs) -> StageCall:
    sharing = Sharing.SESSION if is_own(asked) else Sharing.TENANT
    session, found = str(turn["session"]), outputs.get("commit", outputs.get("lookup", {}))
    if name == "lookup":
        return StageCall(LOOKUP, lookup_query(asked, session), sharing)
    if name == "commit":
        rendered = {"session": session, "operation": turn["operation"], "order": asked["order"]}
        return StageCall(COMMIT, rendered, sharing)
    if name == "offer":
        day = {"today": str(turn["now"])[:10]} if uses_today(asked) else {}
        return StageCall(OFFER, {"request": dict(asked), "found": offer_view(found), **day}, sharing)
    said = sheet(asked, found)
    return StageCall(WORKFLOW.stage(name), {"body": speech_body(name, said), **said.as_json()}, sharing)


PROGRAM = Concierge()
