"""Every field of a protocol's schema, each in requests that differ only there. Walks the protocols' own packages."""

import collections.abc
import json
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Required, Union, get_args, get_origin, get_type_hints

from anthropic.types import message_create_params as messages
from anthropic.types.beta import message_create_params as beta_messages
from openai.types.chat import completion_create_params as completions
from openai.types.responses import response_create_params as responses
from pydantic import BaseModel
from typing_extensions import is_typeddict

from apps.serving.names import Json
from apps.serving.subtracted import WireProtocol

SCHEMAS: Mapping[str, tuple[WireProtocol, type]] = {
    "chat": (WireProtocol.CHAT_COMPLETIONS, completions.CompletionCreateParamsStreaming),
    "responses": (WireProtocol.RESPONSES, responses.ResponseCreateParamsStreaming),
    "messages": (WireProtocol.MESSAGES, messages.MessageCreateParamsStreaming),
    "beta messages": (WireProtocol.MESSAGES, beta_messages.MessageCreateParamsStreaming),
}
SAMPLES: Mapping[object, tuple[Json, ...]] = {
    str: ("a", "b"),
    bool: (False, True),
    int: (1, 2),
    float: (0.5, 1.5),
    object: ("a", {"k": 1}, {"k": 2}),
    Any: ("a", {"k": 1}, {"k": 2}),
    type(None): (None,),
}
LISTS = (list, collections.abc.Iterable, collections.abc.Sequence)
Build = Callable[[Json], Any]


@dataclass(frozen=True, slots=True)
class Field:
    """place  like "messages[].content[].text"    requests  no two of one meaning"""

    place: str
    requests: tuple[dict[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A type with fields somewhere in a schema. build puts a value of it there, into an otherwise least request."""

    kind: type
    place: str
    build: Build


def top_fields(schema: type) -> list[str]:
    return list(fields_of(schema))


def walk(schema: type, top: str) -> Iterator[Field]:
    """The field `top` of the schema, and every field of every type inside it, each type where it is met first."""
    yield field_of(Record(schema, "", lambda value: value), top)
    met = {schema}
    waiting = list(inside(Record(schema, "", lambda value: value), top, met))
    for record in waiting:
        for name in fields_of(record.kind):
            yield field_of(record, name)
            waiting += inside(record, name, met)


def field_of(record: Record, name: str) -> Field:
    rest = {key: value for key, value in least(record.kind).items() if key != name}
    values = {json.dumps(value, sort_keys=True): value for value in (None, *samples(fields_of(record.kind)[name]))}
    requests = [record.build(rest), *(record.build({**rest, name: value}) for value in values.values())]
    return Field(f"{record.place}.{name}".removeprefix("."), tuple(requests))


def inside(record: Record, name: str, met: set[type]) -> Iterator[Record]:
    """Records within one field that were not met before."""

    def found(kind: object, place: str, build: Build) -> Iterator[Record]:
        kind = bare(kind)
        if is_record(kind):
            if kind not in met:
                met.add(kind)
                yield Record(kind, place, build)
        elif get_origin(kind) in LISTS:
            yield from found(get_args(kind)[0], f"{place}[]", lambda value: build([value]))
        elif get_origin(kind) is dict:
            yield from found(get_args(kind)[1], f"{place}.*", lambda value: build({"k": value}))
        elif is_union(kind):
            for one in get_args(kind):
                yield from found(one, place, build)

    rest = least(record.kind)
    place = f"{record.place}.{name}".removeprefix(".")
    yield from found(fields_of(record.kind)[name], place, lambda value: record.build({**rest, name: value}))


@cache
def samples(kind: object) -> tuple[Json, ...]:
    """Values that the type allows, at least two of them different where there are two; the first is the least."""
    kind = bare(kind)
    if is_record(kind):
        return least(kind), {**least(kind), "unknown": 1}
    if get_origin(kind) is Literal:
        return (*get_args(kind), f"{get_args(kind)[0]}x")
    if get_origin(kind) in LISTS:
        one, *others = samples(get_args(kind)[0])
        return [one], [], [one, one], *([other] for other in others)
    if get_origin(kind) is dict:
        one, *others = samples(get_args(kind)[1])
        return {"k": one}, {}, {"l": one}, *({"k": other} for other in others)
    if is_union(kind):
        return tuple(value for one in alternatives(kind) for value in samples(one))
    return SAMPLES[kind]


@cache
def least(kind: object) -> Any:
    if not is_record(kind):
        return samples(kind)[0]
    return {name: least(bare(one)) for name, one in fields_of(kind).items() if is_required(kind, name)}


@cache
def fields_of(kind: Any) -> dict[str, object]:
    if is_typeddict(kind):
        return get_type_hints(kind, include_extras=True)
    return {field.alias or name: field.annotation for name, field in kind.model_fields.items()}


@cache
def is_required(kind: Any, name: str) -> bool:
    if is_typeddict(kind):  # its own __required_keys__ does not see Required inside of text annotations
        return get_origin(fields_of(kind)[name]) is Required
    return any((field.alias or key) == name and field.is_required() for key, field in kind.model_fields.items())


def alternatives(kind: object) -> list[object]:
    """Those that are JSON: the packages also take open files. None comes last, so that it is not the least."""
    ones = [one for one in get_args(kind) if bare(one) in SAMPLES or get_origin(bare(one)) or is_record(bare(one))]
    return sorted((one for one in ones if "IO" not in str(one)), key=lambda one: one is type(None))


def bare(kind: Any) -> Any:
    while get_origin(kind) in (Required, Annotated):
        kind = get_args(kind)[0]
    return kind


def is_union(kind: object) -> bool:
    return get_origin(kind) in (Union, types.UnionType)


def is_record(kind: object) -> bool:
    return is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, BaseModel))
