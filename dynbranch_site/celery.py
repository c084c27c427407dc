"""The Celery application: queue `fills`, ids only in messages, early acknowledgement, no retry, no results."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dynbranch_site.settings")

app = Celery("dynbranch")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["apps.runtime"])
