"""The scripted engine's server: chat answers, abort by id, the side routes of every kind of engine, and /script."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import h11

from apps.engines.scripted.answers import tokens_of
from apps.engines.scripted.behaviour import Behaviour, Outcome, Seen
from apps.engines.scripted.connection import Connection, HttpRequest
from apps.engines.scripted.generation import Generation, now_ms
from apps.serving.names import Json

MODEL = "smollm2-135m-instruct"
SLOT_TOKENS = 2048
GAUGES = """\
# TYPE llamacpp:requests_processing gauge
llamacpp:requests_processing {running}
# TYPE llamacpp:requests_deferred gauge
llamacpp:requests_deferred {waiting}
# TYPE sglang:num_running_reqs gauge
sglang:num_running_reqs {running}
# TYPE sglang:num_queue_reqs gauge
sglang:num_queue_reqs {waiting}
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running {running}
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting {waiting}
# TYPE vllm:kv_cache_usage_perc gauge
vllm:kv_cache_usage_perc {kv_frac}
"""


class ScriptedServer:
    """Runs on one event loop. Its script may be read and replaced from another thread: each is one assignment."""

    def __init__(self, slots: int = 8) -> None:
        self.slot_count = slots
        self.default = Behaviour()
        self.rules: dict[str, Behaviour] = {}
        self.respond: Callable[[Seen], str | None] = lambda seen: None
        self.seen: list[Seen] = []
        self.most_running = 0
        self._slots = asyncio.Semaphore(slots)
        self._aborts: dict[str, asyncio.Event] = {}
        self._open: dict[asyncio.Task[None], Connection] = {}
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """The port that it listens on; 0 asks for a free one."""
        self._server = await asyncio.start_server(self._accepted, host, port)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for _ in range(3):  # a connection that is being accepted reaches `_accepted`, and is closed with the rest
            await asyncio.sleep(0)
        left, self._open = self._open, {}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        # A task that was cancelled while it closed its connection has cancelled the waiting for it too.
        await asyncio.gather(*(connection.close() for connection in left.values()), return_exceptions=True)

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer)
        task = asyncio.create_task(self._connected(connection))
        self._open[task] = connection
        task.add_done_callback(lambda done: self._open.pop(done, None))

    async def _connected(self, connection: Connection) -> None:
        """Serves one request. A task that is cancelled leaves its connection to `stop`."""
        try:
            request = await connection.request()
            if request is not None:
                await self._serve(connection, request)
        except (h11.RemoteProtocolError, ConnectionError):
            pass
        await connection.close()

    async def _serve(self, connection: Connection, request: HttpRequest) -> None:
        try:
            body = json.loads(request.body or b"{}")
        except ValueError:
            return await connection.json(400, {"error": {"message": "the body is not JSON"}})
        if (request.method, request.path) == ("POST", "/v1/chat/completions"):
            return await self._chat(connection, request, body)
        if request.path == "/metrics":
            page = GAUGES.format(**self.load(), kv_frac=self.kv_frac())
            return await connection.whole(200, "text/plain; version=0.0.4", page.encode())
        try:
            answer = self._side(request.method, request.path, body)
        except (ValueError, TypeError, KeyError) as exc:
            return await connection.json(400, {"error": {"message": str(exc)}})
        if answer is None:
            return await connection.json(404, {"error": {"message": f"no route {request.path}"}})
        await connection.json(200, answer)

    async def _chat(self, connection: Connection, request: HttpRequest, body: dict[str, Any]) -> None:
        request_id = body.get("rid") or request.headers.get("x-request-id") or ""
        seen = Seen(len(self.seen), request_id, body, request.headers, now_ms())
        self.seen.append(seen)
        behaviour = self.behaviour_for(seen)
        if refused := refusal(body, behaviour):
            seen.outcome, seen.ended_ms = Outcome.FAILED, now_ms()
            return await connection.json(refused[0], {"error": {"code": refused[0], "message": refused[1]}})
        generation = Generation(connection, seen, behaviour, self.respond)
        try:
            seen.outcome = await self._until_ended(connection, generation)
        except asyncio.CancelledError:
            seen.outcome = Outcome.FAILED
            raise
        finally:
            seen.ended_ms = now_ms()

    async def _until_ended(self, connection: Connection, generation: Generation) -> Outcome:
        """Run the answer until it ends, its client closes, or it is aborted by id."""
        aborted = self._aborts.setdefault(generation.seen.request_id or f"#{generation.seen.number}", asyncio.Event())
        work = asyncio.create_task(generation.run(self._slots))
        closed, abort = asyncio.create_task(connection.closed()), asyncio.create_task(aborted.wait())
        tasks = (work, closed, abort)
        try:
            await asyncio.sleep(0)  # the answer takes its slot first
            self.most_running = max(self.most_running, self.load()["running"])
            watched = (work,) if generation.behaviour.ignore_aborts else tasks
            await asyncio.wait(watched, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            work.cancel()
            await asyncio.wait([work])
            if closed.done():
                return Outcome.DISCONNECTED
            await generation.close_stream("abort")
            return Outcome.ABORTED
        finally:
            self._aborts = {rid: event for rid, event in self._aborts.items() if event is not aborted}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def behaviour_for(self, seen: Seen) -> Behaviour:
        """The first rule whose text is in the prompt, else the default."""
        if not isinstance(seen.body.get("messages"), list):
            return self.default
        return next((rule for text, rule in self.rules.items() if text in seen.prompt), self.default)

    def load(self) -> dict[str, int]:
        outcomes = [seen.outcome for seen in self.seen]
        return {"running": outcomes.count(Outcome.RUNNING), "waiting": outcomes.count(Outcome.WAITING)}

    def kv_frac(self) -> float:
        return sum(self._held()) / (self.slot_count * SLOT_TOKENS)

    def _held(self) -> list[int]:
        """Tokens of each running request, prompt and answer."""
        running = [seen for seen in self.seen if seen.outcome is Outcome.RUNNING]
        return [len(tokens_of(seen.prompt)) + seen.tokens_sent for seen in running]

    def _side(self, method: str, path: str, body: dict[str, Any]) -> Json:
        """The answer of a side route, None where there is none."""
        held = self._held()
        if path == "/abort_request":
            return self._abort(body["rid"])
        if path == "/script" and method in ("PUT", "DELETE"):
            return self.told(body) if method == "PUT" else self.reset()
        if path == "/slots":
            slots = [{"is_processing": True, "n_prompt_tokens": tokens} for tokens in held]
            slots += [{"is_processing": False, "n_prompt_tokens": 0}] * (self.slot_count - len(held))
            return [{"id": number, "n_ctx": SLOT_TOKENS, **slot} for number, slot in enumerate(slots)]
        return self._facts(body).get(path)

    def _facts(self, body: dict[str, Any]) -> dict[str, Json]:
        load = self.load()
        count = len(tokens_of(str(body.get("content") or body.get("prompt") or "")))
        loads = {"num_running_reqs": load["running"], "num_waiting_reqs": load["waiting"]}
        tokens = {"num_used_tokens": sum(self._held()), "max_total_num_tokens": self.slot_count * SLOT_TOKENS}
        server = {"version": "scripted", "max_running_requests": self.slot_count}
        return {
            "/health": {"status": "ok"},
            "/v1/models": {"object": "list", "data": [{"id": MODEL, "root": "scripted", "tags": ["scripted"]}]},
            "/props": {"build_info": "scripted", "total_slots": self.slot_count, "chat_template": "scripted"},
            "/version": {"version": "scripted"},
            "/server_info": {**server, "enable_deterministic_inference": True},
            "/model_info": {"model_path": "scripted"},
            "/v1/loads": {"loads": [{**loads, **tokens}]},
            "/tokenize": {"tokens": list(range(count)), "count": count},
            "/script/seen": [asdict(seen) for seen in self.seen],
            "/script/load": {**load, "most_running": self.most_running},
        }

    def _abort(self, request_id: str) -> Json:
        """By prefix, as SGLang does, and answered the same for an unknown id."""
        for known, event in self._aborts.items():
            if known.startswith(request_id):
                event.set()
        return {}

    def told(self, script: dict[str, Any]) -> Json:
        """{"contains": text} makes a rule for prompts with that text; without it, the default behaviour."""
        fields = {key: value for key, value in script.items() if key != "contains"}
        behaviour = Behaviour.from_json(fields)
        if contains := script.get("contains"):
            self.rules = {**self.rules, contains: behaviour}
        else:
            self.default = behaviour
        return {}

    def reset(self) -> Json:
        """Forget the script and what was seen; running requests go on."""
        self.default, self.rules, self.respond = Behaviour(), {}, lambda seen: None
        self.seen = [seen for seen in self.seen if seen.ended_ms is None]
        self.most_running = 0
        return {}


def refusal(body: dict[str, Any], behaviour: Behaviour) -> tuple[int, str] | None:
    """Status and message of a request that gets no answer."""
    if behaviour.status != 200:
        return behaviour.status, behaviour.message
    if not body.get("stream"):
        return 400, "this engine only streams"
    if not isinstance(body.get("messages"), list):
        return 400, "messages is not a list"
    return None
