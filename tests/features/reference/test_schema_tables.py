"""Schemas as tables."""

from __future__ import annotations

import json

import pytest

from generator.contract.lock import locked_schemas
from generator.features.reference.schema_tables import describe_schema, kind

SCHEMAS = json.loads(
    json.dumps(locked_schemas()["$defs"]).replace("#/$defs/", "#/components/schemas/")
)


@pytest.mark.parametrize(
    ("schema", "described"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "uri"}, "string (uri)"),
        ({"const": "page", "type": "string"}, '"page"'),
        ({"enum": ["a", "b"], "type": "string"}, '"a" | "b"'),
        ({"enum": [*map(str, range(99))], "type": "string"}, "string"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer | null"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        (
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
            "(string | null)[]",
        ),
        ({"$ref": "#/components/schemas/Page"}, "object"),
        ({}, "any"),
    ],
)
def test_a_type_is_described_in_the_words_of_json_schema(
    schema: dict[str, object], described: str
) -> None:
    assert kind(schema, SCHEMAS) == described


def test_every_published_document_is_described() -> None:
    for name in locked_schemas()["documents"].values():
        tables = describe_schema(name, SCHEMAS)
        assert tables.title and tables.words
        top = {row.key for row in tables.rows}
        assert top >= set(SCHEMAS[name].get("properties", ())), name


def test_a_recursive_schema_ends() -> None:
    schemas = {
        "Node": {
            "type": "object",
            "properties": {
                "next": {"$ref": "#/components/schemas/Node"},
                "all": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
            },
        }
    }
    assert [row.key for row in describe_schema("Node", schemas).rows] == ["next", "all"]
