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
from collections.abc import Callable, Mapping
from types import TracebackType

from apps.runtime.clock import now_ms
from apps.serving.ports import Records
from apps.stores.client import StoreError

log = logging.getLogger(__name__)


class WriteRefused(Exception):
    """The shared state is away, so that readers could not be warned: the write must not happen now."""


class Writing:
    def __init__(
        self,
        records: list[str],
        port: Records,
        lease_ms: int,
        after: Callable[[list[str], tuple[str, ...]], None],
    ) -> None:
        self._records, self._port, self._lease_ms, self._after = records, port, lease_ms, after
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
        """Publish what the database now holds. Failing to is no error: the reconciler will."""
        try:
            invalidated = self._port.commit_write(versions, self._token, now_ms())
        except StoreError:
            log.warning("write of %s will be reconciled: the shared state is away", ", ".join(versions))
            return
        self._after(list(versions), invalidated)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
