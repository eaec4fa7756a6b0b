"""The published schemas as tables: each key of a document, what is there and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

#: So deep that every key of a list's rows is told, and nothing that refers to itself goes on.
_DEEPEST = 5
#: More words than this are told by their number alone.
_WORDS = 12


class Row(NamedTuple):
    """A key: the keys that lead to it, what JSON has there, what it means; `always` says that every
    document has it.
    """

    key: str
    type: str
    words: str
    always: bool


class Shape(NamedTuple):
    """One kind of document, or of what is in one."""

    name: str
    title: str
    words: str
    rows: list[Row]


def shape(name: str, schemas: Mapping[str, Any]) -> Shape:
    schema = schemas[name]
    rows = [*_rows(schema, "", schemas, (name,))]
    return Shape(name, schema.get("title", name), schema.get("description", ""), rows)


def _rows(
    schema: Mapping[str, Any], before: str, schemas: Mapping[str, Any], above: tuple[str, ...]
) -> Iterator[Row]:
    required = schema.get("required", ())
    for key, part in schema.get("properties", {}).items():
        yield from _row(f"{before}{key}", part, schemas, above, key in required)
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        yield from _row(f"{before}*", more, schemas, above, False)


def _row(
    key: str, part: Any, schemas: Mapping[str, Any], above: tuple[str, ...], always: bool
) -> Iterator[Row]:
    told, name = resolved(part, schemas)
    yield Row(key, kind(part, schemas), told.get("description", ""), always)
    within, where = told, f"{key}."
    if "items" in told:
        within, item = resolved(told["items"], schemas)
        name, where = item or name, f"{key}[]."
    for one in within.get("anyOf", ()):
        if resolved(one, schemas)[0].get("type") == "object":
            within, name = resolved(one, schemas)
    if len(above) < _DEEPEST and name not in above:
        yield from _rows(within, where, schemas, (*above, name))


def resolved(part: Mapping[str, Any], schemas: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """A schema with what it refers to, and the name of that, "" where it refers to nothing."""
    name = str(part.get("$ref", "")).rpartition("/")[2]
    return {**schemas[name], **part} if name else dict(part), name


def kind(part: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """What JSON has there, in the words of JSON Schema."""
    told, _ = resolved(part, schemas)
    if "anyOf" in told:
        return " | ".join(dict.fromkeys(kind(one, schemas) for one in told["anyOf"]))
    if "const" in told:
        return f'"{told["const"]}"'
    if "enum" in told and len(told["enum"]) <= _WORDS:
        return " | ".join(f'"{word}"' for word in told["enum"])
    if told.get("type") == "array":
        of = kind(told.get("items", {}), schemas)
        return f"({of})[]" if " | " in of else f"{of}[]"
    form = told.get("format")
    return f"{told.get('type', 'any')}{f' ({form})' if form else ''}"
