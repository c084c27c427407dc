"""The evaluation's known sets are what the generator gives for their seed: text and judge cannot drift apart."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from training.text.catalogues import COUNTS, catalogue
from training.text.example import Split
from training.text.make import made

FOLDER = Path(__file__).resolve().parents[3] / "apps" / "concierge" / "data" / "evaluation"
SEED = 2  # docs/model.md


@pytest.mark.parametrize(("task", "count"), [("understand", 300), ("reply", 430), ("confirm", 200)])
def test_a_known_set_is_the_generators_for_its_seed(task, count):
    counts = {"understand": 0, "reply": 0, "confirm": 0} | {task: count}

    lines = [example.line() for example in made(SEED, Split.HELD_OUT, counts)]

    assert (FOLDER / f"{task}_known.jsonl").read_text(encoding="utf-8").splitlines() == lines


def test_the_catalogues_of_the_known_requests_are_the_generators():
    lines = (FOLDER / "catalogues_known.jsonl").read_text(encoding="utf-8").splitlines()

    made_now = [asdict(catalogue(Split.HELD_OUT, index)) for index in range(COUNTS[Split.HELD_OUT])]
    assert [json.loads(line) for line in lines] == json.loads(json.dumps(made_now))
