"""Reads a catalogue file and says what storing it would change. The columns are those of data/catalogue.csv."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from django.core.exceptions import ValidationError

from apps.concierge.catalogue import SERVICES, slug_of
from apps.concierge.hours import Hours, parse_hours
from apps.concierge.models import Place

COLUMNS = (
    "name", "service", "area", "kind", "price", "rating", "hours", "features", "phone", "address", "capacity", "line",
    "stop", "walk",
)  # fmt: skip
NUMBERS = ("price", "capacity", "walk")


class BadFile(ValueError):
    """Says the line and the column, and what to put there."""


@dataclass(frozen=True, slots=True)
class Changes:
    """saved, removed: places to store (`added` of them are new) and to delete; same: how many stay as they are"""

    saved: tuple[Place, ...]
    added: int
    removed: tuple[Place, ...]
    same: int


def read_changes(path: Path, prune: bool) -> Changes:
    """Compare the file with the catalogue. Raises BadFile; nothing is stored.

    prune  places that are not in the file are removed
    """
    known = {place.slug: place for place in Place.objects.all()}
    wanted = {place.slug: place for place in _places(path, known)}
    saved = [place for slug, place in wanted.items() if slug not in known or place.changed_from(known[slug])]
    removed = [place for slug, place in known.items() if slug not in wanted] if prune else []
    added = sum(place.slug not in known for place in saved)
    return Changes(tuple(saved), added, tuple(removed), len(wanted) - len(saved))


def _places(path: Path, known: dict[str, Place]) -> Iterator[Place]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise BadFile(f"{path} cannot be read as UTF-8 text: {exc}") from exc
    rows = csv.DictReader(text.splitlines(), delimiter=";")
    missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise BadFile(f"line 1: no column {', '.join(missing)}; the first line must be {';'.join(COLUMNS)}")
    seen: dict[str, int] = {}
    for row in rows:
        place = _place(row, rows.line_num, known)
        if place.slug in seen:
            raise BadFile(f"line {rows.line_num}, name: {place.name} is the place of line {seen[place.slug]} again")
        seen[place.slug] = rows.line_num
        yield place


def _place(row: dict[str, str], line: int, known: dict[str, Place]) -> Place:
    if None in row or None in row.values():
        raise BadFile(
            f"line {line}: has {'more' if None in row else 'fewer'} than {len(COLUMNS)} columns, split by ';'"
        )
    if row["service"] not in SERVICES:
        raise BadFile(f"line {line}, service: {row['service']!r} is none of {', '.join(SERVICES)}")
    numbers = {name: _whole(row[name], name, line) for name in NUMBERS}
    before = known.get(slug_of(row["name"]))
    place = Place(
        pk=before.pk if before else None,
        version=before.version if before else 0,
        slug=slug_of(row["name"]),
        collection_id=row["service"],
        rating=_rating(row["rating"], line),
        hours=_hours(row["hours"], line),
        features=[part.strip() for part in row["features"].split(",") if part.strip()],
        **numbers,
        **{name: row[name].strip() for name in ("name", "area", "kind", "phone", "address", "line", "stop")},
    )
    place._state.adding = before is None
    _validate(place, line)
    return place


def _whole(text: str, column: str, line: int) -> int:
    if not text.strip().isdecimal():
        raise BadFile(f"line {line}, {column}: {text!r} is not a whole number from 0")
    return int(text)


def _rating(text: str, line: int) -> Decimal:
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        raise BadFile(f"line {line}, rating: {text!r} is not a number from 0 to 5 like 4.6") from None


def _hours(text: str, line: int) -> Hours:
    try:
        return parse_hours(text)
    except ValueError as exc:
        raise BadFile(f"line {line}, hours: {exc}") from exc


def _validate(place: Place, line: int) -> None:
    """As the admin's form does."""
    try:
        place.clean_fields(exclude=["collection"])
        place.clean()
        place.validate_unique()
    except ValidationError as exc:
        column, words = next(iter(exc.message_dict.items()))
        raise BadFile(f"line {line}, {column}: {' '.join(words)}") from exc
