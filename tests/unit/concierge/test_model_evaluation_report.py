"""The report of an evaluation, and the command that makes one."""

import json
from collections import Counter
from contextlib import contextmanager

import pytest
from django.core.management import CommandError, call_command

from apps.concierge.facts import sheet
from apps.concierge.management.commands import evaluate_model
from apps.concierge.model_evaluation.attack import Attacked
from apps.concierge.model_evaluation.equality import Equality
from apps.concierge.model_evaluation.evaluate import Plan, evaluate, judge_of, judged, prompts_of
from apps.concierge.model_evaluation.items import (
    SpeechItem,
    load_set,
    speech_items,
    understand_items,
)
from apps.concierge.model_evaluation.progress import Progress
from apps.concierge.model_evaluation.report import Evaluation, Judged, checks, quantile, speech_rows, understand_rows
from apps.concierge.model_evaluation.shown import errors, measurement, tables
from apps.concierge.model_evaluation.stages import Heard, Said, understood_by_rules
from apps.concierge.requests import request
from apps.engines.scripted import ScriptedEngine
from apps.runtime.engine_process import Target

HEARD = list(understand_items(load_set("understand_free")))
SAID = list(speech_items(load_set("reply_free")))
PRICE = next(item for item in SAID if item.request.get("aspect") == "price")


@pytest.fixture
def scripted():
    with ScriptedEngine() as engine:
        yield engine


def target(scripted) -> Target:
    return Target("llamacpp", scripted.url, "scripted")


def plain(item) -> str:
    return " ".join(fact.text for fact in sheet(item.request, item.found).facts)


def check(evaluation, name):
    return next(one for one in checks(evaluation) if one.name == name)


def said(item, fallback=False, faults=()) -> Judged:
    return Judged(Said(item, "text", fallback, 10.0), list(faults))


def known(item) -> SpeechItem:
    return SpeechItem("reply_known", item.number, item.task, item.request, item.found)


def test_nothing_measured_holds_nothing():
    assert {one.holds for one in checks(Evaluation())} == {None}


def test_one_wrong_text_fails_and_too_few_right_ones_say_nothing():
    replies = [said(PRICE)] * 499

    assert check(Evaluation(judged=replies), "reply_wrong_shown").holds is None
    assert check(Evaluation(judged=[*replies, said(PRICE)]), "reply_wrong_shown").holds is True
    assert check(Evaluation(judged=[said(PRICE, faults=["lie"])]), "reply_wrong_shown").holds is False


def test_fallbacks_count_by_wording_and_without_confirmations():
    confirm = next(item for item in SAID if item.task == "confirm")
    free = [said(PRICE, True), said(PRICE), said(PRICE), said(PRICE), said(confirm, True)]
    found = Evaluation(judged=[*free, *([said(known(PRICE))] * 8), said(known(PRICE), True)])

    assert (check(found, "reply_fallback_share_free").value, check(found, "reply_fallback_share_free").holds) == (
        0.25,
        True,
    )
    assert check(found, "reply_fallback_share_known").value == pytest.approx(1 / 9)
    assert check(found, "reply_fallback_share_known").holds is False


def test_a_confirmation_is_correct_in_the_models_own_true_words_only():
    confirm = known(next(item for item in SAID if item.task == "confirm"))
    found = Evaluation(judged=[said(confirm), said(confirm, True), said(confirm, False, ["lie"]), said(confirm)])

    assert check(found, "confirm_correct").value == 0.5


def test_a_difference_fails_equality_and_fewer_prompts_leave_it_open():
    def of(prompts, equal):
        return Evaluation(equality=Equality(prompts, {"cold": equal}, equal))

    assert check(of(200, 200), "greedy_equal_batched").holds is True
    assert check(of(200, 199), "greedy_equal_batched").holds is False
    assert check(of(20, 20), "greedy_equal_batched").holds is None
    assert check(Evaluation(equality=Equality(200, {"warm": 200}, 200)), "greedy_equal_batched").holds is None


def test_the_attacks_targets_are_checks_when_it_was_made():
    made = Attacked(told=Counter(digit=200), caught=Counter(digit=197), texts=100, refused=["a true text"])

    assert check(Evaluation(attacked=made), "attack_caught").holds is False
    assert check(Evaluation(attacked=made), "attack_false_alarms").holds is False


def test_rows_tell_rules_and_model_apart_and_times_only_of_stages_alone():
    item = HEARD[0]
    right, wrong = item.accepted[0], request("menu")
    heard = [Heard(item, right, None, False), Heard(item, right, 30.0, False), Heard(item, wrong, 50.0, True)]

    row = understand_rows(Evaluation(heard=heard))[0]
    beside = understand_rows(Evaluation(heard=heard, alone=False))[0]

    assert (row["op"], row["n"], row["exact_share"]) == ("all", 3, pytest.approx(2 / 3))
    assert (row["rule_exact_share"], row["model_exact_share"], row["fallback_share"]) == (1, 0.5, 0.5)
    assert (row["p50_ms"], row["p95_ms"], beside["p50_ms"]) == (50.0, 50.0, None)


def test_quantiles_are_of_the_values_that_there_are():
    assert quantile([], 0.5) is None
    assert [quantile([1, 2, 3, 4], at) for at in (0.0, 0.5, 0.95)] == [1, 3, 4]


async def test_a_whole_evaluation_gives_rows_checks_and_every_error(scripted):
    heard = load_set("understand_free", limit=6)
    priced = [item for item in SAID if item.request.get("aspect") == "price" and item.found["place"]]
    texts = {item.found["place"]["name"]: plain(item) for item in priced}
    scripted.respond_with(lambda seen: next((t for n, t in texts.items() if n in seen.prompt), '"unclear"'))

    found = await evaluate(target(scripted), Plan([*heard, *priced], 2, 4, True, 7), [].append)

    assert (len(found.heard), len(found.judged), found.equality.prompts) == (6, len(priced), 4)
    assert not any(one.faults or one.said.fallback for one in found.judged)
    assert found.attacked.caught_share == 1
    assert found.speed.alone_ms > 0
    told = "\n".join(errors(found))
    assert sum(not one.exact for one in found.heard) == told.count("wanted:")
    data = measurement(found, 7).as_json()
    assert {row["part"] for row in data["rows"]} == {"understand", "speech", "equality", "speed", "attack"}
    assert "understand_exact_free" in tables(found)


def test_a_lie_that_was_shown_is_reported():
    lie = Said(PRICE, plain(PRICE).replace("$1", "$9"), False, 1.0)
    found = Evaluation(judged=[judged(lie, judge_of(SAID))])

    assert "WRONG" in "\n".join(errors(found))
    assert speech_rows(found)[0]["wrong"] == 1


def test_the_prompts_of_the_mix_are_those_of_every_model_stage():
    bodies = prompts_of([*HEARD[::10], PRICE])

    asked = [item for item in HEARD[::10] if understood_by_rules(item)[1] is not None]
    assert [bool(body.get("response_format")) for body in bodies] == [True] * len(asked) + [False]


def test_progress_is_told_at_the_end_and_not_for_every_item():
    lines = []
    progress = Progress("understand", 50, lines.append)
    for _ in range(50):
        progress.one_more()

    assert lines == ["understand: 50 of 50, eta 0 s"]


# --- the command


def run(scripted, *more):
    call_command("evaluate_model", "--engine-url", scripted.url, "--prompts", "4", "--limit", "5", *more)


def test_the_command_writes_what_it_measured(scripted, tmp_path, capsys):
    file = tmp_path / "evaluation.json"

    run(scripted, "--sets", "reply_free", "--attack", "--show-errors", "--json", str(file))

    data = json.loads(file.read_text())
    assert data["command"] == "evaluate_model"
    assert {one["name"] for one in data["checks"]} >= {"reply_wrong_shown", "attack_caught", "greedy_equal_batched"}
    assert next(row for row in data["rows"] if row["part"] == "speech")["n"] == 5
    assert "fallback" in capsys.readouterr().out


@pytest.mark.parametrize("more", [("--sets", "no_such_set"), ("--folder", "/nonexistent")])
def test_the_command_refuses_what_is_not_there(scripted, more):
    with pytest.raises(CommandError, match="set"):
        run(scripted, *more)


def test_the_command_says_that_the_engine_failed(scripted):
    scripted.behave(status=500, message="out of order")

    with pytest.raises(CommandError, match="out of order"):
        run(scripted)


def test_without_a_url_the_embedded_engine_serves(scripted, monkeypatch):
    @contextmanager
    def embedded():
        yield target(scripted)

    monkeypatch.setattr(evaluate_model, "EmbeddedEngineProcess", embedded)
    call_command("evaluate_model", "--engine-url", "", "--sets", "reply_free", "--limit", "2", "--prompts", "0")

    assert len(scripted.seen) >= 2
