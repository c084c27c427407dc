"""The chat's pages. What they hand to templates is listed in docs/interfaces.md."""

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from apps.chat import api, queries, refusals, services
from apps.chat.owners import ensure_owner, owner_of


@require_GET
def robots(request: HttpRequest) -> HttpResponse:
    """Nothing here is for crawlers: a first visit to the start page makes a conversation."""
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain; charset=utf-8")


@require_GET
async def home(request: HttpRequest) -> HttpResponse:
    """The session's latest conversation; a new session gets its first."""
    owner = ensure_owner(request.session)
    conversation_id = await services.latest(owner)
    if conversation_id is None:
        conversation_id = (await services.create(owner, api.DEFAULT_MODE)).conversation
    response = HttpResponseRedirect(f"/c/{conversation_id}/")
    response["Cache-Control"] = "no-store"
    return response


@require_GET
@ensure_csrf_cookie
def conversation(request: HttpRequest, conversation_id: str) -> HttpResponse:
    owner = owner_of(request.session)
    refusal = queries.access(conversation_id, owner)
    if refusal is refusals.UNKNOWN_CONVERSATION:
        raise Http404
    if refusal is not None or owner is None:
        raise PermissionDenied
    listed = queries.listed(owner)
    page = {
        "conversation": conversation_id,
        "socket": api.socket_path(conversation_id),
        "xray": settings.XRAY,
        "mode_choice": settings.MODE_CHOICE,
        "conversations": listed,
    }
    shown = next((item for item in listed if item["id"] == conversation_id), None)
    context = {"page": page, "conversation": shown, "conversations": listed, "xray": settings.XRAY}
    response = render(request, "chat/conversation.html", context)
    response["Cache-Control"] = "no-store"
    return response


@require_GET
@ensure_csrf_cookie
def race(request: HttpRequest) -> HttpResponse:
    """The page itself makes the two conversations, one per mode, over the API."""
    ensure_owner(request.session)
    page = {"xray": settings.XRAY, "mode_choice": settings.MODE_CHOICE}
    return render(request, "chat/race.html", {"page": page, "mode_choice": settings.MODE_CHOICE})
