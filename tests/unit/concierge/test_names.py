"""Names hold everything that decides an output and nothing else, and candidates render the demand's own names."""

from datetime import timedelta

import pytest

from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from apps.serving.names import canonical_bytes
from apps.serving.workflow import Sharing
from tests.unit.concierge.conftest import MONDAY, asker, typed, walk

REQUESTS = [
    request("find", service="restaurant"),
    request("find", service="hotel", area="Riverside", price="expensive"),
    request("find", service="spa", feature="sauna", kind="float spa"),
    request("ask", place="oro-e-sale", aspect="overview"),
    request("ask", place="museum-of-tides", aspect="hours", day="mon"),
    request("ask", place="heron-ferry", aspect="directions"),
    request("book", place="brine-house"),
    request("book", place="brine-house", day="2026-12-03", time="19:00", people=2),
    request("book", place="brine-house", day="2026-12-07", time="19:00", people=2),
    request("bookings"),
    request("menu"),
    request("else", page=1),
    request("chat", about="thanks"),
    request("drop", place="brine-house"),
    request("ask", place="no-such-place", aspect="overview"),
]


def pick(payload, **who):
    return PROGRAM.pick_turn(payload, {}, asker(**who))


@pytest.mark.parametrize("payload", REQUESTS, ids=lambda p: "-".join(map(str, p.values()))[:60])
async def test_every_offered_action_walks_as_its_candidate_does(catalogue, payload):
    turn = pick(payload)
    walked = await walk(turn)
    actions = PROGRAM.finish(turn, walked.outputs).actions
    candidates = {c.choice: c for c in PROGRAM.candidates("offer", turn, walked.outputs)}

    assert set(candidates) == {str(i) for i, a in enumerate(actions) if a.speculable}
    for choice, candidate in candidates.items():
        later = asker(operation="op-2", now=MONDAY + timedelta(seconds=40))
        demanded = await walk(PROGRAM.pick_turn(actions[int(choice)].payload, {"any": "context"}, later))
        filled = await walk(candidate.turn)
        assert filled.names == demanded.names
        assert tuple(c.stage.name for c in filled.calls) == candidate.stages
        assert all(c.stage.speculable for c in filled.calls)


@pytest.mark.parametrize("payload", REQUESTS[:8])
async def test_two_conversations_share_the_name_of_one_action(catalogue, payload):
    ours, theirs = await walk(pick(payload)), await walk(pick(payload, session="s2", operation="op-9"))

    assert ours.names == theirs.names
    assert {sharing for _, sharing, _ in ours.names} == {Sharing.TENANT}


async def test_a_session_appears_only_where_its_own_bookings_are_read(catalogue):
    ours, theirs = await walk(pick(request("bookings"))), await walk(pick(request("bookings"), session="s2"))

    assert ours.names != theirs.names
    assert {sharing for _, sharing, _ in ours.names} == {Sharing.SESSION}


async def test_the_date_splits_a_name_only_where_it_is_used(catalogue):
    tomorrow = MONDAY + timedelta(days=1)
    find, ask = request("find", service="restaurant"), request("ask", place="brine-house", aspect="price")

    assert (await walk(pick(find))).names == (await walk(pick(find, now=tomorrow))).names
    today, next_day = (await walk(pick(ask))).names, (await walk(pick(ask, now=tomorrow))).names
    assert today[:2] == next_day[:2]
    assert today[2] != next_day[2]
    assert today == (await walk(pick(ask, now=MONDAY + timedelta(hours=5)))).names


async def test_every_aspect_of_a_place_shares_one_lookup(catalogue):
    aspects = ("overview", "hours", "price", "phone")
    lookups = [(await walk(pick(request("ask", place="brine-house", aspect=a)))).calls[0].rendered for a in aspects]

    assert all(lookup == lookups[0] for lookup in lookups)


@pytest.mark.parametrize("payload", REQUESTS)
async def test_rendering_is_pure_json_and_the_same_again(catalogue, payload):
    first, again = await walk(pick(payload)), await walk(pick(payload))

    assert [canonical_bytes(c.rendered) for c in first.calls] == [canonical_bytes(c.rendered) for c in again.calls]


@pytest.mark.parametrize("text", ["pool", "in the harbour", "qwertz", "the lantern thing"])
async def test_candidates_of_understand_walk_as_the_real_choice_does(catalogue, text):
    turn = await typed(text, {"focus": {}, "actions": []}, asker())
    assert turn["request"] is None
    candidates = PROGRAM.candidates("understand", turn, {})
    assert 1 <= len(candidates) <= 2

    for candidate in candidates:
        outputs = {"understand": {"choice": candidate.choice, "label": candidate.choice}}
        assert PROGRAM.choice("understand", outputs["understand"]) == candidate.choice
        real = await _walk_on(turn, candidate.choice)
        filled = await walk(candidate.turn)
        assert filled.names == real.names[1:]


async def test_a_labels_name_holds_the_words_and_nothing_of_the_talk_that_the_model_does_not_see(catalogue):
    shown = [{"slug": "hilltop-table", "name": "Hilltop Table"}, {"slug": "oro-e-sale", "name": "Oro e Sale"}]
    focus = {"slug": "oro-e-sale", "service": "restaurant", "area": "Riverside"}
    found = {"results": shown, "focus": focus, "request": REQUESTS[0], "actions": []}
    other = {**found, "results": shown[::-1], "focus": {**focus, "slug": "hilltop-table"}}
    ours = await typed("the lantern thing for later", found, asker())
    theirs = await typed("the lantern thing for later", other, asker(now=MONDAY + timedelta(days=1)))
    calls = [PROGRAM.next_call(turn, {}) for turn in (ours, theirs)]

    assert ours["requests"] != theirs["requests"]
    assert calls[0] == calls[1]
    assert calls[0].sharing == Sharing.SESSION


async def test_a_label_that_means_what_a_likelier_one_means_is_that_ones_choice(catalogue):
    turn = await typed("pool", {"focus": {}, "actions": []}, asker())
    first, requests = turn["likely"][0], turn["requests"]
    same = next(label for label in requests if label not in turn["likely"] and requests[label] == requests[first])

    real = await _walk_on(turn, same)

    assert real.outputs["understand"] == {"label": same, "choice": first}


async def _walk_on(turn, label):
    """The demand's walk when the model answers `label`."""
    from tests.unit.concierge.conftest import SayingEngine

    class Choosing(SayingEngine):
        async def stream(self, request):
            self.text = f'"{label}"' if "response_format" in request.body else None
            async for piece in super().stream(request):
                yield piece

    return await walk(turn, Choosing())


async def test_a_typed_label_does_exactly_what_the_click_does(catalogue):
    turn = pick(request("find", service="restaurant"))
    walked = await walk(turn)
    finished = PROGRAM.finish(turn, walked.outputs)

    for action in finished.actions:
        said = await typed(f"  {action.label.upper()} ", finished.context, asker())
        assert said == PROGRAM.pick_turn(action.payload, finished.context, asker())


async def test_a_booking_for_a_day_that_has_passed_asks_for_another(catalogue):
    payload = request("book", place="brine-house", day="2026-12-01", time="19:00", people=2)
    later = pick(payload, now=MONDAY + timedelta(days=3))

    assert later["request"] == {"op": "book", "place": "brine-house", "people": 2}
