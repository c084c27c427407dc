"""What was selected at each coordinate, in Redis."""

from collections.abc import Mapping, Sequence

import redis

from apps.serving.branch.history import DEFAULTS, HistoryConfig, Place, Tally
from apps.stores import keys
from apps.stores.scripts import Scripts


class RedisHistory:
    """`serving.branch.history.History`."""

    def __init__(self, client: redis.Redis, config: HistoryConfig = DEFAULTS) -> None:
        self._client, self._config = client, config

    def observe(self, place: Place, contexts: Sequence[str], choice: str, observation_id: str, now_ms: int) -> bool:
        config = self._config
        half_lives = (config.lasting_half_life_ms, config.recent_half_life_ms)
        most = (config.choices, config.contexts, config.observations)
        args = (observation_id, choice, now_ms, *half_lives, config.keep_ms, *most, *contexts)
        return self._scripts().run(keys.history(place), "observe_history", *args) == 1

    def tallies(self, place: Place, contexts: Sequence[str]) -> tuple[Mapping[str, Tally], ...]:
        found = self._scripts().run(keys.history(place), "read_history", *contexts)
        return tuple(
            {choice.decode(): _tally(text.decode()) for choice, text in zip(fields[::2], fields[1::2], strict=True)}
            for fields in found
        )

    def _scripts(self) -> Scripts:
        # One that lived on would remember every place that was ever asked for.
        return Scripts(self._client)


def _tally(text: str) -> Tally:
    lasting, recent, at_ms = text.split()
    return Tally(float(lasting), float(recent), int(at_ms))
