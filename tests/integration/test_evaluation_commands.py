"""The commands against a server that speaks the chat's wire."""

import json

import pytest
from django.core.management import CommandError, call_command

from apps.evaluation import schedule
from tests.integration.evaluation_fake_chat import FakeChat, running


@pytest.fixture(autouse=True)
def _no_thinking(monkeypatch):
    """The gaps' lengths are held by unit tests; here they would only be waited for."""
    monkeypatch.setattr(schedule, "pick_gap_s", lambda rng: 0.01)
    monkeypatch.setattr(schedule, "typing_gap_s", lambda text, rng: 0.01)


def test_think_time_writes_rows_checks_machine_and_date(tmp_path, capsys):
    report_file = tmp_path / "out.json"
    with running(FakeChat()) as chat:
        call_command("think_time", "--turns=9", "--seed=7", f"--base-url={chat.url}", f"--json={report_file}")
    report = json.loads(report_file.read_text())
    assert {"command", "date", "machine", "seed", "rows", "checks"} <= set(report)
    assert report["arms_cold"] is False
    assert {check["name"]: check["holds"] for check in report["checks"]} == {
        "c2_over_floor_mean": True,
        "served_share": True,
        "promoted_first_byte_p50_ms": True,
        "equal_share": True,
    }
    shown = capsys.readouterr()
    assert "floor and c2: 9 of 9 answers byte-equal" in shown.out
    assert "c2: turn 9 of 9" in shown.err
    assert "none of them is cold" in shown.err


def test_both_arms_make_the_same_picks(tmp_path):
    report_file = tmp_path / "out.json"
    with running(FakeChat()) as chat:
        call_command("think_time", "--turns=9", f"--base-url={chat.url}", f"--json={report_file}")
    turns = json.loads(report_file.read_text())["turns"]
    assert [turn["asked"] for turn in turns["floor"]] == [turn["asked"] for turn in turns["c2"]]


def test_a_differing_answer_is_measured_and_listed_and_is_no_failure(tmp_path):
    report_file = tmp_path / "out.json"
    with running(FakeChat(other_words=12)) as chat:
        call_command("think_time", "--turns=9", f"--base-url={chat.url}", f"--json={report_file}")
    report = json.loads(report_file.read_text())
    equality = next(row for row in report["rows"] if row["row"] == "equality")
    assert (equality["equal"], len(equality["differing"])) == (8, 1)
    assert equality["differing"][0]["c2"]["reply"].endswith("Perhaps.")
    assert next(check for check in report["checks"] if check["name"] == "equal_share")["holds"] is False


def test_think_time_says_when_there_is_no_product(port):
    with pytest.raises(CommandError, match=f"arm floor: http://127.0.0.1:{port} does not answer"):
        call_command("think_time", "--turns=1", f"--base-url=http://127.0.0.1:{port}")


@pytest.mark.parametrize("argument", ["--arms=floor,floor", "--arms=fast", "--turns=0"])
def test_an_argument_that_makes_no_sense_is_refused(argument):
    with pytest.raises(CommandError, match="invalid"):
        call_command("think_time", argument)


def test_pick_check_prints_how_each_pick_was_answered(capsys):
    with running(FakeChat()) as chat:
        call_command("pick_check", "--picks=3", "--compare", f"--base-url={chat.url}")
    shown = capsys.readouterr().out
    assert shown.count("lookup promoted, reply promoted, offer promoted") == 3
    assert "all 3 answers equal the floor's, byte for byte" in shown


def test_pick_check_fails_on_an_answer_that_is_not_the_floors(capsys):
    with running(FakeChat(other_words=2)) as chat, pytest.raises(CommandError, match="1 of 3 answers"):
        call_command("pick_check", "--picks=3", "--compare", f"--base-url={chat.url}")
    assert "Perhaps." in capsys.readouterr().err


def test_pick_check_fails_on_a_missing_answer():
    with running(FakeChat(silent=True)) as chat, pytest.raises(CommandError, match="2 of 2 picks have no answer"):
        call_command("pick_check", "--picks=2", "--answer-timeout=0.3", f"--base-url={chat.url}")
