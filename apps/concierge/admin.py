"""The catalogue in the admin. Every change goes through `services`, so it cascades through library and shadows."""

from collections.abc import Sequence

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.concierge import services
from apps.concierge.models import Booking, Place


@admin.register(Place)
class PlaceAdmin(admin.ModelAdmin):
    list_display = ("name", "collection", "area", "kind", "price", "rating", "version")
    list_filter = ("collection", "area", "kind")
    search_fields = ("name", "kind", "address")
    readonly_fields = ("version",)

    def get_readonly_fields(self, request: HttpRequest, obj: Place | None = None) -> Sequence[str]:
        return ("slug", *self.readonly_fields) if obj else self.readonly_fields

    def save_model(self, request: HttpRequest, obj: Place, form: object, change: bool) -> None:
        services.save_place(obj)

    def delete_model(self, request: HttpRequest, obj: Place) -> None:
        services.delete_places([obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Place]) -> None:
        services.delete_places(list(queryset))


@admin.register(Booking)
class BookingAdmin(admin.ModelAdmin):
    list_display = ("ref", "place", "day", "time", "people", "status")
    list_filter = ("status", "day", "place__collection")
    search_fields = ("ref", "place__name")
    readonly_fields = ("ref", "session", "operation", "version", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Bookings are made in the chat, where a session owns them."""
        return False

    def save_model(self, request: HttpRequest, obj: Booking, form: object, change: bool) -> None:
        services.save_booking(obj)

    def delete_model(self, request: HttpRequest, obj: Booking) -> None:
        services.delete_bookings([obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Booking]) -> None:
        services.delete_bookings(list(queryset))
