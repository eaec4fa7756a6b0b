"""The published schemas as tables: each key of a document with its type and description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

#: The depth of nested keys: enough for the rows of lists, and an end for recursive schemas.
_MAX_DEPTH = 5
#: The longest enumeration whose words are the type; a longer one is only a string.
_MAX_WORDS = 12


class SchemaRow(NamedTuple):
    """A key with its parent keys, its JSON type and description; `always` says it is required."""

    key: str
    type: str
    words: str
    always: bool


class Shape(NamedTuple):
    """One kind of document or a part of one."""

    name: str
    title: str
    words: str
    rows: list[SchemaRow]


def describe_schema(name: str, schemas: Mapping[str, Any]) -> Shape:
    schema = schemas[name]
    rows = [*_rows(schema, "", schemas, (name,))]
    return Shape(name, schema.get("title", name), schema.get("description", ""), rows)


def _rows(
    schema: Mapping[str, Any], prefix: str, schemas: Mapping[str, Any], parents: tuple[str, ...]
) -> Iterator[SchemaRow]:
    required = schema.get("required", ())
    for key, part in schema.get("properties", {}).items():
        yield from _row(f"{prefix}{key}", part, schemas, parents, key in required)
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        yield from _row(f"{prefix}*", more, schemas, parents, False)


def _row(
    key: str, part: Any, schemas: Mapping[str, Any], parents: tuple[str, ...], always: bool
) -> Iterator[SchemaRow]:
    """The row of a key and those of the keys below it."""
    schema, name = resolve_reference(part, schemas)
    yield SchemaRow(key, kind(part, schemas), schema.get("description", ""), always)
    nested, prefix = schema, f"{key}."
    if "items" in schema:
        nested, item_name = resolve_reference(schema["items"], schemas)
        name, prefix = item_name or name, f"{key}[]."
    for option in nested.get("anyOf", ()):
        if resolve_reference(option, schemas)[0].get("type") == "object":
            nested, name = resolve_reference(option, schemas)
    if len(parents) < _MAX_DEPTH and name not in parents:
        yield from _rows(nested, prefix, schemas, (*parents, name))


def resolve_reference(
    part: Mapping[str, Any], schemas: Mapping[str, Any]
) -> tuple[dict[str, Any], str]:
    """A schema merged with its `$ref` schema, and the name of that schema or ""."""
    name = str(part.get("$ref", "")).rpartition("/")[2]
    return {**schemas[name], **part} if name else dict(part), name


def kind(part: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """The type of a value in the words of JSON Schema."""
    schema, _ = resolve_reference(part, schemas)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(kind(option, schemas) for option in schema["anyOf"]))
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema and len(schema["enum"]) <= _MAX_WORDS:
        return " | ".join(f'"{word}"' for word in schema["enum"])
    if schema.get("type") == "array":
        item = kind(schema.get("items", {}), schemas)
        return f"({item})[]" if " | " in item else f"{item}[]"
    form = schema.get("format")
    return f"{schema.get('type', 'any')}{f' ({form})' if form else ''}"
