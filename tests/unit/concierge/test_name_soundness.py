"""Equal names under fresh reads give equal outputs, whoever asks, whenever, after whatever was written. §3.2"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async

from apps.concierge import services
from apps.concierge.models import Place
from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from apps.concierge.workflow import COMMIT
from apps.engines.base import Lane
from apps.runtime.scope import Scope
from apps.serving.config import Mode
from apps.serving.names import ReuseName
from apps.serving.outcomes import Result
from tests.unit.concierge.conftest import MONDAY, SayingEngine, asker, tools, typed
from tests.unit.concierge.test_name_coarseness import PICKED, SAID, TALK, name_of

STEPS = 150
SLUGS = ("oro-e-sale", "brine-house", "hilltop-table")
EDITS = {"phone": ("555-1111", "555-2222"), "price": (12, 250), "rating": ("1.0", "5.0"), "capacity": (2, 40)}
PERSONAL = [
    *PICKED,
    request("bookings"),
    request("ask", place="brine-house", aspect="price"),
    request("ask", place="hilltop-table", aspect="phone"),
    request("find", service="restaurant", price="cheap"),
]


@dataclass
class Library:
    """Brute force: the last result under each name. Every demand is run as well, and compared with what it has."""

    kept: dict[ReuseName, Result] = field(default_factory=dict)
    served: int = 0
    refused: int = 0  # stale ones whose output had indeed changed

    async def demand(self, name: ReuseName, result: Result) -> None:
        known = self.kept.get(name)
        if known is not None and await fresh(known):
            assert known.output == result.output, name
            self.served += 1
        elif known is not None:
            self.refused += known.output != result.output
        self.kept[name] = result


async def fresh(result: Result) -> bool:
    """Whether every record that it read is at the version that it read."""
    versions = await database_sync_to_async(services.RECORD_SOURCE.committed_versions)(sorted(result.reads))
    return versions == dict(result.reads)


async def ask(library: Library, turn: Mapping[str, object], session: str) -> None:
    """Walk the turn, each of its stages a demand; one that changes something has no result to reuse."""
    outputs: dict[str, object] = {}
    while (call := PROGRAM.next_call(turn, outputs)) is not None:
        result = await PROGRAM.execute(call, tools(SayingEngine()))
        outputs[call.stage.name] = result.output
        if call.stage != COMMIT:
            await library.demand(name_of(call, session), result)


def edit(dice: random.Random) -> None:
    attribute = dice.choice(sorted(EDITS))
    place = Place.objects.get(slug=dice.choice(SLUGS))
    setattr(place, attribute, dice.choice(EDITS[attribute]))
    services.save_place(place)


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_asked_and_written_a_fresh_result_of_the_same_name_is_the_one_a_run_would_give(
    catalogue, seed
):
    dice, library = random.Random(seed), Library()
    for step in range(STEPS):
        if dice.random() < 0.15:
            await database_sync_to_async(edit)(dice)
            continue
        session = dice.choice(("s1", "s2"))
        now = MONDAY + timedelta(days=dice.randrange(2), minutes=dice.randrange(600))
        who = asker(session, f"op-{step}", now)
        if dice.random() < 0.2:
            turn = await typed(dice.choice(SAID), {**dice.choice(({}, TALK)), "actions": []}, who)
        else:
            turn = PROGRAM.pick_turn(dice.choice(PERSONAL), dice.choice(({}, TALK)), who)
        await ask(library, turn, session)

    assert library.served >= STEPS / 2
    assert library.refused >= 1


async def test_a_call_gives_the_same_whoever_runs_it_and_in_whichever_lane(catalogue):
    other = Scope("concierge", "t2", "s9", "c9", "turn-9", Mode.C2)
    for payload in PERSONAL:
        outputs: dict[str, object] = {}
        turn = PROGRAM.pick_turn(payload, {}, asker())
        while (call := PROGRAM.next_call(turn, outputs)) is not None:
            ours = tools(SayingEngine())
            theirs = replace(ours, engine=SayingEngine(), lane=Lane.FILL, request_id="f" * 32, scope=other)
            first, again = await PROGRAM.execute(call, ours), await PROGRAM.execute(call, theirs)
            outputs[call.stage.name] = first.output

            assert (first.output, first.reads) == (again.output, again.reads), call
