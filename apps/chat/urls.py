from django.urls import path

from apps.chat import api, views

urlpatterns = [
    path("", views.home, name="home"),
    path("c/<str:conversation_id>/", views.conversation, name="conversation"),
    path("race/", views.race, name="race"),
    path("robots.txt", views.robots, name="robots"),
    path("healthz", api.healthz, name="healthz"),
    path("api/conversations/", api.conversations, name="conversations"),
    path("api/conversations/<str:conversation_id>/", api.conversation, name="conversation-api"),
    path("api/conversations/<str:conversation_id>/export.md", api.export_markdown, name="export-markdown"),
    path("api/conversations/<str:conversation_id>/export.json", api.export_json, name="export-json"),
]
