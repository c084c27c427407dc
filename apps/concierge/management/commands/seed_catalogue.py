"""`manage.py seed_catalogue`: the fictional city's places, added where missing."""

from django.core.management.base import BaseCommand

from apps.concierge.seed import seed_catalogue


class Command(BaseCommand):
    help = "Add the demonstration's places that are missing. Leaves edited and deleted ones alone."

    def handle(self, *args: object, **options: object) -> str:
        seeded = seed_catalogue()
        return f"catalogue: {seeded.added} places added, {seeded.present} already there"
