from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("console/", include("apps.console.urls")),
    path("", include("apps.chat.urls")),
]
