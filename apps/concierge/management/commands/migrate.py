"""`manage.py migrate`: Django's own, let through the guard of the catalogue's tables."""

from django.core.management.commands import migrate

from apps.concierge.guard import unguarded


class Command(migrate.Command):
    help = f"{migrate.Command.help} One that changes what queries read raises the version of each row that it changes."

    def handle(self, *args: object, **options: object) -> None:
        with unguarded():
            super().handle(*args, **options)
