"""Conversations in the admin: to look at and to remove, never to write."""

from django.contrib import admin
from django.http import HttpRequest

from apps.chat.models import Conversation, Offer, Turn


class ReadOnlyAdmin(admin.ModelAdmin):
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ("id", "title", "mode", "owner", "updated_ms")
    list_filter = ("mode",)
    search_fields = ("id", "title", "owner")
    ordering = ("-updated_ms",)


class PartAdmin(ReadOnlyAdmin):
    """Rows that go with their conversation and never alone: without its head a conversation cannot go on."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Also asked, with the conversation's own page as the request, for what a deletion takes along."""
        asked = (request.resolver_match.url_name or "") if request.resolver_match else ""
        return asked.startswith("chat_conversation_") and super().has_delete_permission(request, obj)


@admin.register(Turn)
class TurnAdmin(PartAdmin):
    list_display = ("id", "conversation", "kind", "state", "epoch", "text", "created_ms")
    list_filter = ("state", "kind")
    list_select_related = ("conversation",)
    search_fields = ("id", "conversation__id", "text", "reply")
    ordering = ("-created_ms",)


@admin.register(Offer)
class OfferAdmin(PartAdmin):
    list_display = ("id", "turn", "branch")
    list_select_related = ("turn",)
    search_fields = ("id", "turn__id", "branch")
