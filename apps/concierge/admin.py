"""The catalogue in the admin. Every change goes through `services`, so it cascades through library and shadows."""

from collections.abc import Callable, Sequence

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from apps.concierge import services
from apps.concierge.models import Booking, Place
from apps.runtime.writes import WriteRefused


class AnnouncedAdmin(admin.ModelAdmin):
    """A write that could not be announced is an answer, not an error: the page says so, and nothing is changed."""

    def changeform_view(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return self._or_refused(request, super().changeform_view, *args, **kwargs)

    def delete_view(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return self._or_refused(request, super().delete_view, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method != "POST":
            return super().changelist_view(request, *args, **kwargs)
        # Django writes its log of deleted rows first, and only here outside a transaction.
        return self._or_refused(request, transaction.atomic(super().changelist_view), *args, **kwargs)

    def _or_refused(
        self, request: HttpRequest, view: Callable[..., HttpResponse], *args: object, **kwargs: object
    ) -> HttpResponse:
        # The transaction that the view opened has been rolled back by the time its exception arrives here.
        try:
            return view(request, *args, **kwargs)
        except WriteRefused as refused:
            self.message_user(request, f"Nothing was changed: {refused}.", messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())


@admin.register(Place)
class PlaceAdmin(AnnouncedAdmin):
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
class BookingAdmin(AnnouncedAdmin):
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
