"""The same tables and catalogue on PostgreSQL as on SQLite."""

import os
import re
import subprocess
import sys

import psycopg
import pytest

from apps.runtime.stack import PROJECT

pytestmark = pytest.mark.postgres


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
