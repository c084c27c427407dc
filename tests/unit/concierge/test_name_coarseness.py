"""A change outside a stage's rendered input never splits its name; a change inside always does. Appendix A."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async

from apps.concierge import services
from apps.concierge.models import Place
from apps.concierge.offers import uses_today
from apps.concierge.program import PROGRAM
from apps.concierge.requests import is_own, request
from apps.concierge.workflow import WORKFLOW
from apps.runtime.scope import Scope
from apps.serving.config import Mode
from apps.serving.names import Json, ReuseName, reuse_name
from apps.serving.workflow import StageCall, StageKind, fingerprint
from tests.unit.concierge.conftest import MONDAY, SayingEngine, asker, typed, walk

ENGINE = {"kind": "scripted", "model": "m", "revision": "a"}
BOOKED = {"do": "book", "place": "brine-house", "day": "2026-12-03", "time": "19:00", "people": 2}
PICKED = [
    request("start"),
    request("menu"),
    request("find", service="restaurant"),
    request("find", service="hotel", area="Riverside", price="expensive"),
    request("find", service="spa", feature="sauna"),
    request("ask", place="oro-e-sale", aspect="overview"),
    request("ask", place="museum-of-tides", aspect="hours", day="mon"),
    request("ask", place="heron-ferry", aspect="directions"),
    request("ask", place="no-such-place", aspect="price"),
    request("book", place="brine-house"),
    request("book", place="brine-house", day="2026-12-03", time="19:00", people=2),
    request("bookings"),
    request("commit", order=BOOKED),
    request("drop", place="brine-house"),
    request("else", page=1),
    request("chat", about="thanks"),
    request("outside"),
]
SAID = ["pool", "in the harbour", "qwertz", "the lantern thing"]
TALK = {
    "results": [{"slug": "hilltop-table", "name": "Hilltop Table"}],
    "focus": {"slug": "oro-e-sale", "name": "Oro e Sale", "service": "restaurant", "area": "Riverside"},
    "search": request("find", service="restaurant"),
    "ref": "VBAAAAAA",
    "actions": [],
}
Named = dict[str, ReuseName]


def name_of(call: StageCall, session: str = "s1", engine: Mapping[str, Json] = ENGINE) -> ReuseName:
    """As apps/runtime/naming.py makes it."""
    scope = Scope("concierge", "t", session, "c", "turn", Mode.FULL)
    return reuse_name(scope.namespace(call.sharing), fingerprint(WORKFLOW, call.stage, engine), dict(call.rendered))


async def names_of(payload: Mapping[str, Json], context: Mapping[str, Json] | None = None, **who: object) -> Named:
    """The name of every stage of the turn that this pick makes."""
    walked = await walk(PROGRAM.pick_turn(payload, context or {}, asker(**who)))
    return {call.stage.name: name_of(call, who.get("session", "s1")) for call in walked.calls}


def split(one: Named, other: Named) -> set[str]:
    """Stages whose names differ."""
    assert one.keys() == other.keys()
    return {stage for stage in one if one[stage] != other[stage]}


async def test_what_was_talked_about_before_splits_no_name(catalogue):
    for payload in PICKED:
        assert split(await names_of(payload), await names_of(payload, TALK)) == set(), payload


async def test_another_minute_of_the_day_splits_no_name(catalogue):
    for payload in PICKED:
        later = await names_of(payload, now=MONDAY + timedelta(hours=3))
        assert split(await names_of(payload), later) == set(), payload


async def test_another_day_splits_the_offer_alone_and_only_where_it_speaks_of_days(catalogue):
    for payload in PICKED:
        tomorrow = await names_of(payload, now=MONDAY + timedelta(days=1))
        assert split(await names_of(payload), tomorrow) == ({"offer"} if uses_today(payload) else set()), payload


async def test_another_session_splits_what_is_its_own_and_nothing_else(catalogue):
    for payload in PICKED:
        ours, theirs = await names_of(payload), await names_of(payload, session="s2")
        assert split(ours, theirs) == (set(ours) if is_own(payload) else set()), payload


async def test_another_operation_splits_the_stage_that_carries_it_out_and_what_tells_of_it(catalogue):
    for payload in PICKED:
        differing = split(await names_of(payload), await names_of(payload, operation="op-2"))
        # The second booking has a reference of its own, which is said and offered.
        assert differing == ({"commit", "reply", "offer"} if payload["op"] == "commit" else set()), payload


async def test_typed_words_share_a_name_in_their_session_whatever_the_day(catalogue):
    async def name(text, session="s1", **when):
        turn = await typed(text, {"focus": {}, "actions": []}, asker(session=session, **when))
        return name_of(PROGRAM.next_call(turn, {}), session)

    for text in SAID:
        assert await name(text) == await name(text, operation="op-2", now=MONDAY + timedelta(days=1)), text
        assert await name(text) != await name(text, "s2"), text


# An attribute and its new value -> what is asked about the place -> the stages whose input shows the edit.
EDITS = [
    ("phone", "555-9999", {"phone": {"reply"}, "price": set(), "hours": set()}),
    ("price", 999, {"price": {"reply"}, "phone": set()}),
    ("capacity", 3, {"capacity": {"reply"}, "price": set()}),
    ("walk", 59, {"directions": {"reply"}, "address": set()}),
    ("hours", {"sun": ["01:00", "02:00"]}, {"hours": {"reply", "offer"}, "phone": {"offer"}}),
    ("name", "Renamed", {"phone": {"reply", "offer"}, "overview": {"reply", "offer"}}),
]


async def test_an_edit_splits_exactly_the_stages_whose_input_shows_it(catalogue):
    for attribute, value, differing in EDITS:
        asked = {aspect: request("ask", place="oro-e-sale", aspect=aspect) for aspect in differing}
        before = {aspect: await names_of(payload) for aspect, payload in asked.items()}
        await database_sync_to_async(edit)("oro-e-sale", attribute, value)
        after = {aspect: await names_of(payload) for aspect, payload in asked.items()}

        # The lookup's name stays: whether its result may be used, the version of the record says.
        assert {aspect: split(before[aspect], after[aspect]) for aspect in asked} == differing, attribute


def edit(slug: str, attribute: str, value: object) -> None:
    place = Place.objects.get(slug=slug)
    setattr(place, attribute, value)
    services.save_place(place)


async def test_every_change_inside_a_rendered_input_splits_its_name(catalogue):
    for call in await calls_of_all():
        names = {reuse_name("n", "f", dict(call.rendered))}
        changed = [reuse_name("n", "f", other) for other in changes(dict(call.rendered))]

        assert len(names | set(changed)) == len(changed) + 1, call


async def calls_of_all() -> list[StageCall]:
    """Every call of every turn here."""
    turns = [PROGRAM.pick_turn(payload, {}, asker()) for payload in PICKED]
    turns += [await typed(text, {"focus": {}, "actions": []}, asker()) for text in SAID]
    return [call for turn in turns for call in (await walk(turn, SayingEngine('"menu"'))).calls]


def changes(value: Json) -> Iterator[Json]:
    """The value with one thing in it changed, each thing in turn; no two alike."""
    if isinstance(value, dict):
        yield {**value, "added": 1}
        for key, inner in value.items():
            yield {other: kept for other, kept in value.items() if other != key}
            yield from ({**value, key: changed} for changed in changes(inner))
    elif isinstance(value, list):
        yield [*value, "added"]
        for index, inner in enumerate(value):
            yield from ([*value[:index], changed, *value[index + 1 :]] for changed in changes(inner))
    else:
        yield {"changed": value}


@pytest.mark.parametrize(("setting", "value"), [("PROMPTS", "instructed"), ("ENGINE_MODEL", "another")])
async def test_another_way_to_ask_the_model_splits_the_speaking_stage_alone(catalogue, settings, setting, value):
    payload = request("ask", place="oro-e-sale", aspect="price")
    settings.PROMPTS = "terse"
    before = await names_of(payload)
    setattr(settings, setting, value)

    assert split(before, await names_of(payload)) == {"reply"}


async def test_another_engine_splits_the_models_stages_alone(catalogue):
    for call in await calls_of_all():
        other = name_of(call, engine={**ENGINE, "revision": "b"})
        assert (other != name_of(call)) == (call.stage.kind is StageKind.MODEL), call


async def test_what_the_engine_is_sent_is_in_the_rendered_input(catalogue):
    for payload in PICKED:
        engine = SayingEngine()
        walked = await walk(PROGRAM.pick_turn(payload, TALK, asker()), engine)
        rendered = [call.rendered["body"] for call in walked.calls if call.stage.kind is StageKind.MODEL]

        assert [sent.body for sent in engine.requests] == rendered
