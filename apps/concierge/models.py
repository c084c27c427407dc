"""Catalogue and bookings. Every row that a stage reads carries the version that its read-set names."""

from collections.abc import Set as AbstractSet

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from apps.concierge.catalogue import AREAS, SERVICES, price_band
from apps.concierge.guard import GuardedModel
from apps.concierge.hours import problem

FieldNames = AbstractSet[str]
# What `find` filters by, orders by or shows; a change of any other attribute cannot alter which rows it returns.
QUERIED = frozenset({"collection", "name", "area", "kind", "price", "rating", "hours", "features"})
SERVICE_CHOICES = [(s.key, s.many) for s in SERVICES.values()]


class Collection(GuardedModel):
    """What a query reads besides its rows: written by every insert, delete and change of a queried attribute."""

    service = models.CharField(max_length=20, primary_key=True, choices=SERVICE_CHOICES)

    def __str__(self) -> str:
        return SERVICES[self.service].many

    def records_of(self, fields: FieldNames) -> set[str]:
        return {f"collection:{self.service}"}


class Place(GuardedModel):
    """price: whole dollars per the service's unit; walk: minutes from `stop`; capacity: people at one time"""

    slug = models.SlugField(max_length=80, unique=True, help_text="Its lasting id; cannot change later.")
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="places")
    name = models.CharField(max_length=80, unique=True)
    area = models.CharField(max_length=40, choices=[(a, a) for a in AREAS])
    kind = models.CharField(max_length=40, help_text="Cuisine or type, in lower case unless a proper name.")
    price = models.PositiveIntegerField(help_text="Whole dollars; 0 is free.")
    rating = models.DecimalField(
        max_digits=2, decimal_places=1, validators=[MinValueValidator(0), MaxValueValidator(5)]
    )
    hours = models.JSONField(help_text='{"mon": ["10:00", "18:00"], …}; leave a closed day out.')
    features = models.JSONField(default=list, blank=True, help_text='["wifi", "parking"]')
    phone = models.CharField(max_length=20)
    address = models.CharField(max_length=80)
    capacity = models.PositiveIntegerField()
    line = models.CharField(max_length=20)
    stop = models.CharField(max_length=40)
    walk = models.PositiveIntegerField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        why = problem(self.hours)
        if why:
            raise ValidationError({"hours": why})
        if not isinstance(self.features, list) or not all(isinstance(f, str) and f for f in self.features):
            raise ValidationError({"features": 'use a list of words, like ["wifi", "parking"]'})

    @property
    def service(self) -> str:
        return self.collection_id

    @property
    def price_band(self) -> str:
        return price_band(self.collection_id, self.price)

    @property
    def record(self) -> str:
        return f"place:{self.slug}"

    def records_of(self, fields: FieldNames) -> set[str]:
        return {self.record, f"collection:{self.collection_id}"} if QUERIED & set(fields) else {self.record}


class BookingBook(GuardedModel):
    """One session's bookings as a whole; its version is that of record `bookings:<session>`."""

    session = models.CharField(max_length=64, primary_key=True)

    def __str__(self) -> str:
        return self.session

    def records_of(self, fields: FieldNames) -> set[str]:
        return {f"bookings:{self.session}"}


class Booking(GuardedModel):
    class Status(models.TextChoices):
        CONFIRMED = "confirmed"
        CANCELLED = "cancelled"

    ref = models.CharField(max_length=12, unique=True)
    session = models.CharField(max_length=64, db_index=True)
    place = models.ForeignKey(Place, on_delete=models.PROTECT, related_name="bookings")
    day = models.DateField()
    time = models.CharField(max_length=5)
    people = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.CONFIRMED)
    operation = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["day", "time", "ref"]
        indexes = [models.Index(fields=["place", "day", "time"], name="booking_slot")]

    def __str__(self) -> str:
        return f"{self.ref}: {self.place.name}, {self.day} {self.time}"

    def records_of(self, fields: FieldNames) -> set[str]:
        """The session's bookings, and the place: its free seats are read as the place's."""
        return {f"bookings:{self.session}", self.place.record}


class Operation(models.Model):
    """What a commit did, under its operation's id, so that a repeat does nothing and answers the same."""

    operation = models.CharField(max_length=64, primary_key=True)
    outcome = models.JSONField()

    def __str__(self) -> str:
        return self.operation


class Tombstone(models.Model):
    """The version of a record whose row is gone. A row made again under this id continues from it."""

    record = models.CharField(max_length=120, primary_key=True)
    version = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return f"{self.record} at {self.version}"
