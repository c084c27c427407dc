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
# Four times the text takes four times as long, and sixteen times where every word is held against every other.
MOST_TIMES = 10


@pytest.mark.parametrize("ending", ["x", " zz"])
@pytest.mark.parametrize("word", REPEATED)
def test_reading_the_longest_message_of_one_word_takes_no_more_than_in_proportion(word, ending):
    read(word, ABOUT, MONDAY)
    whole, quarter = (_repeated(word, ending, chars) for chars in (MOST_CHARS, MOST_CHARS // 4))

    assert _quickest_s(whole) < MOST_TIMES * _quickest_s(quarter)


def _repeated(word: str, ending: str, chars: int) -> str:
    return ((word + " ") * chars)[: chars - len(ending)] + ending


def _quickest_s(text: str) -> float:
    """Of five, in processor time, since other programs use the machine too."""
    taken = []
    for _ in range(5):
        begun = time.process_time()
        _ = read(text, ABOUT, MONDAY).requests
        taken.append(time.process_time() - begun)
    return min(taken)
