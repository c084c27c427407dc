"""Two-phase writes around a database transaction. method.md §3

    with wiring.writing(["place:casa-luma"]) as write:      # from here on, what read it is a miss
        with transaction.atomic(): ...                      # increments the row's version
            write.hold()                                    # last, with the rows locked
        write.committed({"place:casa-luma": 4})             # published, readers invalidated

Leaving without `committed` keeps the records uncertain until the reconciler has read their versions from the
database: a rollback costs reuse, never freshness.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from apps.runtime.clock import now_ms
from apps.serving.names import Json
from apps.serving.ports import Invalidated, Records
from apps.stores.client import StoreError

log = logging.getLogger(__name__)


class WriteRefused(Exception):
    """The shared state is away, so that readers could not be warned: the write must not happen now."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What a write made unusable, by kind, as far as its writer carried the cascade; the probe does the rest.

    steps  of the cascade. Where several writes are under way, one writer's steps may end what another's reached
    """

    records: tuple[str, ...]
    entries: int
    shadows: int
    running: int
    steps: int

    @classmethod
    def of(cls, records: Iterable[str], steps: Sequence[Invalidated]) -> "Committed":
        ended = [sum(len(getattr(step, kind)) for step in steps) for kind in ("entries", "shadows", "running")]
        return cls(tuple(sorted(records)), *ended, len(steps))

    def as_json(self) -> dict[str, Json]:
        return {
            "records": list(self.records),
            "entries": self.entries,
            "shadows": self.shadows,
            "running": self.running,
            "steps": self.steps,
        }


class Writing:
    """tell  is given every step of the cascade as it was done, then what they came to; must not raise"""

    def __init__(
        self,
        records: list[str],
        port: Records,
        lease_ms: int,
        tell: Callable[[Invalidated | Committed], None],
    ) -> None:
        self._records, self._port, self._lease_ms, self._tell = records, port, lease_ms, tell
        self._token = secrets.token_hex(16)

    def __enter__(self) -> "Writing":
        self.hold()
        return self

    def hold(self) -> None:
        """Mark the records uncertain, with a full lease; WriteRefused when that is not possible.

        Again as the last step before the database commits: a writer slower than its first lease may have been
        reconciled meanwhile, and from here on the reconciler waits for the locked rows.
        """
        try:
            self._port.begin_write(self._records, self._token, now_ms() + self._lease_ms)
        except StoreError as exc:
            raise WriteRefused("the shared state is away; try again in a moment") from exc

    def committed(self, versions: Mapping[str, int]) -> None:
        """Publish what the database now holds, and end all that rests on what it held before.

        Failing to is no error: the probe reconciles what was not published, and goes on with a cascade that is open.
        """
        steps: list[Invalidated] = []
        try:
            steps.append(self._port.commit_write(versions, self._token, now_ms()))
            self._tell(steps[-1])
            while steps[-1].open:
                steps.append(self._port.cascade(now_ms()))
                self._tell(steps[-1])
        except StoreError:
            log.warning("write of %s is left to the probe: the shared state is away", ", ".join(versions))
        if steps:
            self._tell(Committed.of(versions, steps))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
