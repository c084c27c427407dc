from enum import StrEnum


class Tone(StrEnum):
    """How the page colours a value; the words beside it say the same, so colour is never the only sign."""

    PLAIN = "plain"
    QUIET = "quiet"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
