"""Turns on the engine are few, go to the best that waits, and come back however they end."""

import asyncio

import pytest

from apps.runtime.engine_turns import EngineTurns
from apps.serving.ports import ChainRecord


def chain(rank: int, expires_at_ms: int = 1000) -> ChainRecord:
    return ChainRecord("c", "b", str(rank), rank, {}, {}, (), "r", 1, 0, expires_at_ms)


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class Work:
    """Takes a turn for each chain started and keeps it until told."""

    def __init__(self, turns: EngineTurns) -> None:
        self.turns, self.began, self.may_end = turns, [], asyncio.Semaphore(0)

    async def run(self, one: ChainRecord) -> None:
        async with self.turns.turn(one):
            self.began.append((one.expires_at_ms, one.rank))
            await self.may_end.acquire()

    async def start(self, *chains: ChainRecord) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self.run(one)) for one in chains]
        await settled()
        return tasks


@pytest.fixture
def work() -> Work:
    return Work(EngineTurns(1))


async def test_of_those_that_wait_the_oldest_offers_best_goes_first(work):
    tasks = await work.start(chain(3), chain(1), chain(2), chain(0, expires_at_ms=2000))
    for _ in tasks:
        work.may_end.release()
        await settled()

    assert work.began == [(1000, 3), (1000, 1), (1000, 2), (2000, 0)]


async def test_no_more_turns_are_taken_at_once_than_there_are():
    work = Work(EngineTurns(2))
    tasks = await work.start(*(chain(rank) for rank in range(4)))
    assert [rank for _, rank in work.began] == [0, 1]

    for _ in tasks:
        work.may_end.release()
    await asyncio.gather(*tasks)


async def test_one_that_is_cancelled_while_it_waits_or_works_holds_up_nobody(work):
    working, waiting, last = await work.start(chain(0), chain(1), chain(2))

    waiting.cancel()
    working.cancel()
    await settled()

    assert work.began == [(1000, 0), (1000, 2)]
    work.may_end.release()
    await last
