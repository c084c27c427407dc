"""The evaluation runs items through the product's stages on a scripted engine, and says what it found."""

import json
from collections import Counter
from datetime import UTC, datetime

import pytest

from apps.concierge.facts import sheet
from apps.concierge.model_evaluation.equality import equality
from apps.concierge.model_evaluation.evaluate import Plan, evaluate
from apps.concierge.model_evaluation.items import (
    FOLDER,
    BadSet,
    SpeechItem,
    UnderstandItem,
    load_catalogues,
    load_set,
    set_names,
    speech_items,
    understand_items,
)
from apps.concierge.model_evaluation.stages import Heard, hear, intent_of, say, speech_call, understood_by_rules
from apps.concierge.requests import FILTERS, request
from apps.engines.base import EngineError
from apps.engines.factory import make_engine
from apps.engines.scripted import ScriptedEngine
from apps.runtime.engine_process import Target

HEARD = list(understand_items(load_set("understand_free")))
SAID = list(speech_items(load_set("reply_free")))
PRICE = next(item for item in SAID if item.request.get("aspect") == "price")
OPS = {"find", "ask", "book", "change", "cancel", "bookings", "commit", "drop", "else", "chat", "menu", "outside"}


@pytest.fixture
def scripted():
    with ScriptedEngine() as engine:
        yield engine


@pytest.fixture
async def engine(scripted):
    made = make_engine("llamacpp", scripted.url, "scripted")
    yield made
    await made.aclose()


def target(scripted) -> Target:
    return Target("llamacpp", scripted.url, "scripted")


def plain(item) -> str:
    return " ".join(fact.text for fact in sheet(item.request, item.found).facts)


def undecided() -> UnderstandItem:
    """One that rules leave to the model."""
    return next(item for item in HEARD if understood_by_rules(item)[1] is not None)


# --- the sets


def test_the_hand_made_sets_are_as_large_and_as_wide_as_they_must_be():
    assert len(HEARD) >= 160
    assert {item.op for item in HEARD} == OPS | {"unclear"}
    assert {item.op for item in SAID} >= OPS - {"cancel"}
    assert Counter(item.task for item in SAID)["reply"] >= 60
    assert Counter(item.task for item in SAID)["confirm"] >= 10


def test_two_readings_are_accepted_seldom_and_never_without_a_reason():
    path = FOLDER / "understand_free.jsonl"
    metas = [json.loads(line)["meta"] for line in path.read_text().splitlines()]
    several = [meta for meta in metas if len(meta["requests"]) > 1]

    assert len(several) <= 0.15 * len(metas)
    assert all(meta["why"] for meta in several)
    assert [meta for meta in metas if len(meta["requests"]) == 1 and "why" in meta] == []


@pytest.mark.parametrize("item", HEARD, ids=lambda item: str(item.number))
def test_every_accepted_request_is_of_its_catalogue_and_of_a_known_form(item):
    areas = {place.area for place in item.names.places}
    kinds = {(place.service, place.kind) for place in item.names.places}
    slugs = {place.slug for place in item.names.places}
    for asked in item.accepted:
        assert asked == request(**asked)
        if asked["op"] == "find":
            assert set(asked) <= {"op", "service", *FILTERS}
            assert asked.get("area") in (None, *areas)
            assert "kind" not in asked or (asked["service"], asked["kind"]) in kinds
            assert asked.get("feature") in (None, *item.names.features)
        assert asked.get("place") in (None, *slugs)


def test_other_cities_places_have_every_attribute_of_the_products_own():
    catalogues = load_catalogues()
    keys = {frozenset(place) for places in catalogues.values() for place in places}

    assert len(catalogues) >= 3
    assert len(keys) == 1


def test_a_generators_catalogues_are_found_by_their_key_and_are_no_set(tmp_path):
    places = load_catalogues()["brannock"]
    (tmp_path / "catalogues_known.jsonl").write_text(json.dumps({"key": "held_out-3", "places": places}) + "\n")
    meta = {"catalogue": "held_out-3", "context": {}, "now": "2026-11-30T09:00:00", "request": request("menu")}
    line = {"task": "understand", "user": "about: spa\nhelp", "answer": '"menu"', "meta": {**meta, "text": "help"}}
    (tmp_path / "understand_known.jsonl").write_text(json.dumps(line) + "\n")

    (item,) = load_set("understand_known", tmp_path)

    assert set_names(tmp_path) == ["understand_known"]
    assert {place.name for place in item.names.places} == {place["name"] for place in places}


def test_broken_catalogues_are_named(tmp_path):
    (tmp_path / "catalogues.json").write_text("{")
    (tmp_path / "some.jsonl").write_text("")

    with pytest.raises(BadSet, match="catalogues of"):
        load_set("some", tmp_path)


def test_a_generators_line_with_a_line_of_context_is_read_as_its_message(tmp_path):
    meta = {
        "places": load_catalogues()["saltmere"],
        "context": {},
        "now": "2026-11-30T09:00:00",
        "request": request("bookings"),
    }
    line = {"task": "understand", "user": "about: hotel, list\nmy bookings", "answer": '"bookings"', "meta": meta}
    (tmp_path / "some_known.jsonl").write_text(json.dumps(line) + "\n\n")

    (item,) = load_set("some_known", tmp_path)

    assert (item.text, item.now) == ("my bookings", datetime(2026, 11, 30, 9, tzinfo=UTC))
    assert {place.name for place in item.names.places} > {"Mama Okoro"}


@pytest.mark.parametrize(
    "line", ['{"task": "understand", "user": "x", "meta": {}}', "{", '{"task": "sing", "meta": {}}', "[]"]
)
def test_a_bad_line_is_named(tmp_path, line):
    (tmp_path / "bad.jsonl").write_text("\n" + line + "\n")

    with pytest.raises(BadSet, match="set bad, line 2"):
        load_set("bad", tmp_path)


def test_a_limit_takes_items_from_the_whole_set():
    numbers = [item.number for item in load_set("understand_free", limit=4)]

    assert len(numbers) == 4
    assert numbers[-1] > len(HEARD) / 2


# --- the product's stages


async def test_what_rules_are_sure_of_asks_no_engine(engine, scripted):
    decided = [item for item in HEARD if understood_by_rules(item)[1] is None]

    found = [await hear(item, engine) for item in decided[:5]]

    assert len(found) == 5
    assert all(one.by_rule and one.ms is None for one in found)
    assert scripted.seen == []


async def test_the_models_label_decides_what_rules_leave_open(engine, scripted):
    item = undecided()
    scripted.respond_with(lambda seen: '"outside"')
    outside = await hear(item, engine)
    scripted.respond_with(lambda seen: '"bookings"')
    bookings = await hear(item, engine)

    assert (outside.request["op"], bookings.request["op"]) == ("outside", "bookings")
    assert not outside.by_rule
    assert outside.ms > 0
    assert not outside.fallback


async def test_an_answer_outside_the_labels_counts_as_a_fallback(engine, scripted):
    scripted.respond_with(lambda seen: "nonsense")

    assert (await hear(undecided(), engine)).fallback


def test_exact_is_equal_to_an_accepted_request_and_intent_is_less():
    item = next(item for item in HEARD if item.op == "find" and len(item.accepted) > 1)
    right, other = item.accepted[1], {**item.accepted[0], "area": "nowhere"}

    assert Heard(item, right, None, False).exact
    assert not Heard(item, other, None, False).exact
    assert Heard(item, other, None, False).intent
    assert not Heard(item, request("menu"), None, False).intent


def test_a_right_request_is_reachable_when_some_label_means_it():
    item, wrong = HEARD[0], request("menu")

    assert Heard(item, wrong, 1.0, False, [wrong, item.accepted[0]]).reachable
    assert not Heard(item, wrong, 1.0, False, [wrong]).reachable


def test_an_intent_holds_service_aspect_and_deed():
    assert intent_of(request("find", service="spa", area="x")) == ("find", "spa")
    assert intent_of(request("find", service="spa", order="-price")) == ("find", "spa")
    assert intent_of(request("ask", place="p", aspect="price")) == ("ask", "price")
    assert intent_of(request("commit", order={"do": "cancel"})) == ("commit", "cancel")


def test_items_of_other_catalogues_are_read_with_their_own_names():
    item = next(item for item in HEARD if "mama okoro" in item.text)
    turn, _ = understood_by_rules(item)
    read = turn["request"] or turn["requests"]

    assert "mama-okoro" in json.dumps(read)


async def test_a_true_answer_is_shown_as_said_and_a_false_one_gives_way(engine, scripted):
    scripted.respond_with(lambda seen: plain(PRICE))
    true = await say(PRICE, engine)
    scripted.respond_with(lambda seen: "It costs $1.")
    false = await say(PRICE, engine)

    assert (true.text, true.fallback) == (plain(PRICE), False)
    assert (false.text, false.fallback) == (plain(PRICE), True)


def test_every_speech_item_is_the_stage_that_its_set_says():
    assert {speech_call(item).stage.name for item in SAID} == {"reply", "confirm"}
    wrong = SpeechItem("s", 3, "confirm", PRICE.request, PRICE.found)
    with pytest.raises(ValueError, match="line 3: the product runs reply"):
        speech_call(wrong)


async def test_an_engine_that_fails_ends_the_evaluation(scripted):
    scripted.behave(status=500)

    with pytest.raises(EngineError):
        await evaluate(target(scripted), Plan([PRICE], 1, 0, False, 7), [].append)


# --- equal bytes


BODIES = [{"messages": [{"role": "user", "content": f"prompt {number}"}], "max_tokens": 9} for number in range(6)]


async def test_an_engine_that_always_says_the_same_is_equal_in_every_way(scripted):
    reached = []
    scripted.behave(first_byte_s=0.04)  # long enough for four to run at once

    found = await equality(target(scripted), BODIES, reached.append)

    assert found.prompts == found.all_equal == 6
    assert found.equal == dict.fromkeys(["warm", "four_at_once", "cold", "cold_four_at_once"], 6)
    assert reached == [4, 6]
    assert scripted.most_running == 4
    assert Counter(seen.body.get("cache_prompt") for seen in scripted.seen) == {None: 18, False: 12}


async def test_a_different_answer_without_the_prefix_cache_is_seen(scripted):
    scripted.respond_with(lambda seen: "other" if "cache_prompt" in seen.body else "same")

    found = await equality(target(scripted), BODIES[:4], [].append)

    assert (found.all_equal, found.equal["four_at_once"], found.equal["cold"]) == (0, 4, 0)
    assert "cold: other" in found.different[0]


async def test_a_kind_without_a_cold_way_says_nothing_of_it(scripted):
    found = await equality(Target("openai", scripted.url, "scripted"), BODIES, [].append)

    assert found.equal == {"warm": 6, "four_at_once": 6}
