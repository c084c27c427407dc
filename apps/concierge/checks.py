"""Refuses to start where a write of something that a query reads would pass unannounced."""

from django.core.checks import CheckMessage, Error, register
from django.db.models import Model

from apps.concierge import booking, queries
from apps.concierge.guard import GuardedModel, guarded_models
from apps.concierge.services import RECORD_SOURCE

READERS = (queries, booking)  # modules whose functions answer a `lookup`


@register()
def reads_are_guarded(app_configs: object = None, **kwargs: object) -> list[CheckMessage]:
    read = {thing for module in READERS for thing in vars(module).values() if _is_model(thing)}
    hint = "Derive it from apps.concierge.guard.GuardedModel, so that every change of it is an announced write."
    return [
        Error(f"Queries read {model.__name__}, which is not guarded.", hint=hint, id="concierge.E001")
        for model in sorted(read, key=lambda model: model.__name__)
        if not issubclass(model, GuardedModel)
    ]


@register()
def guarded_rows_have_records(app_configs: object = None, **kwargs: object) -> list[CheckMessage]:
    hint = "Give it `records_of`, with record ids that apps.concierge.records.RecordSource owns."
    return [
        Error(f"{model.__name__} is guarded, but names no record of its own.", hint=hint, id="concierge.E002")
        for model in guarded_models()
        if not _names_records(model)
    ]


def _is_model(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, Model)


def _names_records(model: type[GuardedModel]) -> bool:
    if model.records_of is GuardedModel.records_of:
        return False
    fields = {field.name: field.related_model() for field in model._meta.concrete_fields if field.is_relation}
    records = model(**fields).records_of(model.field_names())
    return bool(records) and all(map(RECORD_SOURCE.owns, records))
