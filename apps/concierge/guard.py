"""Keeps every change of a versioned record inside `services.change`; any other would leave stale answers in use.

Three nets, each finer than the one below it:
- the models and their query sets refuse a change outside an announced write, and one of a record that the write has
  not announced;
- the database connection refuses a statement that changes a guarded table and does not come from them, whoever sends
  it: raw SQL, a cascade, a manager of another class. Also inside a write: of such a statement nobody knows the records;
- a system check (checks.py) refuses to start when a query reads a model that is not guarded.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from django.apps import apps
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

_announced: ContextVar[frozenset[str] | None] = ContextVar("announced", default=None)
# Tables that a statement may change now.
_open: ContextVar[frozenset[str]] = ContextVar("open", default=frozenset())


class UnannouncedWrite(RuntimeError):
    def __init__(self, what: str, missing: Iterable[str] = ()) -> None:
        named = ", ".join(sorted(missing))
        where = f"writes {named}, which its write has not announced" if named else "outside an announced write"
        super().__init__(
            f"{what} {where}: results that read the record would stay in use. "
            "Do it inside `with apps.concierge.services.change([...record ids...]):`"
        )


@contextmanager
def announced(records: Collection[str]) -> Iterator[None]:
    """Only `services` and the first load enter this, around the transaction of a two-phase write of these records."""
    token = _announced.set(frozenset(records))
    try:
        yield
    finally:
        _announced.reset(token)


@contextmanager
def unguarded() -> Iterator[None]:
    """For commands that make or empty tables, while the product is down."""
    with _opened(guarded_tables()):
        yield


@contextmanager
def _opened(tables: frozenset[str]) -> Iterator[None]:
    token = _open.set(_open.get() | tables)
    try:
        yield
    finally:
        _open.reset(token)


def require_announced(what: str, records: Iterable[str] = ()) -> None:
    allowed = _announced.get()
    if allowed is None:
        raise UnannouncedWrite(what)
    missing = set(records) - allowed
    if missing:
        raise UnannouncedWrite(what, missing)


class GuardedQuerySet(models.QuerySet):
    """Bulk changes skip `Model.save`, so they are held to the records of every row that they touch."""

    def update(self, **kwargs: Any) -> int:
        what = f"{self.model.__name__}.objects.update()"
        require_announced(what)
        fields = {name: self.model._meta.get_field(name) for name in kwargs}
        names = {field.name for field in fields.values()}
        for row in (before := self._rows()):
            require_announced(what, row.records_of(names))
            for name, value in kwargs.items():
                if not hasattr(value, "resolve_expression"):
                    setattr(row, fields[name].attname, value.pk if isinstance(value, models.Model) else value)
            require_announced(what, row.records_of(names))
        with _opened(_table(self.model)):
            changed = super().update(**kwargs)
        # What an expression made of them is known only now; the write's transaction is still open.
        for row in self.model._base_manager.using(self.db).filter(pk__in=[row.pk for row in before]):
            require_announced(what, row.records_of(names))
        return changed

    def delete(self) -> tuple[int, dict[str, int]]:
        what = f"{self.model.__name__}.objects.delete()"
        require_announced(what)
        for row in self._rows():
            require_announced(what, row.records_of(row.field_names()))
        with _opened(_table(self.model)):
            return super().delete()

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> Any:
        what, objs = f"{self.model.__name__}.objects.bulk_create()", list(objs)
        require_announced(what)
        for row in objs:
            require_announced(what, row.records_of(row.field_names()))
        with _opened(_table(self.model)):
            return super().bulk_create(objs, *args, **kwargs)

    def bulk_update(self, objs: Any, fields: Any, *args: Any, **kwargs: Any) -> int:
        """Goes on to `update`, which sees the rows as they are stored; here they are as they will be."""
        what, objs, fields = f"{self.model.__name__}.objects.bulk_update()", list(objs), list(fields)
        require_announced(what)
        for row in objs:
            require_announced(what, row.records_of(set(fields)))
        return super().bulk_update(objs, fields, *args, **kwargs)

    def _rows(self) -> "list[GuardedModel]":
        # Of another manager: this query set itself may be sliced, ordered or without all columns.
        return list(self.model._base_manager.using(self.db).filter(pk__in=self.values_list("pk", flat=True)))


class GuardedModel(models.Model):
    """A row that results may have read. Its version changes in the transaction that changes the row."""

    version = models.PositiveBigIntegerField(default=0, editable=False)
    objects = GuardedQuerySet.as_manager()

    class Meta:
        abstract = True

    def records_of(self, fields: Collection[str]) -> set[str]:
        """Records that a change of these fields of this row writes; of all its fields, when it is made or goes."""
        raise NotImplementedError

    @classmethod
    def field_names(cls) -> set[str]:
        return {field.name for field in cls._meta.concrete_fields}

    def save(self, *args: Any, **kwargs: Any) -> None:
        what = f"{type(self).__name__}.save()"
        require_announced(what)
        require_announced(what, self._records_of_save())
        with _opened(_table(type(self))):
            super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        what = f"{type(self).__name__}.delete()"
        require_announced(what)
        require_announced(what, self.records_of(self.field_names()))
        with _opened(_table(type(self))):
            return super().delete(*args, **kwargs)

    def records_of_change(self, before: "GuardedModel | None") -> set[str]:
        """Records that storing this row writes. before: the row as stored; None when there is none"""
        if before is None:
            return self.records_of(self.field_names())
        changed = self.changed_from(before)
        return self.records_of(changed) | before.records_of(changed)

    def changed_from(self, before: "GuardedModel") -> set[str]:
        """Names of the fields that differ."""
        return {name for name in self.field_names() if _stored(self, name) != _stored(before, name)}

    def _records_of_save(self) -> set[str]:
        before = None if self.pk is None else type(self)._base_manager.filter(pk=self.pk).first()
        return self.records_of_change(before)


def _stored(row: models.Model, name: str) -> object:
    """A field's value as the database would give it back: a form's "3.1" is a decimal there."""
    field = row._meta.get_field(name)
    return field.to_python(getattr(row, field.attname))


# -- the connection ---------------------------------------------------------------------------------------------------

_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)
_NAME = r'["`\[]?\w+["`\]]?'
_CHANGES = re.compile(
    r"\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM|MERGE\s+INTO|COPY)\s*"
    rf"(?:\bONLY\b\s*)?(?:{_NAME}\s*\.\s*)?({_NAME})",
    re.IGNORECASE,
)
_EMPTIES = re.compile(r"\bTRUNCATE\b([^;]*)", re.IGNORECASE)  # any number of tables


def guard_connection(connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    """Hears of every connection that this process makes."""
    if refuse_unannounced not in connection.execute_wrappers:
        connection.execute_wrappers.append(refuse_unannounced)


def refuse_unannounced(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    refused = changed_tables(_text(sql, context)) & guarded_tables() - _open.get()
    if refused:
        past = " past its models, so that its records are not known," if _announced.get() is not None else ""
        raise UnannouncedWrite(f"a statement that changes {', '.join(sorted(refused))}{past}")
    return execute(sql, params, many, context)


def changed_tables(sql: str) -> set[str]:
    """Names, in lower case, of what a statement may change; of a TRUNCATE, all its words."""
    # As it stands too: what looks like a comment may be within a quoted text.
    told = f"{sql} ; {_COMMENT.sub(' ', sql)}"
    emptied = [word for rest in _EMPTIES.findall(told) for word in re.findall(r"\w+", rest)]
    return {name.strip('"`[]').lower() for name in [*_CHANGES.findall(told), *emptied]}


def _text(sql: Any, context: Any) -> str:
    """psycopg takes composed statements too, which are no text yet."""
    return sql if isinstance(sql, str) else sql.as_string(context["connection"].connection)


@cache
def guarded_tables() -> frozenset[str]:
    return frozenset(model._meta.db_table.lower() for model in guarded_models())


def _table(model: type[models.Model]) -> frozenset[str]:
    return frozenset({model._meta.db_table.lower()})


def guarded_models() -> list[type[GuardedModel]]:
    return [model for model in apps.get_models() if issubclass(model, GuardedModel)]
