"""What a stage says that it holds at most is enough for its longest prompt and answer, in both dialects."""

import pytest

from apps.concierge.facts import sheet
from apps.concierge.prompts import speech_body
from apps.concierge.requests import request
from apps.concierge.understand.prompt import understand_body
from apps.concierge.understand.reading import MODEL_CHARS
from apps.concierge.workflow import REPLY, UNDERSTAND

# English has more than four bytes a token in SmolLM2's tokenizer, tags and role of a message are six tokens.
BYTES_A_TOKEN, TOKENS_A_MESSAGE = 4, 6
LONGEST = "The Extraordinarily Long Name of an Inn by the Old Harbour"


def tokens(body) -> int:
    """Of prompt and answer, at most."""
    said = [len(message["content"].encode()) for message in body["messages"]]
    return sum(said) // BYTES_A_TOKEN + TOKENS_A_MESSAGE * (len(said) + 1) + body["max_tokens"]


@pytest.mark.parametrize("dialect", ["terse", "instructed"])
def test_understand_has_room_for_a_message_of_which_every_byte_is_a_token(dialect, settings):
    settings.PROMPTS = dialect
    fixed = tokens(understand_body("about: restaurant, booking\n"))

    assert fixed + len("\U0001f355".encode()) * MODEL_CHARS <= UNDERSTAND.kv_tokens


@pytest.mark.parametrize("dialect", ["terse", "instructed"])
def test_speech_has_room_for_three_places_of_long_names(dialect, settings):
    settings.PROMPTS = dialect
    place = {"slug": "x", "name": LONGEST, "service": "hotel", "area": "Lantern Quarter", "kind": "guesthouse"}
    place |= {"price": 120, "rating": 4.5, "features": ["wifi"], "hours": {}}
    found = {"total": 12, "places": [place, place, place], "given_up": []}
    body = speech_body("reply", sheet(request("find", service="hotel", area="Lantern Quarter"), found))

    assert LONGEST in str(body)
    assert tokens(body) <= REPLY.kv_tokens
