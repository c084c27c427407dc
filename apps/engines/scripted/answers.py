"""What the scripted engine says when no text is scripted: always the same for the same request."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from apps.engines.scripted.behaviour import Behaviour, Seen
from apps.serving.names import Json, canonical_bytes

ECHOED_WORDS = 12


def answer_text(seen: Seen, behaviour: Behaviour) -> str:
    """Scripted text; else the smallest JSON of the asked schema; else words made from the prompt."""
    if behaviour.text is not None:
        return behaviour.text
    if behaviour.tool_calls:
        return ""
    schema = asked_schema(seen.body)
    if schema is not None:
        return json.dumps(smallest(schema, schema))
    mark = hashlib.blake2b(canonical_bytes(seen.body.get("messages")), digest_size=4).hexdigest()
    words = seen.prompt.rsplit("\n", 1)[-1].split()[:ECHOED_WORDS]
    return f"Scripted answer {mark} to: {' '.join(words)}"


def tokens_of(text: str) -> list[str]:
    """Words with the space that follows them: the scripted engine's tokens."""
    return re.findall(r"\s*\S+\s*", text)


def asked_schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The JSON schema that an answer must have, in the ways that engines let one ask."""
    asked = body.get("response_format") or {}
    if asked.get("type") == "json_schema":
        return (asked.get("json_schema") or {}).get("schema") or asked.get("schema") or {}
    if asked.get("type") == "json_object":
        return asked.get("schema") or {"type": "object"}
    return body.get("json_schema")


def smallest(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Json:
    """A value that the schema allows: first alternatives, required fields only."""
    if "$ref" in schema:
        return smallest(resolve(schema["$ref"], root), root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return smallest(schema[word][0], root)
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        required = schema.get("required", ())
        return {key: smallest(schema.get("properties", {}).get(key, {}), root) for key in required}
    if kind == "array":
        return [smallest(schema.get("items", {}), root)] * int(schema.get("minItems", 0))
    plain: dict[str, Json] = {"integer": 0, "number": 0, "boolean": False, "null": None}
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return plain.get(kind, "x" * int(schema.get("minLength", 0)))


def resolve(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reference inside the same document, like #/$defs/place."""
    found: Any = root
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found
