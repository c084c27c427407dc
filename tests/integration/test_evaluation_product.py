"""The commands against the product itself, on a private stack with the scripted engine."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command

from apps.evaluation import schedule
from apps.runtime.stack import PROJECT


@pytest.fixture
def scripted_url() -> Iterator[str]:
    command = [sys.executable, "-m", "apps.engines.scripted", "--port", "0"]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield re.search(r"http://\S+:\d+", process.stdout.readline()).group()
        finally:
            process.terminate()


@pytest.fixture
def _engine(settings, scripted_url, monkeypatch):
    settings.ENGINE_URL = scripted_url
    monkeypatch.setattr(schedule, "pick_gap_s", lambda rng: 1.5)  # enough for the scripted engine's fills
    monkeypatch.setattr(schedule, "typing_gap_s", lambda text, rng: 0.2)


@pytest.mark.usefixtures("_engine")
def test_both_arms_play_cold_and_give_the_same_words(tmp_path, capsys):
    report_file = tmp_path / "out.json"
    call_command("think_time", "--turns=8", "--seed=7", f"--json={report_file}")
    report = json.loads(report_file.read_text())
    assert report["arms_cold"] is True
    assert all(turn["state"] == "done" for turns in report["turns"].values() for turn in turns)
    equality = next(row for row in report["rows"] if row["row"] == "equality")
    assert (equality["pairs"], equality["differing"]) == (8, [])
    floor, c2 = (
        next(row for row in report["rows"] if row["row"] == "outcome" and (row["arm"], row["kind"]) == (arm, "pick"))
        for arm in ("floor", "c2")
    )
    assert floor["missed_frac"] == 1.0
    assert c2["served_frac"] > 0.5
    fills = {row["arm"]: row for row in report["rows"] if row["row"] == "fills"}
    assert fills["floor"]["issued"] == 0
    assert fills["c2"]["used"] >= 1
    assert "c2: turn 8 of 8" in capsys.readouterr().err


@pytest.mark.usefixtures("_engine")
def test_picks_are_answered_as_on_the_floor(capsys):
    call_command("pick_check", "--picks=3", "--compare")
    assert "all 3 answers equal the floor's" in capsys.readouterr().out


def test_a_stack_that_cannot_start_is_said_with_what_it_said(settings):
    settings.ENGINE_URL = "not a url"
    with pytest.raises(CommandError, match="did not start"):
        call_command("think_time", "--turns=1", "--arms=c2")
