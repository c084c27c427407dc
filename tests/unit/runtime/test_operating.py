"""What an operator finds, sees and removes, over the library in memory."""

from collections.abc import Mapping

import pytest

from apps.runtime import operating
from apps.runtime.operating import NotOneEntry, Operating, Wanted, list_row
from apps.serving.config import ServingConfig
from apps.serving.names import ReuseName, digest
from apps.serving.outcomes import Result
from apps.stores.memory import MemoryStore

NOW_MS = 1_000


def name(key: object, namespace: str = "tenant:a") -> ReuseName:
    return ReuseName(namespace, "f" * 64, digest(["input", key]), 20)


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore(ServingConfig())
    made.records.publish({"place:a": 3, "place:b": 1}, NOW_MS)
    return made


@pytest.fixture
def library(store) -> Operating:
    return Operating(store.library, store.shadows, store.records, ServingConfig())


def keep(
    store: MemoryStore,
    key: object,
    reads: Mapping[str, int] | None = None,
    stage: str = "toy/1/look",
    namespace: str = "tenant:a",
    upstream: tuple[ReuseName, ...] = (),
) -> ReuseName:
    kept = name(key, namespace)
    result = Result({"text": f"it is {key}"}, reads or {}, 5.0, {}, upstream)
    assert store.library.record(kept, result, "canonical:1", stage, NOW_MS) is None
    return kept


def test_one_entry_is_found_by_its_whole_name_or_the_beginning_of_its_input_hash(store, library):
    kept = keep(store, 1)

    assert library.one(str(kept)).name == kept
    assert library.one(kept.input_hash[:12]).name == kept


@pytest.mark.parametrize("text", ["", "nothing", "f" * 64])
def test_a_name_that_fits_no_entry_says_what_to_give(store, library, text):
    keep(store, 1)

    with pytest.raises(NotOneEntry, match="fits no entry: give a whole name or the beginning"):
        library.one(text)


def test_a_beginning_that_fits_two_entries_shows_them_and_asks_for_more(store, library):
    names = [keep(store, key) for key in range(40)]
    first = next(one for one in names if sum(other.input_hash[0] == one.input_hash[0] for other in names) > 1)

    with pytest.raises(NotOneEntry, match="fits several") as said:
        library.one(first.input_hash[0])
    assert "give more" in str(said.value)


def test_entries_are_found_by_namespace_stage_and_record_together(store, library):
    mine = keep(store, 1, {"place:a": 3})
    keep(store, 2, {"place:a": 3}, stage="toy/1/say")
    keep(store, 3, {"place:b": 1})
    keep(store, 1, {"place:a": 3}, namespace="tenant:b")

    found = library.entries(Wanted("tenant:a", "toy/1/look", "place:a"))

    assert [facts.name for facts in found] == [mine]
    assert len(list(library.entries(Wanted()))) == 4


def test_a_look_at_an_entry_shows_what_it_read_then_and_what_is_published_now(store, library):
    kept = keep(store, 1, {"place:a": 3, "place:b": 1})
    store.records.begin_write(["place:b"], "token", NOW_MS + 99)

    shown = library.inspected(library.one(str(kept)))

    assert shown["reads"] == [
        {"record": "place:a", "version": 3, "version_now": 3, "state": "fresh"},
        {"record": "place:b", "version": 1, "version_now": 1, "state": "uncertain"},
    ]
    assert shown["state"] == "uncertain"
    assert shown["output"] == '{"text":"it is 1"}'
    assert shown["provenances"] == [[]]


def test_looking_counts_no_use(store, library):
    kept = keep(store, 1)

    library.inspected(library.one(str(kept)))
    list(library.entries(Wanted()))

    assert library.one(str(kept)).uses == 0


def test_an_entry_made_from_others_names_them_and_a_long_output_is_shortened(store, library):
    above = keep(store, "x" * 2_000)
    kept = keep(store, 2, upstream=(above,))

    assert library.inspected(library.one(str(kept)))["provenances"] == [[str(above)]]
    shown = library.inspected(library.one(str(above)))
    assert len(str(shown["output"])) == operating.SHOWN_CHARS + 1
    assert int(str(shown["output_chars"])) > 2_000


def test_deleting_goes_through_more_than_one_page(store, library, monkeypatch):
    monkeypatch.setattr(operating, "PAGE", 3)
    for key in range(10):
        keep(store, key)
    other = keep(store, "other", namespace="tenant:b")

    assert library.delete(facts.name for facts in library.entries(Wanted(namespace="tenant:a"))) == 10
    assert [facts.name for facts in library.entries(Wanted())] == [other]


def test_totals_are_given_with_their_bounds_and_a_namespace_with_its_demands(store, library):
    kept = keep(store, 1)
    store.library.probe(kept, NOW_MS)

    shown = library.totals("tenant:a")

    assert (shown["entries"], shown["entries_max"]) == (1, ServingConfig().library_entries)
    assert (shown["hits"], shown["misses"]) == (1, 0)
    assert "hits" not in library.totals(None)


def test_a_line_of_a_list_has_the_beginning_of_the_hash_that_inspect_takes(store, library):
    kept = keep(store, 1)

    assert library.one(str(list_row(library.one(str(kept)))["input hash"])).name == kept
