"""BM25 over text already read."""

import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from apps.predictors.entities import names, sentences
from apps.predictors.interface import Box
from apps.predictors.retrieval import ReadText, RetrievalConfig
from apps.serving.branch.candidates import Context, Option, ProposalLimits
from tests.unit.predictors.doubles import HERE, MENU

ROOT = Path(__file__).resolve().parents[3]
READ = (
    "The Louvre is a museum in Paris. It was designed by Pierre Lescot.",
    "Pierre Lescot was an architect. Jean Goujon carved the statues of the facade.",
)
ASKED = Context("t/shared", 0, wanted="Who carved the statues?", read=READ)


def proposed(context: Context, config: RetrievalConfig | None = None) -> tuple[str, ...]:
    box = Box(context, ProposalLimits())
    ReadText(config).predict(HERE, context, box)
    return box.close().choices


def test_what_the_text_names_beside_the_words_asked_for_comes_first():
    found = proposed(ASKED)
    assert found[0] == "Jean Goujon"
    assert set(found) == {"Louvre", "Paris", "Pierre Lescot", "Jean Goujon"}


def test_one_that_was_looked_up_before_is_not_named_again():
    assert "Jean Goujon" not in proposed(replace(ASKED, recent=("jean goujon",)))


def test_offered_options_are_ordered_by_the_text_that_names_them():
    offered = (Option("0", "paris", "Paris"), Option("1", "goujon", "Jean Goujon"), Option("2", "louvre", "Louvre"))
    assert proposed(replace(ASKED, offered=offered))[0] == "1"


@pytest.mark.parametrize("wanted", ["", "?!", "quantum chromodynamics"])
def test_what_the_text_says_nothing_about_keeps_the_order_of_naming(wanted):
    assert proposed(replace(ASKED, wanted=wanted)) == ("Louvre", "Paris", "Pierre Lescot", "Jean Goujon")
    assert proposed(replace(MENU, wanted=wanted, read=READ)) == ("0", "1", "2")


@pytest.mark.parametrize("read", [(), ("",), ("nothing with a name", "1234 5.6 — ?"), ("東京は首都です。",)])
def test_a_text_without_names_proposes_nothing(read):
    assert proposed(replace(ASKED, read=read)) == ()


def test_labels_without_a_word_are_no_trouble():
    offered = (Option("0", "x", "…"), Option("1", "y", ""))
    assert proposed(replace(ASKED, offered=offered)) in (("0", "1"), ("1", "0"))


def test_equal_input_gives_equal_order():
    assert proposed(ASKED) == proposed(ASKED)


def test_the_library_is_loaded_when_first_used_and_logs_nothing(caplog):
    unused = "import sys, apps.predictors.retrieval; sys.exit('bm25s' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", unused], cwd=ROOT).returncode == 0

    with caplog.at_level(logging.DEBUG):
        assert proposed(ASKED)
    assert caplog.text == ""


def test_only_the_latest_text_within_the_bound_is_read():
    assert "Paris" not in proposed(ASKED, RetrievalConfig(read_chars=len(READ[1])))
    assert proposed(ASKED, RetrievalConfig(candidates=2)) == ("Louvre", "Paris")


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The Louvre is in Paris.", ["Louvre", "Paris"]),
        ("He studied at the University of Paris in 1546.", ["University of Paris"]),
        ("Ludwig van Beethoven, Antonio Salieri", ["Ludwig van Beethoven", "Antonio Salieri"]),
        ("Jean-Luc O'Neill met Anna.", ["Jean-Luc O'Neill", "Anna"]),
        ("of the", []),
        ("Élodie left", ["Élodie"]),
        ("", []),
    ],
)
def test_names_are_runs_of_capitalized_words(sentence, found):
    assert list(names(sentence, frozenset({"the", "he"}))) == found


def test_sentences_are_those_read_last_in_the_order_of_reading():
    assert sentences(("One. Two.", "Three!\nFour"), 1_000) == ["One.", "Two.", "Three!", "Four"]
    assert sentences(("One. Two.", "Three."), 6) == ["Three."]
    assert sentences(("One. Two.", "Three."), 10) == ["One.", "Three."]
