"""Branch records in Redis."""

import redis

from apps.serving.branch.record import BranchRecord, BranchState, check_move
from apps.serving.config import DEFAULTS, ServingConfig
from apps.serving.outcomes import Miss
from apps.stores import keys
from apps.stores.codec import decode_branch, encode_branch
from apps.stores.scripts import Scripts
from apps.stores.verdicts import call_token, miss


class RedisBranches:
    """`serving.ports.Branches`."""

    def __init__(self, client: redis.Redis, library: str = "main", config: ServingConfig = DEFAULTS) -> None:
        self._client, self._config = client, config
        self._keys = keys.library(library)
        self._scripts = Scripts(client)

    def open(self, branch: BranchRecord, now_ms: int) -> Miss | None:
        workflow = f"{branch.coordinate.workflow}/{branch.coordinate.version}"
        args = [branch.branch_id, encode_branch(branch), branch.state, branch.opened_at_ms, call_token(), workflow]
        return miss(self._scripts.run(self._keys, "open_branch", *args))

    def branch(self, branch_id: str) -> BranchRecord | None:
        fields = self._client.hgetall(self._keys.key("branch:", branch_id))
        return decode_branch(fields) if fields else None

    def move(
        self, branch_id: str, leave: BranchState, enter: BranchState, now_ms: int, choice: str | None = None
    ) -> Miss | None:
        check_move(branch_id, leave, enter)
        chosen = [] if choice is None else [choice]
        args = [branch_id, leave, enter, BranchState.SETTLED, now_ms, call_token(), *chosen]
        return miss(self._scripts.run(self._keys, "move_branch", *args))

    def chains(self, branch_id: str) -> tuple[str, ...]:
        return tuple(i.decode() for i in self._client.lrange(self._keys.key("chains:", branch_id), 0, -1))

    def unsettled(self, now_ms: int, limit: int) -> tuple[str, ...]:
        found = self._client.zrangebyscore(self._keys.key("unsettled"), "-inf", now_ms, start=0, num=limit)
        return tuple(i.decode() for i in found)

    def sweep(self, now_ms: int, limit: int) -> int:
        settled_by_ms = now_ms - self._config.settled_keep_ms
        return int(self._scripts.run(self._keys, "sweep_branches", settled_by_ms, limit, now_ms))
