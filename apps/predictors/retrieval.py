"""A retrieval ranker: BM25 of what is wanted, over text already read. For open vocabularies above all.

A candidate's document is every sentence that names it. In an open vocabulary the candidates are what those texts
name themselves; one that was selected here before is not named again.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.predictors.entities import names, sentences
from apps.predictors.interface import Box
from apps.serving.branch.candidates import Context, Guess
from apps.serving.names import Coordinate

TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class RetrievalConfig:
    """read_chars  most of the text read that is searched, the latest, characters, >= 1
    candidates     most that are compared, the first named, >= 1
    """

    read_chars: int = 100_000
    candidates: int = 500


class ReadText:
    """`Predictor`. Candidates that BM25 gives nothing follow in the order in which they were named."""

    def __init__(self, config: RetrievalConfig | None = None) -> None:
        self._config = config or RetrievalConfig()

    def predict(self, coordinate: Coordinate, context: Context, box: Box) -> None:
        read = sentences(context.read, self._config.read_chars)
        if context.offered:
            documents = {o.choice: [o.label, *_naming(read, o.label)] for o in context.offered}
        else:
            documents = self._named(read, context.recent)
        if documents:
            scores = _scores(documents, _tokens(context.wanted))
            box.say(Guess(choice, score) for choice, score in zip(documents, scores, strict=True))

    def _named(self, read: Sequence[str], recent: Sequence[str]) -> dict[str, list[str]]:
        """Candidate, as it was first written -> the sentences that name it."""
        from bm25s.stopwords import STOPWORDS_EN  # where first used: most processes never are asked

        common = frozenset(STOPWORDS_EN)
        done = {kind.casefold() for kind in recent}
        written: dict[str, str] = {}
        found: dict[str, list[str]] = {}
        for sentence in read:
            for name in dict.fromkeys(names(sentence, common)):
                if name.casefold() in done:
                    continue
                first = written.setdefault(name.casefold(), name)
                if first in found or len(found) < self._config.candidates:
                    found.setdefault(first, []).append(sentence)
        return found


def _naming(read: Sequence[str], label: str) -> list[str]:
    return [sentence for sentence in read if label.casefold() in sentence.casefold()]


def _tokens(text: str) -> list[str]:
    return TOKEN.findall(text.casefold())


def _scores(documents: Mapping[str, Sequence[str]], wanted: Sequence[str]) -> list[float]:
    """One a document. Of what no document holds BM25 says nothing; equal scores keep the order of naming."""
    corpus = [_tokens(" ".join(texts)) for texts in documents.values()]
    vocabulary = {token for document in corpus for token in document}
    asked = [token for token in dict.fromkeys(wanted) if token in vocabulary]
    if not asked:
        return [0.0] * len(corpus)
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG, whatever its user has set
    index = bm25s.BM25(method="lucene")
    index.index(corpus, show_progress=False)
    return [float(score) for score in index.get_scores(asked)]
