"""The same rows on SQLite and PostgreSQL: of many who want one turn, one gets it."""

import json
import os
import subprocess
import sys

import pytest

from apps.chat.refusals import STALE_HEAD


def raced(database_url, settings):
    environment = {
        **os.environ,
        "DATABASE_URL": database_url,
        "DJANGO_SETTINGS_MODULE": "dynbranch_site.settings",
        "DYNBRANCH_SECRET_KEY": "for tests only",
    }
    command = [sys.executable, "-m", "tests.integration.chat.race_commands"]
    done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(told):
    assert told["keys_differ"] == {"Started": 1, STALE_HEAD.code: 7}
    assert told["keys_equal"] == {"Started": 1, "Repeated": 7}
    assert told["successors"] == {"True": 1, "False": 7}
    assert told["turns"] == 4
    assert told["settled"] == [True, "1"]
    assert told["left"] == [2, 4, 2]


def test_on_sqlite_one_of_many_gets_the_turn(tmp_path, settings):
    check(raced(f"sqlite:///{tmp_path / 'chat.sqlite3'}", settings))


@pytest.mark.postgres
def test_on_postgres_one_of_many_gets_the_turn(postgres_url, settings):
    check(raced(postgres_url, settings))
