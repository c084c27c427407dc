from django.apps import AppConfig
from django.db import connections
from django.db.backends.signals import connection_created


class ConciergeConfig(AppConfig):
    name = "apps.concierge"
    label = "concierge"
    verbose_name = "Concierge"

    def ready(self) -> None:
        from apps.concierge import checks  # noqa: F401 (importing registers them)
        from apps.concierge.guard import guard_connection

        connection_created.connect(guard_connection, dispatch_uid="concierge.guard")
        for connection in connections.all(initialized_only=True):
            guard_connection(connection)
