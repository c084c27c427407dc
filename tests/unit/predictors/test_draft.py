"""A draft model sampled N times: candidates rank by how often they are named."""

import asyncio
from dataclasses import replace

import pytest

from apps.engines.base import EngineRefused
from apps.engines.factory import make_engine
from apps.engines.sampling import EngineSampler
from apps.engines.scripted import ScriptedEngine
from apps.predictors.draft import DraftConfig, DraftModel, named_in, prompt_for
from apps.predictors.menu import Menu
from apps.predictors.plans import Plan
from apps.predictors.proposer import Ended, Proposer
from apps.serving.branch.candidates import Context, Option
from tests.unit.predictors.doubles import HERE, MENU, Deadline, until

OPEN = Context("t/shared", 0, wanted="Who carved the statues?")
DRAFT = Plan(("draft",))


class Answers:
    """The sampler of seed n gives the nth answer, raises it, or waits for ever when it is None."""

    def __init__(self, *answers: str | Exception | None) -> None:
        self.answers = answers
        self.waiting = self.cancelled = 0

    async def __call__(self, prompt: str, seed: int) -> str:
        answer = self.answers[seed]
        if answer is None:
            self.waiting += 1
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled += 1
        if isinstance(answer, Exception):
            raise answer
        return str(answer)


def drafting(sampler, samples: int, deadline: Deadline | None = None) -> Proposer:
    draft = DraftModel(sampler, asyncio.get_running_loop(), DraftConfig(samples))
    return Proposer({"draft": draft, "menu": Menu()}, call_later=deadline or Deadline())


async def test_what_is_named_more_often_comes_first_and_equals_by_the_menu():
    answers = Answers("3", "Map", "3", "1", "none of them")
    assert (await drafting(answers, 5).propose(DRAFT, HERE, MENU)).choices == ("2", "0", "1")


async def test_in_an_open_vocabulary_an_answer_is_the_candidate():
    answers = Answers(" Jean Goujon.\nHe carved them", '"Pierre Lescot"', "Pierre Lescot", "  ")
    assert (await drafting(answers, 4).propose(DRAFT, HERE, OPEN)).choices == ("Pierre Lescot", "Jean Goujon")


async def test_a_sample_that_fails_names_nothing_and_the_others_count():
    proposed = await drafting(Answers(EngineRefused("full"), "2"), 2).propose(DRAFT, HERE, MENU)
    assert proposed.choices == ("1",)
    assert proposed.parts[0].ended is Ended.DONE


async def test_when_every_sample_fails_the_predictor_has_failed():
    answers = Answers(EngineRefused("full"), EngineRefused("full"))
    proposed = await drafting(answers, 2).propose(DRAFT, HERE, MENU)
    assert (proposed.choices, proposed.parts[0].ended) == ((), Ended.FAILED)


async def test_at_the_deadline_the_samples_that_came_count_and_the_others_are_cancelled():
    answers, deadline = Answers("2", None, None), Deadline()
    proposer = drafting(answers, 3, deadline)
    asked = asyncio.create_task(proposer.propose(DRAFT, HERE, MENU))
    await until(lambda: answers.waiting == 2)  # the first has answered by then: samples begin in order

    deadline.passes()
    proposed = await asked

    assert (proposed.choices, proposed.parts[0].ended) == (("1",), Ended.CUT)
    await until(lambda: answers.cancelled == 2 and proposer.running("draft") == 0)


async def test_a_sampler_that_swallows_its_cancelling_costs_its_deadline_and_keeps_its_place():
    let_go, swallowed, begun = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def stubborn(prompt: str, seed: int) -> str:
        begun.set()
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                swallowed.set()
        return "1"

    deadline = Deadline()
    proposer = drafting(stubborn, 1, deadline)
    asked = asyncio.create_task(proposer.propose(Plan(("menu", "draft")), HERE, MENU))
    await begun.wait()
    await until(lambda: proposer.running("menu") == 0)
    deadline.passes()

    assert (await asked).choices == ("0", "1", "2")
    await swallowed.wait()
    assert proposer.running("draft") == 1
    let_go.set()
    await until(lambda: proposer.running("draft") == 0)


async def test_without_the_loop_of_its_engine_it_fails_at_once():
    over = asyncio.new_event_loop()
    over.close()
    proposer = Proposer({"draft": DraftModel(Answers("1"), over)}, call_later=Deadline())
    assert (await proposer.propose(DRAFT, HERE, MENU)).parts[0].ended is Ended.FAILED


async def test_it_asks_any_engine_as_a_fill_with_one_seed_a_sample():
    with ScriptedEngine() as scripted:
        scripted.respond_with(lambda seen: "2" if seen.body["seed"] else "3")
        engine = make_engine("openai", scripted.url, "draft-model")
        try:
            proposed = await drafting(EngineSampler(engine, "draft-model"), 3).propose(DRAFT, HERE, MENU)
        finally:
            await engine.aclose()
        bodies = [seen.body for seen in scripted.server.seen]

    assert proposed.choices == ("1", "2")
    assert sorted(body["seed"] for body in bodies) == [0, 1, 2]
    assert {body["model"] for body in bodies} == {"draft-model"}
    assert all(body["temperature"] > 0 for body in bodies)


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("2", "1"),
        ("2.", "1"),
        ("Number 2", "1"),
        ("**2**", "1"),
        ("map", "1"),
        ("MAP.", "1"),
        ("2 or 3", None),
        ("0", None),
        ("4", None),
        ("9" * 5_000, None),
        ("", None),
        ("the map", None),
        ("2\nsince 3 is closed", "1"),
    ],
)
def test_an_answer_names_one_option_by_its_number_or_label_or_none(answer, choice):
    assert named_in(answer, MENU) == choice


def test_a_label_with_a_number_in_it_is_no_number():
    offered = (Option("0", "book", "Book for 2"), Option("1", "map", "Map"))
    assert named_in("Book for 2", replace(MENU, offered=offered)) == "0"


def test_the_prompt_has_the_menu_and_what_was_said_and_only_the_latest_of_what_was_read():
    context = replace(MENU, wanted="where is it?", recent=("greet",), read=("early " * 2_000, "the end"))
    prompt = prompt_for(context)

    assert "where is it?" in prompt
    assert "2. Map" in prompt
    assert "greet" in prompt
    assert "the end" in prompt
    assert len(prompt) < 5_000
