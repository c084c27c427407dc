"""Keeps every change of a versioned record inside `services.change`; any other would leave stale answers in use."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import models

_announced: ContextVar[bool] = ContextVar("announced", default=False)


class UnannouncedWrite(RuntimeError):
    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} outside an announced write: results that read the record would stay in use. "
            "Do it inside `with apps.concierge.services.change([...record ids...]):`"
        )


@contextmanager
def announced() -> Iterator[None]:
    """Only `services` enters this, around the transaction of a two-phase write."""
    token = _announced.set(True)
    try:
        yield
    finally:
        _announced.reset(token)


def require_announced(what: str) -> None:
    if not _announced.get():
        raise UnannouncedWrite(what)


class GuardedQuerySet(models.QuerySet):
    """Refuses bulk changes, which skip `Model.save` and so would skip the version too."""

    def update(self, **kwargs: Any) -> int:
        require_announced(f"{self.model.__name__}.objects.update()")
        return super().update(**kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        require_announced(f"{self.model.__name__}.objects.delete()")
        return super().delete()

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> Any:
        require_announced(f"{self.model.__name__}.objects.bulk_create()")
        return super().bulk_create(objs, *args, **kwargs)

    def bulk_update(self, objs: Any, *args: Any, **kwargs: Any) -> int:
        require_announced(f"{self.model.__name__}.objects.bulk_update()")
        return super().bulk_update(objs, *args, **kwargs)


class GuardedModel(models.Model):
    """A row that results may have read. Its version changes in the transaction that changes the row."""

    version = models.PositiveBigIntegerField(default=0, editable=False)
    objects = GuardedQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        require_announced(f"{type(self).__name__}.save()")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        require_announced(f"{type(self).__name__}.delete()")
        return super().delete(*args, **kwargs)
