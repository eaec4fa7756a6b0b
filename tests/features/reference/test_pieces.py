"""Answers on the pages of the reference are shortened and harmless; schemas are tables."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest

from generator.contract.lock import locked_schemas
from generator.features.reference.pieces import REST, describe_schema, excerpt, kind
from generator.kinds import built_in


class Read(HTMLParser):
    """The text of a piece of HTML, and its tags."""

    def __init__(self, html: str):
        super().__init__()
        self.text, self.marks = "", []
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.marks.append((tag, *attrs))


def read(value: Any) -> Read:
    return Read(str(excerpt(json.dumps(value).encode())))


@pytest.mark.parametrize(
    ("value", "shortened"),
    [
        ({"a": None, "b": [1, True]}, {"a": None, "b": [1, True]}),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, REST]),
        ([{"a": 1}, {"a": 2}], [{"a": 1}, REST]),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + REST),
        ({f"k{n}": n for n in range(30)}, {**{f"k{n}": n for n in range(24)}, REST: REST}),
        ([], []),
        ({}, {}),
    ],
)
def test_a_document_is_shortened_with_a_mark(value: Any, shortened: Any) -> None:
    assert json.loads(read(value).text) == shortened


@pytest.mark.parametrize(
    "text",
    [
        "</code><script>alert(1)</script>",
        '"key": "x',
        'a\\": b\n<b>',
        "&#34;key&#34;: &amp;",
        "[]{}\n[",
        "\u202e\U0001f600",
    ],
)
def test_hostile_texts_stay_texts(text: str) -> None:
    parsed = read({"name": text, text: [text]})
    assert json.loads(parsed.text) == {"name": text, text: [text]}
    assert {mark[0] for mark in parsed.marks} <= {"span"}


def test_another_file_is_shown_by_its_first_lines() -> None:
    lines = [f"<line {number}> & {'x' * 200}" for number in range(20)]
    excerpt_lines = Read(str(excerpt("\r\n".join(lines).encode()))).text.splitlines()
    assert len(excerpt_lines) == 13 and excerpt_lines[-1] == REST
    assert excerpt_lines[0].startswith("<line 0> & x") and len(excerpt_lines[0]) == 120
    assert Read(str(excerpt(b"BEGIN\nEND\n"))).text == "BEGIN\nEND"


SCHEMAS = json.loads(
    json.dumps(locked_schemas(built_in())["$defs"]).replace("#/$defs/", "#/components/schemas/")
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
    for name in locked_schemas(built_in())["documents"].values():
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
