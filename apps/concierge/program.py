"""The built-in demonstration workflow: a concierge of a fictional city. The runtime finds it as `PROGRAM`."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from channels.db import database_sync_to_async

from apps.concierge import queries, services
from apps.concierge.facts import GREETING, sheet
from apps.concierge.offers import offer, uses_today
from apps.concierge.prompts import speech_body
from apps.concierge.requests import Request, chain_of, is_own, lookup_query, request
from apps.concierge.speaking import speak
from apps.concierge.state import context_after, offer_view, still_ahead, with_orders
from apps.concierge.understand import gazetteer
from apps.concierge.understand.prompt import understand_body
from apps.concierge.understand.reading import read
from apps.concierge.understand.stage import understand, understand_input
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
        """A certain reading walks on as if picked; otherwise `understand` names a label, and with it a request."""
        for action in context.get("actions", []):
            if _folded(text) == _folded(str(action["label"])):
                return self.pick_turn(action["payload"], context, asker)
        gazetteer.refresh()
        reading = read(text, context, asker.now)
        if reading.certain:
            return self.pick_turn(reading.certain, context, asker)
        turn = {**_turn(None, asker.session, asker.operation, asker.now), **_talk(context)}
        requests: Json = {label: still_ahead(meant, asker.now) for label, meant in reading.requests.items()}
        return {**turn, "requests": requests, "likely": list(reading.likely), "user": reading.user}

    def pick_turn(self, payload: Mapping[str, Json], context: Mapping[str, Json], asker: Asker) -> Turn:
        return {**_turn(still_ahead(payload, asker.now), asker.session, asker.operation, asker.now), **_talk(context)}

    def next_call(self, turn: Turn, outputs: Outputs) -> StageCall | None:
        asked = _asked(turn, outputs)
        if asked is None:
            rendered = understand_input(understand_body(str(turn["user"])), turn["likely"], turn["requests"])
            # A guest's own words: were they shared, a hit would tell another guest that somebody has typed the same.
            return StageCall(UNDERSTAND, rendered, Sharing.SESSION, uses=())
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
            likely = [name for name in _distinct(turn) if _is_speculable(turn["requests"][name])][:2]
            return [_candidate(name, rank, name, turn, turn["requests"][name]) for rank, name in enumerate(likely)]
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
        talk = turn.get("talk", {})
        context = with_orders(context_after(asked, outputs, offered, talk), outputs, talk)
        return Finished(str(said["text"]), actions, context)


def _turn(asked: Request | None, session: str, operation: str, now: datetime) -> dict[str, Json]:
    """asked: None until `understand` has said it"""
    return {
        "request": dict(asked) if asked else None,
        "session": session,
        "operation": operation,
        "now": now.isoformat(),
    }


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
    return turn["requests"][outputs["understand"]["label"]] if "understand" in outputs else None


def _is_speculable(asked: Request) -> bool:
    return all(WORKFLOW.stage(name).speculable for name in chain_of(asked))


def _distinct(turn: Turn) -> list[str]:
    """The likely labels, each meaning a request of its own."""
    requests = turn.get("requests", {})
    firsts: list[str] = []
    for label in turn.get("likely", []):
        if requests[label] not in [requests[known] for known in firsts]:
            firsts.append(label)
    return firsts


def _talk(context: Mapping[str, Json]) -> dict[str, Json]:
    """What a turn keeps of the talk before it, for the turn after it; no stage renders it."""
    kept = {key: context[key] for key in ("search", "focus", "ref", "order", "booked", "worth") if context.get(key)}
    return {"talk": {**kept, "results": context.get("results", [])}}


def _call(name: str, asked: Request, turn: Turn, outputs: Outputs) -> StageCall:
    sharing = Sharing.SESSION if is_own(asked) else Sharing.TENANT
    session, found = str(turn["session"]), outputs.get("commit", outputs.get("lookup", {}))
    # What is asked enters every input, and `understand` said it where the turn did not.
    meant = () if turn["request"] is not None else ("understand",)
    if name == "lookup":
        return StageCall(LOOKUP, lookup_query(asked, session), sharing, uses=meant)
    if name == "commit":
        rendered = {"session": session, "operation": turn["operation"], "order": asked["order"]}
        return StageCall(COMMIT, rendered, sharing, uses=meant)
    uses = (*meant, *(stage for stage in ("commit", "lookup") if stage in outputs))
    if name == "offer":
        day = {"today": str(turn["now"])[:10]} if uses_today(asked) else {}
        return StageCall(OFFER, {"request": dict(asked), "found": offer_view(found), **day}, sharing, uses=uses)
    said = sheet(asked, found)
    return StageCall(WORKFLOW.stage(name), {"body": speech_body(name, said), **said.as_json()}, sharing, uses=uses)


PROGRAM = Concierge()
