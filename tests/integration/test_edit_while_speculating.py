"""A restaurant is edited in the running product's own admin, while what read it is running, waiting or confirmed."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from itertools import count

import pytest

from apps.engines.scripted import Outcome, ScriptedEngine, Seen
from apps.evaluation.conversation import Answer
from apps.runtime.clock import now_ms
from apps.runtime.stack import Stack
from apps.serving.branch.fill import FillState
from apps.serving.config import Mode
from apps.stores.library_check import LibraryCheck
from tests.integration.admin_desk import Desk, at_the_desk
from tests.integration.live_product import Product, Talk, redis_of

RATED = "out of 5"  # in what the engine is asked to say of one place, and in nothing that is said before
STOPPED = (Outcome.ABORTED, Outcome.DISCONNECTED)
RUNNING, SHADOW, STALE = FillState.RUNNING, FillState.SHADOW, FillState.STALE
MADE_FROM_IT = ("lookup", "reply")
kinds = (f"style {number} seafood" for number in count(1))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    env = {"DYNBRANCH_MODE_CHOICE": "1"}
    with ScriptedEngine() as engine, Stack(tmp_path_factory.mktemp("edits"), engine=engine.url, env=env) as stack:
        stack.wait_ready()
        yield Product(stack, engine, redis_of(stack.home.var_dir))


@pytest.fixture
def product(running: Product) -> Iterator[Product]:
    """Its library is sound when the test is over."""
    running.scripted.reset()
    yield running
    running.scripted.reset()
    assert LibraryCheck(running.client).run(repair=False, now_ms=now_ms()).findings == ()


@pytest.fixture
async def desk(product: Product) -> AsyncIterator[Desk]:
    async with at_the_desk(product.stack) as desk:
        yield desk


class Guest:
    """At the offer after a search: its first two actions ask for one place each."""

    def __init__(self, product: Product, talk: Talk) -> None:
        self._product, self._talk, self._branch = product, talk, ""

    async def search(self) -> "Guest":
        assert (await self._pick("Show restaurants")).state == "done"
        return self

    @property
    def place(self) -> str:
        """The place that the first action is about."""
        return self._talk.offer["actions"][0]["label"].removeprefix("Tell me about ")

    async def ask(self) -> Answer:
        return await self._pick(f"Tell me about {self.place}")

    async def _pick(self, label: str) -> Answer:
        labels = [action["label"] for action in self._talk.offer["actions"]]
        return await self._talk.pick(labels.index(label))

    async def until(self, true: Callable[[], bool]) -> None:
        """Of what was begun at this offer."""
        self._branch = await self._talk.branch()
        await self._talk.until(true)

    def fills(self, choice: int = 0) -> dict[str, FillState]:
        """State by stage of what was begun for this action."""
        shadows = self._product.shadows
        chains = filter(None, map(shadows.chain, self._product.branches.chains(self._branch)))
        mine = [chain.chain_id for chain in chains if chain.choice == str(choice)]
        return {fill.stage: fill.state for chain_id in mine for fill in shadows.chain_fills(chain_id)}


@dataclass(frozen=True, slots=True)
class Edited:
    """A restaurant as it now is."""

    name: str
    kind: str


@pytest.fixture
async def place(product: Product, desk: Desk) -> Edited:
    """The best restaurant. It was just edited, so that nothing of an earlier test answers for it."""
    async with product.conversation(Mode.FLOOR) as talk:
        name = (await Guest(product, talk).search()).place
    await desk.edit(name, kind := next(kinds))
    return Edited(name, kind)


@pytest.fixture
async def guest(product: Product, place: Edited) -> AsyncIterator[Guest]:
    async with product.conversation(Mode.FULL) as talk:
        yield Guest(product, talk)


def held(engine: ScriptedEngine) -> list[Seen]:
    """What it was asked to say of one place and has not said; each changes as that goes on."""
    return [seen for seen in engine.seen if RATED in seen.prompt and seen.outcome is Outcome.RUNNING]


def hows(answer: Answer) -> dict[str, str]:
    return {stage["stage"]: stage["how"] for stage in answer.turn["timing"]["stages"]}


def assert_shows(answer: Answer, new: str, old: str) -> None:
    assert answer.state == "done"
    assert new in answer.turn["reply"]
    assert old not in answer.turn["reply"]
    assert {hows(answer)[stage] for stage in MADE_FROM_IT} == {"executed"}


async def test_a_running_fill_that_read_it_is_aborted_and_the_next_pick_shows_the_new_fact(product, desk, guest, place):
    product.scripted.behave(contains=RATED, first_byte_s=600.0)
    await guest.search()
    await guest.until(lambda: guest.fills(0).get("reply") is guest.fills(1).get("reply") is RUNNING)
    await guest.until(lambda: product.scripted.running == 2)
    mine, other = sorted(held(product.scripted), key=lambda seen: place.name not in seen.prompt)

    await desk.edit(place.name, kind := next(kinds))

    await guest.until(lambda: mine.outcome in STOPPED)
    assert place.name in mine.prompt
    assert other.outcome not in STOPPED
    await guest.until(lambda: not {RUNNING, FillState.RESERVED} & set(guest.fills(0).values()))
    assert {guest.fills(0)[stage] for stage in ("lookup", "reply")} == {STALE}
    assert STALE not in guest.fills(1).values()  # the other place's
    product.scripted.reset()
    assert_shows(await guest.ask(), kind, place.kind)


async def test_a_shadow_that_read_it_is_never_shown_and_the_next_pick_shows_the_new_fact(product, desk, guest, place):
    await guest.search()
    await guest.until(lambda: {*guest.fills(0).values()} == {SHADOW} and guest.fills(1).get("reply") is SHADOW)

    await desk.edit(place.name, kind := next(kinds))

    await guest.until(lambda: {*guest.fills(0).values()} == {STALE})
    assert guest.fills(1)["reply"] is SHADOW  # the other place's
    assert_shows(await guest.ask(), kind, place.kind)


async def test_what_was_confirmed_from_it_serves_nobody_after_an_edit(product, desk, guest, place):
    await guest.search()
    await guest.until(lambda: {*guest.fills(0).values()} == {SHADOW})
    confirmed = await guest.ask()
    assert {hows(confirmed)[stage] for stage in MADE_FROM_IT} == {"promoted"}
    async with product.conversation(Mode.C1) as talk:
        served = await (await Guest(product, talk).search()).ask()
        assert {hows(served)[stage] for stage in MADE_FROM_IT} == {"hit"}
        assert served.turn["reply"] == confirmed.turn["reply"]
        assert place.kind in served.turn["reply"]

    async with product.conversation(Mode.C1) as talk:
        another = await Guest(product, talk).search()
        await desk.edit(place.name, kind := next(kinds))
        assert_shows(await another.ask(), kind, place.kind)
