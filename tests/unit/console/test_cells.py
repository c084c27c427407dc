from dataclasses import replace

import pytest

from apps.console.cells import ago, count, state_view
from apps.console.facts import EngineFacts, Facts, StoreFacts, WorkerFacts, WorkerState
from apps.console.tone import Tone
from apps.engines.base import EngineLoad

WORKER = WorkerFacts("w@host", WorkerState.IDLE, 0, 12, heard_ms=9_000, joined_ms=1_000)
FACTS = Facts(
    10_000,
    EngineFacts("llamacpp", True, EngineLoad(1, 0, 0.125, 4)),
    StoreFacts(4, 4, 512, 8192, 10, 3, 2, 1, 0),
    (WORKER,),
)


def cells(facts):
    return {f"{g.name}/{c.label}": c for g in state_view(facts).groups for c in g.cells}


def test_readings_are_shown_with_their_units():
    shown = {key: cell.value for key, cell in cells(FACTS).items()}

    assert shown["Engine/running"] == "1 request"
    assert shown["Engine/waiting"] == "0 requests"
    assert shown["Engine/KV in use"] == "12.5 %"
    assert shown["Fills/slots held"] == "4 of 4 slots"
    assert shown["Fills/KV held"] == "512 of 8,192 tokens"


def test_what_the_engine_does_not_report_reads_absent_and_never_zero():
    silent = cells(replace(FACTS, engine=EngineFacts("openai", True, EngineLoad(None, None, None, None))))

    for label in ("running", "waiting", "slots", "KV in use"):
        assert silent[f"Engine/{label}"].value == "absent"


def test_an_unreachable_engine_and_store_read_absent_everywhere():
    view = state_view(
        replace(FACTS, engine=EngineFacts("vllm", False, None), store=StoreFacts(problem="does not answer (X)"))
    )
    shown = {f"{g.name}/{c.label}": c for g in view.groups for c in g.cells}

    assert shown["Engine/health"].tone is Tone.BAD
    assert shown["Reuse/Redis"].value == "does not answer (X)"
    for label in (
        "Engine/running",
        "Fills/slots held",
        "Fills/queued",
        "Reuse/shadows",
        "Reuse/entries",
        "Reuse/library",
    ):
        assert shown[label].value == "absent"
    assert "Fill slots absent" in view.summary


def test_an_engine_that_could_not_be_asked_is_unknown_and_not_dead():
    health = cells(replace(FACTS, engine=EngineFacts("vllm", None, None)))["Engine/health"]

    assert (health.value, health.tone) == ("unknown", Tone.WARN)


def test_slots_that_are_all_held_are_a_warning():
    assert cells(FACTS)["Fills/slots held"].tone is Tone.WARN
    assert cells(FACTS)["Fills/KV held"].tone is Tone.PLAIN


def test_no_living_worker_is_said():
    lost = replace(WORKER, state=WorkerState.LOST)

    assert "no fill can run" in state_view(replace(FACTS, workers=())).workers_note
    assert "no fill can run" in state_view(replace(FACTS, workers=(lost,))).workers_note
    assert state_view(FACTS).workers_note == ""


def test_messages_that_wait_beside_idle_workers_are_said():
    waiting = replace(FACTS, store=replace(FACTS.store, queued=3))

    assert state_view(waiting).workers_note == "3 messages wait while every worker is idle: do they consume?"
    busy = replace(WORKER, state=WorkerState.BUSY)
    assert state_view(replace(waiting, workers=(WORKER, busy))).workers_note == ""


def test_a_worker_row_tells_its_age():
    (row,) = state_view(FACTS).workers

    assert (row.name, row.state, row.active, row.processed, row.heard) == ("w@host", "idle", "0", "12", "1 s ago")


@pytest.mark.parametrize(("age_ms", "words"), [(-5, "0 s"), (0, "0 s"), (119_000, "119 s"), (600_000, "10 min")])
def test_ages_are_readable(age_ms, words):
    assert ago(age_ms) == words


def test_counts_of_one_are_singular():
    assert (count(1, "fills"), count(2, "fills"), count(None, "fills")) == ("1 fill", "2 fills", "absent")
