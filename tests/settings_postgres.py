"""The tests' settings on a PostgreSQL server: `tests/integration/test_postgres.py` runs some tests again there."""

import os

import dj_database_url

from tests.settings import *  # noqa: F403

DATABASES = {"default": dj_database_url.parse(os.environ["TEST_POSTGRES_URL"])}
# Every test empties the tables; nothing here has to outlive the server.
DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c synchronous_commit=off"
