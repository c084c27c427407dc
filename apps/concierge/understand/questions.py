"""What a message asks about one place: two things at once, one more of the same, or a thing that nobody has noted."""

import re

from apps.concierge.understand.clean import plain, says, whole, words_of
from apps.concierge.understand.cues import cues, unexplained
from apps.concierge.understand.gazetteer import Known
from apps.concierge.understand.lexicon import FILLERS
from apps.concierge.understand.mentions import feature_in
from apps.concierge.understand.moments import without_moment
from apps.concierge.understand.seen import Seen
from apps.serving.names import Json

_THERE = r"(?:is|are) there|(?:do|does|did) (?:you|u|they|it|_place_) (?:have|offer|do|sell|allow)"
HAVING = rf"{_THERE}|(?:have|has) (?:you|u|they|it|_place_) got|whats the|what is the"
TELL = r"tell me|more about|details|more info|information|what(?:'s| is) _place_|describe"
_POINTING = words_of("first second third last 1st 2nd 3rd best top rated others other another more")
_BEGINS = re.compile(
    r"(?:(?:and|but|so|ok|hi|hello|hey) )*(?:is|are|do|does|can|could|may|will|would|what|what's|who|who's|how|when"
    r"|where|why|which|if|whats)\b"
)
_NO_OPINION = r"how (?:long|many)|who|when|where|why|what happens|can (?:i|we)|do (?:i|we) (?:need|have)"
ONE_MORE = re.compile(r"(?:(?:ok|so|oh|hmm) )*(?:and|what about|how about)\b")
_MOST_PARTS = 4
_PARTS = re.compile(r"[?;!]+|\band\b|&|\bplus\b|\balso\b|, ", re.IGNORECASE)
# Aspects that are also named for a question of which only its form was seen.
_VAGUE = ("overview", "rating")


def left_over(seen: Seen, known: str = "") -> bool:
    """Whether a word stays that neither mention, moment, cue nor filler explains, nor the pattern `known`."""
    rest = without_moment(seen.mentions.rest)
    words = unexplained(whole(known).sub(" ", rest) if known else rest, FILLERS)
    return any(word not in _POINTING and not word.startswith("vb") for word in words)


def asks(seen: Seen) -> bool:
    return "?" in seen.shown or _BEGINS.match(seen.text) is not None or says(seen.mentions.masked, HAVING)


def is_unknown(seen: Seen, aspect: str) -> bool:
    """Whether a question under this aspect has words that no rule knows and none that is of the aspect.

    Then nothing known of the place answers it: "is there a dress code?" is not answered by a rating.
    """
    cued = seen.cues.aspect == "rating" or says(seen.text, TELL)
    form = HAVING if aspect == "overview" else rf"{_THERE}|(?:is|are) (?:it|they)"
    asked = says(seen.mentions.masked, rf"{form}|{_NO_OPINION}")
    return aspect in _VAGUE and not cued and asked and left_over(seen)


def one_more(seen: Seen) -> dict[str, Json]:
    """ "And the third?": the aspect asked of the place before, with its day, time or feature; else empty."""
    asked = seen.asked
    if asked["op"] not in ("ask", "compare") or not seen.named or seen.cues.aspect or not ONE_MORE.match(seen.text):
        return {}
    kept = ("aspect", "day", "time", "feature")
    return {} if seen.says_when or seen.mentions.feature else {key: asked[key] for key in kept if key in asked}


def two_aspects(seen: Seen, place: Known) -> list[str]:
    """The aspects that the first parts of the message ask for, in order, at most two; empty if one is about a booking.

    The place's own name, of which a word may also be that of a feature, is left out.
    """
    parts = [plain(part) for part in _PARTS.split(seen.shown)[:_MOST_PARTS]]
    name = plain(place.name).removeprefix("the ")
    bare = [part.replace(name, " ") for part in parts if part] if len(parts) > 1 and name else []
    if any(cues(part).intent for part in bare):
        return []
    found = [_aspect_of(part, feature_in(part, seen.names)) for part in bare]
    return [aspect for aspect in dict.fromkeys(found) if aspect][:2]


def _aspect_of(text: str, feature: str) -> str:
    """Not "overview", whose words are said beside any question."""
    aspect = cues(text).aspect
    if feature and aspect in ("", "features", "overview", "hours", "directions"):
        return "feature"
    return "" if aspect == "overview" else aspect
