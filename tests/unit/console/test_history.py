from apps.console.history import Memory
from tests.unit.console.fakes import FakeSource


def memory(limit=3):
    return Memory("system", limit, lambda event: event.seq)


async def test_it_begins_at_the_newest_events_of_a_long_stream():
    source, kept = FakeSource(), memory()
    for _ in range(10):
        source.append()

    assert await kept.follow(source)

    assert kept.items == (8, 9, 10)


async def test_it_reads_only_what_is_new_and_says_when_nothing_is():
    source, kept = FakeSource(), memory()
    source.append()
    await kept.follow(source)

    assert not await kept.follow(source)
    source.append()
    assert await kept.follow(source)
    assert kept.items == (1, 2)


async def test_a_new_epoch_forgets_the_old_numbers():
    source, kept = FakeSource(), memory()
    for _ in range(3):
        source.append()
    await kept.follow(source)

    source.epoch, source.streams["system"] = "e2", []
    source.append()
    await kept.follow(source)

    assert (kept.epoch, kept.items) == ("e2", (1,))
    assert kept.since("e1", 1) is None


async def test_a_hole_in_the_stream_begins_again_after_it():
    source, kept = FakeSource(), memory(limit=5)
    for _ in range(4):
        source.append()
    await kept.follow(source)
    for _ in range(3):
        source.append()
    del source.streams["system"][4:5]  # number 5 was trimmed

    await kept.follow(source)

    assert kept.items == (6, 7)
    assert kept.since("e1", 4) is None


async def test_since_gives_what_was_missed_or_none_when_there_would_be_a_hole():
    source, kept = FakeSource(), memory()
    for _ in range(5):
        source.append()
    await kept.follow(source)

    assert kept.since("e1", 5) == ()
    assert kept.since("e1", 3) == (4, 5)
    assert kept.since("e1", 2) == (3, 4, 5)
    assert kept.since("e1", 1) is None
    assert kept.since("e1", 6) is None
    assert kept.since("e0", 5) is None
