"""History over the coordinate: what was selected here before, after selections like the latest ones."""

from apps.predictors.interface import Box
from apps.serving.branch.candidates import LIMITS, Context, Guess
from apps.serving.branch.history import DEFAULTS, History, HistoryConfig, Place, contexts_of, weights
from apps.serving.names import Coordinate


class PastSelections:
    """`Predictor`. Orders kinds by `serving.branch.history.weights`; says nothing of one never selected."""

    def __init__(self, history: History, config: HistoryConfig = DEFAULTS) -> None:
        self._history, self._config = history, config

    def predict(self, coordinate: Coordinate, context: Context, box: Box) -> None:
        place = Place(context.partition, coordinate)
        tallies = self._history.tallies(place, contexts_of(context.recent, self._config.order))
        found = weights(tallies, context.now_ms, self._config)
        if context.offered:
            box.say(Guess(o.choice, found[o.kind]) for o in context.offered if o.kind in found)
        else:
            # All at once: a box looks at the first of them only.
            box.say(Guess(kind, found[kind]) for kind in sorted(found, key=lambda kind: -found[kind]))

    def learn(self, coordinate: Coordinate, context: Context, kind: str, observation_id: str) -> bool:
        """Count a selection, made in `context`. A repeat of the same observation counts nothing and gives False.

        kind  the selected option's; in an open vocabulary the candidate itself
        Blocking. Raises ValueError for a kind that cannot be kept.
        """
        contexts = contexts_of(context.recent, self._config.order)
        place = Place(context.partition, coordinate)
        return self._history.observe(place, contexts, _keepable(kind), observation_id, context.now_ms)


def _keepable(kind: str) -> str:
    if not kind or len(kind) > LIMITS.candidate_chars:
        raise ValueError(
            f"kind has {len(kind)} characters; give it 1 to {LIMITS.candidate_chars}: name what an option does"
        )
    try:
        kind.encode()
    except UnicodeEncodeError as exc:
        raise ValueError(f"kind {kind!r} is no Unicode text: a half of a surrogate pair stands alone") from exc
    return kind
