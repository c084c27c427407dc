"""`manage.py import_catalogue FILE`: the places of a CSV file, as one announced write."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db.models import ProtectedError

from apps.concierge import services
from apps.concierge.importing import BadFile, read_changes
from apps.runtime.writes import WriteRefused


class Command(BaseCommand):
    help = "Store the places of a CSV file (columns as apps/concierge/data/catalogue.csv), all of them or none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--prune", action="store_true", help="delete the places that are not in the file")
        parser.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")

    def handle(self, *, file: Path, prune: bool, dry_run: bool, **options: object) -> str:
        try:
            changes = read_changes(file, prune)
            if not dry_run:
                services.import_places(changes.saved, changes.removed)
        except (BadFile, WriteRefused) as exc:
            raise CommandError(f"Nothing was changed: {exc}.") from exc
        except ProtectedError as exc:
            raise CommandError("Nothing was changed: a place to be deleted has bookings; leave out --prune.") from exc
        would = "would be " if dry_run else ""
        edited = len(changes.saved) - changes.added
        return (
            f"catalogue: {changes.added} places {would}added, {edited} {would}changed, "
            f"{len(changes.removed)} {would}deleted, {changes.same} the same"
        )
