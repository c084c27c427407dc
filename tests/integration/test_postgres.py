"""The same tables and catalogue on PostgreSQL as on SQLite."""

import os
import re
import subprocess
import sys

import psycopg
import pytest

from apps.runtime.stack import PROJECT

pytestmark = pytest.mark.postgres

BOOKING = """
from apps.concierge.services import run_operation
order = {"do": "book", "place": "brine-house", "day": "2026-12-03", "time": "19:00", "people": 2}
made = run_operation("pg-book", "s1", order)
ref = made["booking"]["ref"]
later = {**order, "do": "change", "ref": ref, "time": "20:00"}
changed = run_operation("pg-change", "s1", later)
cancelled = run_operation("pg-cancel", "s1", {"do": "cancel", "ref": ref})
print(made["ok"], changed["ok"], cancelled["ok"])
"""


def manage(url: str, *arguments: str) -> str:
    env = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "dynbranch_site.settings"}
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_migrations_and_catalogue_go_on_postgresql_and_a_repeat_adds_nothing(postgres_url):
    manage(postgres_url, "migrate", "--verbosity", "0")

    first = manage(postgres_url, "seed_catalogue")
    second = manage(postgres_url, "seed_catalogue")

    added = int(re.search(r"(\d+) places added", first)[1])
    assert added >= 60
    assert f"0 places added, {added} already there" in second
    with psycopg.connect(postgres_url) as connection:
        assert "PostgreSQL" in connection.execute("select version()").fetchone()[0]
        tables = {name for (name,) in connection.execute("select tablename from pg_tables where schemaname = 'public'")}
    assert {"chat_conversation", "chat_turn"} <= tables


def test_models_and_migrations_agree(postgres_url):
    assert "No changes detected" in manage(postgres_url, "makemigrations", "--check", "--dry-run")


def test_a_booking_is_made_changed_and_cancelled_on_postgresql(postgres_url, redis_client):
    """Only there does a row lock outside a transaction raise."""
    manage(postgres_url, "migrate", "--verbosity", "0")
    manage(postgres_url, "seed_catalogue")

    told = manage(postgres_url, "shell", "--no-imports", "--command", BOOKING)

    assert told.split() == ["True", "True", "True"]


@pytest.mark.timeout(1800)  # seconds: some sixty tests, each with its tables emptied
def test_the_schedules_of_writes_hold_where_locks_are_of_rows(postgres_url):
    env = {**os.environ, "TEST_POSTGRES_URL": postgres_url}
    again = [f"tests/integration/test_{name}.py" for name in ("write_schedules", "write_searches", "concierge_writes")]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--ds",
        "tests.settings_postgres",
        *again,
    ]

    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, timeout=1800)

    assert done.returncode == 0, done.stdout[-6000:]
    assert "failed" not in done.stdout
