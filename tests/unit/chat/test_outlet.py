import asyncio

import pytest

from apps.chat import outlet, ports


class Stream:
    """A publisher whose stream can be away or lose its past."""

    def __init__(self):
        self.sent, self.seq, self.away = [], 0, False

    async def publish(self, conversation, kind, data):
        await asyncio.sleep(0)
        if self.away:
            raise ConnectionError
        self.seq += 1
        self.sent.append((data["offset"], data["text"]))
        return self.seq


@pytest.fixture
def stream(monkeypatch):
    made = Stream()
    monkeypatch.setattr(ports, "current", lambda: type("Runtime", (), {"publisher": lambda self: made})())
    monkeypatch.setattr(outlet, "COALESCE_S", 0)
    return made


def new_outlet():
    return outlet.Outlet("c", "t", 1, lambda: 42)


async def test_the_first_piece_goes_out_at_once_and_later_ones_together(stream):
    out = new_outlet()
    await out.emit("Good ")
    assert stream.sent == [(0, "Good ")]
    await out.emit("morning")
    await out.emit(", you.")
    await out.complete("Good morning, you.")

    assert stream.sent == [(0, "Good "), (5, "morning, you.")]
    assert out.first_ms == 42


async def test_a_reply_that_comes_whole_is_one_event(stream):
    out = new_outlet()
    await out.emit("All of it.")
    await out.complete("All of it.")

    assert stream.sent == [(0, "All of it.")]


async def test_what_was_never_emitted_of_a_reply_goes_out_at_its_end(stream):
    out = new_outlet()
    await out.emit("One. ")
    await out.complete("One. Two.")

    assert "".join(text for _, text in stream.sent) == "One. Two."


async def test_after_a_lost_event_the_whole_text_is_sent_again(stream):
    out = new_outlet()
    await out.emit("One. ")
    stream.away = True
    await out.emit("Two. ")
    await out._later
    stream.away = False
    await out.complete("One. Two. Three.")

    assert stream.sent[-1] == (0, "One. Two. Three.")


async def test_a_stream_that_lost_its_past_gets_the_whole_text(stream):
    out = new_outlet()
    await out.emit("One. ")
    stream.seq = 0
    await out.complete("One. Two.")

    assert stream.sent[-1] == (0, "One. Two.")


async def test_offsets_count_characters_not_bytes(stream):
    out = new_outlet()
    await out.emit("é🙂")
    await out.complete("é🙂x")

    assert stream.sent[-1] == (2, "x")
