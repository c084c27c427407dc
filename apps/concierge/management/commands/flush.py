"""`manage.py flush`: Django's own, let through the guard of the catalogue's tables."""

from django.core.management.commands import flush

from apps.concierge.guard import unguarded


class Command(flush.Command):
    help = f"{flush.Command.help} Record versions start again then: empty the Redis as well, while the product is down."

    def handle(self, **options: object) -> None:
        with unguarded():
            super().handle(**options)
