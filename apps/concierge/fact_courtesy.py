"""Kind words that state nothing, as whole sentences: the same words in another order could assert something."""

import re
from collections.abc import Sequence

_PRAISE = "lovely|great|good|nice|wonderful"
_OCCASION = "visit|stay|time|day"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        rf"(please )?enjoy (it|your ({_OCCASION}))",
        rf"(i |we )?hope (that )?you (will )?enjoy (it|your ({_OCCASION}))( very much)?",
        rf"have a (very )?({_PRAISE}) ({_OCCASION})",
        rf"((it|that|this) is )?(a )?(very )?({_PRAISE}) choice",
        r"(thanks|thank you)( very much)?",
        r"you are (very )?welcome",
        r"(i am|we are|i will be|we will be) (very )?(happy|glad) to help( you)?",
        r"(please )?let (me|us) know if you need (anything else|help)",
        r"if you need (anything else|help) (please )?let (me|us) know",
    )
)
COURTESY = frozenset(word for shape in _SHAPES for word in re.findall(r"[a-z]+", shape.pattern))
"""Every word of these sentences."""


def is_courtesy(words: Sequence[str]) -> bool:
    """words: of the whole sentence, in lower case, short forms written out"""
    line = " ".join(words)
    return any(shape.fullmatch(line) for shape in _SHAPES)
