"""Cuts a stream of text into sentences."""

import re

# A full stop inside 4.5 or 19:00 is followed by no space.
_END = re.compile(r"[.!?][\"”')]*(?=\s)")


class Sentences:
    """Collects pieces; gives each sentence once it is complete."""

    def __init__(self) -> None:
        self.pending = ""

    def add(self, piece: str) -> list[str]:
        """The sentences that this piece completes, without the white space around them."""
        self.pending += piece
        complete = []
        while match := _END.search(self.pending):
            complete.append(self.pending[: match.end()].strip())
            self.pending = self.pending[match.end() :].lstrip()
        return complete

    def rest(self) -> str:
        """What came after the last complete sentence; a full stop is added where the model left it out."""
        text, self.pending = self.pending.strip(), ""
        return text if not text or text[-1] in ".!?" else f"{text}."
