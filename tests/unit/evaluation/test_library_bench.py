import json
import signal
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from apps.evaluation.library_bench import cascades, keying
from apps.evaluation.library_bench.answers import Unexpected, expect
from apps.evaluation.library_bench.bench import PARTS
from apps.evaluation.library_bench.material import LARGEST_BYTES, SMALLEST_BYTES, Material, chat_request
from apps.evaluation.library_bench.neighbours import Missing, installed
from apps.evaluation.library_bench.offers import Offers
from apps.evaluation.library_bench.rows import Found, at_most, compared, row
from apps.evaluation.library_bench.sizes import QUICK
from apps.evaluation.library_bench.timing import MedianRatio, Pairs, in_turns, line, median_ratio
from apps.evaluation.management.commands import bench_library
from apps.serving.outcomes import Miss, MissReason


def test_both_ways_are_timed_for_every_number_and_neither_is_always_first():
    calls: list[tuple[str, int]] = []
    pairs = in_turns(lambda n: calls.append(("ours", n)), lambda n: calls.append(("base", n)), range(40), seed=1)
    assert (len(pairs.ours_us), len(pairs.base_us)) == (40, 40)
    assert sorted(calls) == sorted((who, n) for who in ("ours", "base") for n in range(40))
    assert {who for who, _ in calls[::2]} == {"ours", "base"}


def test_each_pair_is_prepared_before_either_way_runs():
    calls: list[str] = []
    in_turns(
        lambda n: calls.append("ours"), lambda n: calls.append("base"), range(3), 1, lambda n: calls.append("prepared")
    )
    assert calls[::3] == ["prepared"] * 3


def test_the_ratio_is_of_the_medians_and_its_interval_holds_it():
    found = median_ratio(Pairs([20.0, 30.0, 1000.0, 30.0], [10.0, 20.0, 20.0, 20.0]), seed=1)
    assert (found.n, found.ours_us, found.base_us, found.ratio) == (4, 30.0, 20.0, 1.5)
    assert found.low <= found.ratio <= found.high


def test_a_line_through_points_on_a_line_explains_all_of_them():
    found = line([1, 2, 3], [12, 14, 16])
    assert (found.start, found.slope, found.r2) == (pytest.approx(10), pytest.approx(2), pytest.approx(1))


def test_points_that_are_on_no_line_are_not_explained_whole():
    assert line([1, 2, 3, 4], [1, 4, 9, 16]).r2 < 0.99


def test_an_entry_is_told_by_its_number_alone():
    first, second = Material(7), Material(7)
    assert [first.name(n) for n in range(50)] == [second.name(n) for n in range(50)]
    assert [first.result(n) for n in range(50)] == [second.result(n) for n in range(50)]
    assert first.name(1) != Material(8).name(1)


def test_payloads_are_of_every_size_between_the_bounds():
    lengths = [len(Material(7).text(n)) for n in range(2_000)]
    assert min(lengths) < 2 * SMALLEST_BYTES
    assert max(lengths) > LARGEST_BYTES / 2
    assert max(lengths) <= LARGEST_BYTES + len("2000: ")


def test_what_an_entry_was_made_from_came_before_it_and_what_that_had_read_is_inherited():
    material = Material(7)
    made_from = [(n, material.upstream(n)) for n in range(500)]
    children = [(n, source) for n, source in made_from if source is not None]
    assert 0.2 * 500 < len(children) < 0.4 * 500
    for number, source in children:
        result = material.result(number)
        assert source < number
        assert result.upstream == (material.name(source),)
        assert material.reads(source).items() <= result.inherited.items()


def test_a_request_is_as_long_as_was_asked():
    request = chat_request(iter(["word " * 20] * 100), 1_000)
    assert 1_000 <= sum(len(message["content"]) for message in request["messages"]) < 1_200


def test_the_last_branch_has_the_shadows_that_are_left():
    offers = Offers(Material(7), "b", width=4, shadows=10)
    assert offers.branches == 3


def test_what_was_not_answered_as_due_is_not_measured():
    with pytest.raises(Unexpected, match="where a int was due"):
        expect(int, Miss(MissReason.ABSENT))


def test_a_ratio_is_one_row_and_one_check_against_its_limit():
    ratio = MedianRatio(10, 30.0, 20.0, 1.5, 1.4, 1.6)
    found = compared("hit_over_get_p50", "probe, hit", ratio, 1.5, "GET of the same payload")
    assert found.rows == [row("probe, hit", 10, 30.0, "µs", 20.0, 1.5, 1.4, 1.6, "GET of the same payload")]
    assert [(check.name, check.holds) for check in found.checks] == [("hit_over_get_p50", True)]
    assert at_most("x", 1.51, "ratio", 1.5).holds is False


def test_parts_add_up_in_their_order():
    one, two = Found([row("a", 1, 1.0, "µs")]), Found([row("b", 1, 1.0, "µs")], [at_most("b", 1.0, "µs", 2.0)])
    assert [found["what"] for found in (one + two).rows] == ["a", "b"]
    assert (one + two).checks == two.checks


def test_cascades_of_one_size_are_one_row_and_all_of_them_lie_on_one_line():
    found = [cascades.Cascade(n, 50.0 + 10.0 * n, n // 500) for n in (1_000, 1_000, 10_000)]
    rows = cascades.cascade_rows(found)
    assert [one["what"] for one in rows] == [
        "write with 1,000 readers",
        "write with 10,000 readers",
        "line through them",
    ]
    assert rows[-1]["value"] == pytest.approx(10.0)
    assert rows[-1]["note"].startswith("R² 1.0000")


def test_a_package_that_is_not_there_is_named_with_what_installs_it():
    with pytest.raises(Missing, match=r"nosuch is not installed: pip install --no-deps -r requirements-bench\.txt"):
        installed("nosuch", "no_such_module_anywhere")


def test_a_part_alone_is_measured_and_written(tmp_path, capsys):
    """The key needs no Redis."""
    file = tmp_path / "out.json"
    call_command("bench_library", "--only", "key", "--quick", f"--json={file}")
    written = json.loads(file.read_text())
    assert [check["name"] for check in written["checks"]] == ["key_10k_tokens_ms"]
    assert written["seed"] == 7
    shown = capsys.readouterr()
    assert "key of 10,000 tokens" in shown.out
    assert "1/1 key" in shown.err


def test_the_key_is_that_of_ten_thousand_tokens():
    found = keying.key(replace(QUICK), 7, lambda text: None)
    assert "45,000 characters" in found.rows[0]["note"]


@pytest.mark.parametrize("argument", ["--entries=0", "--entries=many", "--only=nothing"])
def test_an_argument_that_makes_no_sense_is_refused(argument):
    with pytest.raises(CommandError, match="invalid"):
        call_command("bench_library", argument)


def test_every_part_of_the_issue_is_there():
    assert set(PARTS) == {"key", "calls", "neighbours", "cascade", "resolve", "shapes", "million"}


def test_a_termination_ends_the_measurement_in_order_and_leaves_the_process_as_it_was():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit), bench_library.ended_in_order():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before
