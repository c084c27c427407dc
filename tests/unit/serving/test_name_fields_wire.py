"""For every field of every protocol: two requests that differ only there share no name, or the field is reviewed."""

import pytest

from apps.serving.subtracted import SUBTRACTED, request_name
from tests.unit.serving.wire_schemas import SCHEMAS, Field, top_fields, walk

TOPS = [(schema, top) for schema, (_, kind) in SCHEMAS.items() for top in top_fields(kind)]
DEEP = {
    "chat": {
        "messages[].content[].image_url.detail",
        "messages[].tool_calls[].function.arguments",
        "tools[].function.strict",
        "tools[].function.parameters",
        "response_format.json_schema.schema",
        "tool_choice.function.name",
    },
    "responses": {
        "input[].content[].text",
        "input[].output",
        "tools[].parameters",
        "tools[].strict",
        "reasoning.effort",
        "text.format.schema",
    },
    "messages": {
        "messages[].content[].source.data",
        "messages[].content[].cache_control.ttl",
        "system[].text",
        "tools[].input_schema",
        "tools[].input_schema.properties",
        "thinking.budget_tokens",
    },
    "beta messages": {"mcp_servers[].url", "context_management.edits[].type", "tools[].input_schema"},
}


def names(schema: str, field: Field) -> set[str]:
    protocol = SCHEMAS[schema][0]
    return {str(request_name("t/shared", "f" * 64, protocol, request)) for request in field.requests}


@pytest.mark.parametrize(("schema", "top"), TOPS)
def test_a_change_of_one_field_changes_the_name_unless_the_field_is_on_the_list(schema, top):
    protocol, kind = SCHEMAS[schema]
    listed = top in SUBTRACTED[protocol]

    wrong = [f.place for f in walk(kind, top) if len(names(schema, f)) != (1 if listed else len(f.requests))]

    assert wrong == []


@pytest.mark.parametrize(("schema", "top"), TOPS)
def test_each_field_is_tried_with_different_values(schema, top):
    assert all(len(field.requests) >= 3 for field in walk(SCHEMAS[schema][1], top))


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_walk_reaches_what_is_nested(schema):
    kind = SCHEMAS[schema][1]
    places = {field.place for top in top_fields(kind) for field in walk(kind, top)}

    assert DEEP[schema] - places == set()
    assert len(places) >= 100
