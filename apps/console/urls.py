from django.urls import path

from apps.console import views

app_name = "console"
urlpatterns = [
    path("", views.console, name="index"),
    path("state.json", views.state, name="state"),
    path("load.csv", views.load_csv, name="load-csv"),
]
