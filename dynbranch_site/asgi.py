"""ASGI entry point: HTTP to Django, WebSockets to the chat and console consumers."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dynbranch_site.settings")
http_application = get_asgi_application()  # before anything that needs the app registry

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402

from apps.chat.routing import websocket_urlpatterns as chat_sockets  # noqa: E402
from apps.console.routing import websocket_urlpatterns as console_sockets  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": http_application,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(chat_sockets + console_sockets))),
    }
)
