from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from apps.console import access, hubs, wire
from apps.console.figures import load_figures
from apps.console.history import MOST_EVENTS
from apps.console.rows import WORDS
from apps.figures.load import load_csv as csv_text
from apps.runtime.clock import now_ms

FIRST_LOOK_S = 2.0


@staff_member_required
async def console(request: HttpRequest) -> HttpResponse:
    hub = hubs.here()
    hub.touch()
    context = {
        "active_page": "console",
        "figures": load_figures(hub.load.items),
        "kinds": sorted(WORDS),
        "most_events": MOST_EVENTS,
        "user": await request.auser(),
    }
    return render(request, "console/index.html", context)


async def state(request: HttpRequest) -> HttpResponse:
    """What the socket would say to a page at `epoch`, `seq` and `load_ms`: for pages whose socket is cut."""
    if not access.is_staff(await request.auser()):
        return _error(403, "forbidden", "only staff may read this", "log in again")
    try:
        at = wire.position(request.GET.get("epoch"), *(_whole(request, name) for name in ("seq", "load_ms")))
    except wire.BadFrame as exc:
        return _error(400, "bad_position", str(exc), exc.mend)
    hub = hubs.here()
    hub.touch()
    if hub.state is None:
        await hub.wait(hub.version, FIRST_LOOK_S)
    response = HttpResponse(wire.encode(wire.answer(hub, at, now_ms()).message), content_type="application/json")
    response["Cache-Control"] = "no-store"
    return response


@staff_member_required
async def load_csv(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(csv_text(hubs.here().load.items), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="dynbranch-load.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _whole(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    if text == "":
        return None
    try:
        return int(text)
    except ValueError as exc:
        raise wire.BadFrame(f"{name} is not a whole number") from exc


def _error(status: int, code: str, message: str, mend: str) -> JsonResponse:
    return JsonResponse({"type": "error", "code": code, "message": message, "mend": mend}, status=status)
