"""The whole measurement on a real Redis, in tiny sizes: everything runs, whatever the figures are."""

import json

import pytest
from django.core.management import CommandError, call_command

from apps.evaluation.library_bench import shelf as shelves
from apps.evaluation.library_bench.loading import Entries, LoadFailed, NotStored, fill, stored
from apps.evaluation.library_bench.material import Material
from apps.evaluation.library_bench.shelf import shelf
from apps.runtime.embedded_redis import RedisDidNotStart
from apps.serving.outcomes import Miss, MissReason
from tests.integration.unstorable import Unstorable

CHECKS = {
    "hit_over_get_p50",
    "miss_over_get_p50",
    "promote_over_get_p50",
    "probe_1m_over_1k",
    "key_10k_tokens_ms",
    "cascade_us_per_entry",
    "resolve_100k_over_10",
    "memory_over_budget",
}


def test_every_check_has_a_value(tmp_path, capsys):
    file = tmp_path / "out.json"
    call_command("bench_library", "--quick", f"--json={file}")
    written = json.loads(file.read_text())
    assert {check["name"] for check in written["checks"]} == CHECKS
    assert all(check["value"] > 0 for check in written["checks"])
    assert {"date", "machine", "seed", "rows"} <= set(written)
    shown = capsys.readouterr()
    assert "base: diskcache" in json.dumps(written["rows"]) or "requirements-bench.txt" in shown.err
    assert "7/7 million" in shown.err


def test_an_entry_that_the_library_refuses_stops_the_measurement():
    with pytest.raises(NotStored, match="entry 3 could not be stored: stale"):
        stored("entry 3", Miss(MissReason.STALE))


def test_a_loader_that_dies_is_noticed():
    with shelf() as made, pytest.raises(LoadFailed, match="exit codes"):
        fill(made, Unstorable(), 10, 2, lambda text: None)


def test_several_loaders_store_every_number_once():
    material = Material(7)
    with shelf() as made:
        fill(made, Entries(material), 50, 2, lambda text: None)
        assert made.library.totals().entries == 50
        assert all(made.library.facts(material.name(number)) is not None for number in range(50))


def test_a_redis_that_does_not_start_is_one_sentence(monkeypatch):
    def refuse(folder, address=None):
        raise RedisDidNotStart(1, 10.0, "no")

    monkeypatch.setattr(shelves, "EmbeddedRedis", refuse)
    with pytest.raises(CommandError, match="the embedded Redis did not answer"):
        call_command("bench_library", "--quick", "--only", "calls")
