"""The chat's HTTP interface: JSON in, JSON out; every error names what is wrong and how to mend it."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from apps.chat import export, ports, queries, refusals, services, wire
from apps.chat.owners import ensure_owner, owner_of
from apps.chat.refusals import Refusal
from apps.serving.config import Mode

MAX_TITLE_CHARACTERS = 120
DEFAULT_MODE = Mode.FULL  # the product's own switches still bound it


def refused(refusal: Refusal) -> JsonResponse:
    body = {"code": refusal.code, "message": refusal.message, "mend": refusal.mend}
    return JsonResponse(body, status=refusal.status)


def socket_path(conversation_id: str) -> str:
    return f"/ws/chat/{conversation_id}/"


@never_cache
@require_http_methods(["GET", "POST"])
async def conversations(request: HttpRequest) -> HttpResponseBase:
    if request.method == "POST":
        return await _create(request)
    owner = owner_of(request.session)
    found = await database_sync_to_async(queries.listed)(owner) if owner else []
    return JsonResponse({"conversations": found})


async def _create(request: HttpRequest) -> JsonResponse:
    body = _body(request, {"mode", "title"})
    if isinstance(body, Refusal):
        return refused(body)
    mode = _mode(body.get("mode"))
    title = _title(body["title"]) if body.get("title") else ""
    for value in (mode, title):
        if isinstance(value, Refusal):
            return refused(value)
    run = await services.create(ensure_owner(request.session), str(mode), str(title))
    made = {"id": run.conversation, "socket": socket_path(run.conversation), "url": f"/c/{run.conversation}/"}
    return JsonResponse(made, status=201)


@never_cache
@require_http_methods(["PATCH", "DELETE"])
async def conversation(request: HttpRequest, conversation_id: str) -> HttpResponseBase:
    owner = owner_of(request.session) or ""
    if request.method == "DELETE":
        refusal = await services.delete(conversation_id, owner)
        return refused(refusal) if refusal else HttpResponse(status=204)
    refusal = await services.access(conversation_id, owner)
    if refusal is not None:
        return refused(refusal)
    body = _body(request, {"title"})
    title = body if isinstance(body, Refusal) else _title(body.get("title"))
    if isinstance(title, Refusal):
        return refused(title)
    await services.rename(conversation_id, title)
    return JsonResponse({"id": conversation_id, "title": title})


@never_cache
@require_GET
async def export_markdown(request: HttpRequest, conversation_id: str) -> HttpResponseBase:
    return await _export(
        request,
        conversation_id,
        "md",
        lambda whole: HttpResponse(export.as_markdown(whole), "text/markdown; charset=utf-8"),
    )


@never_cache
@require_GET
async def export_json(request: HttpRequest, conversation_id: str) -> HttpResponseBase:
    pretty = {"indent": 2, "ensure_ascii": False}
    return await _export(
        request, conversation_id, "json", lambda whole: JsonResponse(export.as_json(whole), json_dumps_params=pretty)
    )


async def _export(
    request: HttpRequest, conversation_id: str, suffix: str, render: Callable[[queries.Whole], HttpResponse]
) -> HttpResponse:
    refusal = await services.access(conversation_id, owner_of(request.session))
    whole = None if refusal else await database_sync_to_async(queries.whole)(conversation_id)
    if whole is None:
        return refused(refusal or refusals.UNKNOWN_CONVERSATION)
    response = render(whole)
    response["Content-Disposition"] = f'attachment; filename="conversation-{conversation_id[:8]}.{suffix}"'
    return response


def _body(request: HttpRequest, known: set[str]) -> dict[str, Any] | Refusal:
    try:
        body = json.loads(request.body or b"{}")
    except RequestDataTooBig:
        return refusals.too_long(f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes")
    except (ValueError, RecursionError):
        return refusals.bad_field("body", "is not JSON", "Send a JSON object.")
    if not isinstance(body, dict):
        return refusals.bad_field("body", "must be a JSON object", "Send a JSON object.")
    for name in body:
        if name not in known:
            return refusals.bad_field(name[:40], "is not known here", f"Send only {', '.join(sorted(known))}.")
    return body


def _mode(asked: Any) -> Mode | Refusal:
    if asked is None:
        return DEFAULT_MODE
    if not settings.MODE_CHOICE:
        return refusals.bad_field("mode", "cannot be chosen here", "Leave it out, or set DYNBRANCH_MODE_CHOICE=1.")
    if not isinstance(asked, str) or asked not in set(Mode):
        return refusals.bad_field("mode", "is unknown", f"Use one of {', '.join(Mode)}.")
    return Mode(asked)


def _title(asked: Any) -> str | Refusal:
    mend = f"Send 1 to {MAX_TITLE_CHARACTERS} characters."
    if not isinstance(asked, str):
        return refusals.bad_field("title", "must be text", mend)
    cleaned = wire.clean(asked)
    if isinstance(cleaned, Refusal):
        return refusals.bad_field("title", "is empty or too long", mend)
    line = " ".join(cleaned.split())
    return line if len(line) <= MAX_TITLE_CHARACTERS else refusals.bad_field("title", "is too long", mend)


@require_GET
async def healthz(request: HttpRequest) -> JsonResponse:
    """200 when Redis and the database answer; 503 names the one that does not."""
    answers = {"redis": await _answers(_redis), "database": await _answers(database_sync_to_async(queries.ping))}
    healthy = all(answers.values())
    return JsonResponse({"status": "ok" if healthy else "unavailable", **answers}, status=200 if healthy else 503)


async def _redis() -> None:
    await ports.current().events_head("system")


async def _answers(ask: Callable[[], Awaitable[None]]) -> bool:
    try:
        await ask()
    except (*ports.STORE_AWAY, *queries.DATABASE_AWAY):
        return False
    return True
