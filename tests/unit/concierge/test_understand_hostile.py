"""Whatever is typed is read without harm, and at once."""

import time

import pytest

from apps.concierge.program import PROGRAM
from apps.concierge.requests import request
from apps.concierge.understand.clean import MOST_CHARS, cleaned
from apps.concierge.understand.reading import MODEL_CHARS, read
from tests.unit.concierge.conftest import MONDAY, asker

EMPTY: dict = {}
ABOUT = {
    "focus": {"slug": "oro-e-sale", "name": "Oro e Sale", "service": "restaurant", "area": "Riverside"},
    "results": [],
    "request": request("ask", place="oro-e-sale", aspect="overview"),
}
HOSTILE = [
    "<script>alert('x')</script>",
    "<b>restaurants</b> in <i>Riverside</i>",
    "\x00\x07\x1b[31mrestaurants\x7f",
    "\u202eenod si tahw\u202c",
    "مطعم جيد من فضلك",
    "🍕🍕🍕",
    "a" * 4000,
    "restaurants " * 333,
    "<" * 4000,
    "'; DROP TABLE place; --",
    "{% debug %} {{ settings }}",
    "\ud800 half a surrogate",
]


@pytest.mark.django_db
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_read_without_harm(text):
    turn = PROGRAM.text_turn(text, EMPTY, asker())
    call = PROGRAM.next_call(turn, {})

    assert call is not None
    shown = cleaned(text)
    assert len(shown) <= MOST_CHARS
    assert "<script" not in shown
    assert not any(ord(c) < 32 or c in "\u202e\u202c\x7f" for c in shown)
    user = read(text, ABOUT, MONDAY).user
    assert user.startswith("about: restaurant\n")
    assert len(user) <= MODEL_CHARS + len("about: restaurant\n")


def test_a_tag_does_not_hide_what_is_said():
    assert read(HOSTILE[1], EMPTY, MONDAY).certain == request("find", service="restaurant", area="Riverside")


# Each is repeated to the longest message that is read; the ending denies a pattern its match at the very end.
REPEATED = [
    "ty", "bye", "yes", "no", "please", "what", "the", "on", "this", "for", "at", "in", "may", "a", "x", "1", "oro",
    "hotel", "pool", "cancel", "saturdy", "brine", "move", "ok go ahead", "what my", "next", "make it", "i have",
    "two of us and", "2 after", "half", "12 people and", "have already", "book for", "not too", "museum of",
    "how much is", "the first", "tell me", "no don't", "<a", "ﷺ", "$5", "9.",
]  # fmt: skip
MOST_MS = 50.0


@pytest.mark.parametrize("ending", ["x", " zz"])
@pytest.mark.parametrize("word", REPEATED)
def test_the_longest_message_of_one_word_is_read_in_50_ms(word, ending):
    read(word, ABOUT, MONDAY)
    text = (word + " ") * MOST_CHARS
    text = text[: MOST_CHARS - len(ending)] + ending

    assert _quickest_ms(text) < MOST_MS


def _quickest_ms(text: str) -> float:
    """Of three, since other programs use the machine too."""
    taken = []
    for _ in range(3):
        begun = time.perf_counter()
        _ = read(text, ABOUT, MONDAY).requests
        taken.append((time.perf_counter() - begun) * 1000)
    return min(taken)
