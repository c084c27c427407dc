"""`manage.py library`: what an operator types, sees and gets told."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import redis
from django.core.management import CommandError, call_command

from apps.runtime import wiring
from apps.runtime.clock import now_ms
from apps.runtime.embedded_redis import EmbeddedRedis, written_address
from apps.serving.names import ReuseName, digest
from apps.serving.outcomes import Result

Run = Callable[..., str]


def name(key: object, namespace: str = "tenant:a") -> ReuseName:
    return ReuseName(namespace, "f" * 64, digest(["input", key]), 20)


def keep(key: object, stage: str = "toy/1/look", namespace: str = "tenant:a", version: int = 1) -> ReuseName:
    kept = name(key, namespace)
    made = Result({"text": f"it is {key}"}, {"place:a": version}, 5.0, {})
    assert wiring.store().library.record(kept, made, "canonical:1", stage, now_ms()) is None
    return kept


@pytest.fixture
def run(redis_client: redis.Redis, capsys: pytest.CaptureFixture[str]) -> Run:
    wiring.store().records.publish({"place:a": 1}, now_ms())

    def library(*words: str) -> str:
        call_command("library", *words)
        return capsys.readouterr().out

    return library


def test_an_entry_is_shown_with_all_that_is_known_of_it(run: Run):
    kept = keep(1)
    wiring.store().records.publish({"place:a": 2}, now_ms())
    kept = keep(1, version=2)

    shown = run("inspect", kept.input_hash[:10])

    for part in ("namespace: tenant:a", "stage: toy/1/look", "state: fresh", "producer: canonical:1", "it is 1"):
        assert part in shown
    assert "record place:a, version 2, version_now 2, state fresh" in shown
    assert "made from nothing upstream" in shown


def test_json_alone_goes_to_standard_output_or_beside_the_text_to_a_file(run: Run, tmp_path: Path):
    kept = keep(1)

    assert json.loads(run("inspect", str(kept), "--json", "-"))["name"] == str(kept)
    assert "tenant:a" in run("list", "--json", str(tmp_path / "found.json"))
    assert [row["name"] for row in json.loads((tmp_path / "found.json").read_text())] == [str(kept)]


def test_a_list_is_narrowed_and_limited(run: Run):
    for key in range(5):
        keep(key)
    other = keep("other", stage="toy/1/say", namespace="tenant:b")

    assert len(json.loads(run("list", "--limit", "3", "--json", "-"))) == 3
    assert [row["name"] for row in json.loads(run("list", "--stage", "toy/1/say", "--json", "-"))] == [str(other)]
    assert len(json.loads(run("list", "--record", "place:a", "--namespace", "tenant:a", "--json", "-"))) == 5
    assert "no entry fits" in run("list", "--record", "place:z")


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["--record", "place:a"], 0),
        (["--namespace", "tenant:b", "--yes"], 3),
        (["--stage", "toy/1/look", "--yes"], 1),
        (["--stage", "toy/1/look", "--namespace", "tenant:b", "--yes"], 4),
        (["--name", name(0).input_hash, "--stage", "toy/1/look"], 3),
        (["--name", name(0).input_hash, "--stage", "toy/1/say"], 4),
    ],
)
def test_exactly_what_fits_is_deleted_and_counted(run: Run, words: list[str], left: int):
    for key in range(3):
        keep(key)
    keep("other", stage="toy/1/say", namespace="tenant:b")

    said = run("delete", *words)

    assert f"{4 - left} entries deleted" in said
    assert wiring.store().library.totals().entries == left


@pytest.mark.parametrize(
    ("words", "mend"),
    [
        (["delete"], "say what to delete: --name, --record, --stage or --namespace"),
        (["delete", "--stage", "toy/1/look"], "add --yes"),
        (["delete", "--namespace", "tenant:a"], "add --yes"),
        (["delete", "--name", "nothing"], "fits no entry: give a whole name"),
        (["inspect", "nothing"], "fits no entry: give a whole name"),
        (["list", "--limit", "0"], "--limit must be 1 or more"),
        (["totals", "--json", "/nowhere/at/all"], "name a file that can be written"),
        ([], "ACTION"),
    ],
)
def test_what_cannot_be_done_names_the_option_and_the_mend(run: Run, words: list[str], mend: str):
    kept = keep(1)

    with pytest.raises(CommandError) as said:
        run(*words)

    assert mend in str(said.value)
    assert wiring.store().library.facts(kept) is not None


def test_totals_stand_beside_their_bounds(run: Run):
    keep(1)
    wiring.store().library.probe(name(2), now_ms())

    shown = json.loads(run("totals", "--namespace", "tenant:a", "--json", "-"))

    assert (shown["entries"], shown["misses"]) == (1, 1)
    assert shown["entries_max"] == wiring.config().library_entries
    assert "bytes_max" in run("totals")


def test_a_clean_library_is_said_to_be_clean(run: Run):
    keep(1)

    assert "library check: clean (" in run("check")


def test_what_was_found_and_left_is_an_exit_status_and_what_was_mended_is_not(run: Run, redis_client, capsys):
    redis_client.zadd("dynbranch:{library.main}:used", {"x": 1})

    with pytest.raises(SystemExit) as left:
        run("check")
    assert left.value.code == 1
    assert "FOUND: used has x" in (said := capsys.readouterr().out)
    assert "--repair" in said

    assert "repaired: used has x" in run("check", "--repair")
    assert json.loads(run("check", "--json", "-"))["clean"] is True


def test_redis_that_is_away_is_one_plain_sentence(run: Run, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    with pytest.raises(CommandError, match=r"Redis cannot be reached, or refuses .*: start it, or mend REDIS_URL"):
        run("totals")


def test_without_a_redis_of_its_own_and_nothing_running_it_says_how_to_start(run: Run, settings, tmp_path: Path):
    settings.REDIS_URL, settings.VAR_DIR = "", tmp_path

    with pytest.raises(CommandError, match=r"no DynBranch runs in .*; start it with `make run`"):
        run("totals")


def test_the_embedded_server_is_found_by_the_configuration_that_it_runs_with(private_redis: EmbeddedRedis):
    assert written_address(private_redis.folder) == private_redis.address
