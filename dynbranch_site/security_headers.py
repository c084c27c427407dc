from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

# Every script and style is a file of ours; styles set on elements (Plotly, the admin) cannot run code.
# `connect-src` falls to `default-src`, which covers our own sockets too.
CONTENT_POLICY = "; ".join(
    (
        "default-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


@sync_and_async_middleware
def content_policy(get_response: Callable[[HttpRequest], object]) -> Callable[[HttpRequest], object]:
    """A second wall behind escaping and sanitising: markup that got through can load and run nothing."""

    def marked(response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
        return response

    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            coming: Awaitable[HttpResponseBase] = get_response(request)
            return marked(await coming)

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        return marked(get_response(request))

    return answer
