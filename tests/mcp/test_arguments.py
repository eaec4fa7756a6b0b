"""The check of arguments is that of a JSON Schema validator, after what models write otherwise was
taken as it is meant; and the docs list every argument.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator import PACKAGE
from generator.agent.inputs import MAX_FAMILIES
from generator.agent.tools import Tool, tools
from generator.grammar.grammar import Grammar
from generator.kinds import built_in
from generator.text.folding import folding_table
from support import commands
from support.engines import ask, need

GRAMMARS = [
    Grammar(built_in(), {"topic": "Topic"}),
    Grammar(built_in(), {f"family_{n}": "" for n in range(MAX_FAMILIES + 1)}),
]
TOOLS = [tool for grammar in GRAMMARS for tool in tools(grammar)]
VALUES = st.sampled_from([
    "projects", "programs", "events", "us", "2024", "2026-11", "true", "name", "-year", "", "x",
    "A", "x\n", "a" * 201, "é", "-", "tag_topic", "year", "description", "counts",
    1, 0, -1, 7, 10**9, 1.5, 2.0, 1e3, True, False, None, [], ["x"], ["x", "x"], ["name", "year"],
    ["name", 1], {}, {"year": "2024"},
])  # fmt: skip
NAMES = st.sampled_from([
    "collection", "filter", "filters", "q", "slug", "field", "section", "sort", "like", "fields",
    "start", "limit", "year", "kind", "status", "upcoming", "tag_topic", "tag_family_3", "tag_",
    "Tag_topic", "month", "location", "",
])  # fmt: skip
#: What arguments.mjs checks; others say nothing about values.
KEYWORDS = {
    "type", "properties", "additionalProperties", "required", "dependentRequired",
    "maxProperties", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "items",
    "minItems", "maxItems", "default", "description",
}  # fmt: skip
ARGUMENTS = st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES, max_size=3), max_size=4)


KINDS = {collection.name: collection.kind for collection in GRAMMARS[0].collections.values()}
#: The filters that count as such beside `filters`.
FILTERS = {"year": "Year", "tag_topic": "Topic"}
SCRIPT, SOURCE = Path(__file__).with_name("arguments.mjs"), PACKAGE / "search/js/source"


def meanings(asked: Sequence[tuple[Tool, Any]]) -> list[Any]:
    """What the engine takes these arguments of tools for; None if it refuses them."""
    need()
    given = [[tool.input, json.dumps(arguments)] for tool, arguments in asked]
    about = {
        "source": str(SOURCE),
        "folding": folding_table(),
        "kinds": KINDS,
        "mcp": {"lists": {"projects": {"filters": FILTERS}}},
        "asked": given,
    }
    found: list[Any] = ask(SCRIPT, about)
    return found


def without_nulls(given: Any) -> Any:
    """Arguments without the keys that are null."""
    if not isinstance(given, dict):
        return given
    return {key: without_nulls(part) for key, part in given.items() if part is not None}


def with_filters(given: Any, schema: dict[str, Any]) -> Any:
    """Arguments with the filters that are beside `filters` among these."""
    properties = schema["properties"]
    if not isinstance(given, dict) or "filters" not in properties:
        return given
    filters = {} if given.get("filters") is None else given["filters"]
    beside = {
        key: part
        for key, part in given.items()
        if isinstance(filters, dict) and key in {*FILTERS} - {*properties} - {*filters}
    }
    rest = {key: part for key, part in given.items() if key not in beside}
    return rest | ({"filters": filters | beside} if beside else {})


def meant(given: Any, schema: dict[str, Any], name: str = "") -> Any:
    """Arguments in the types that the schema wants, if what was given means such a value."""
    plain = given
    if isinstance(given, bool):
        plain = str(given).lower()
    elif isinstance(given, int | float):
        plain = str(int(given) if given == int(given) else given)
    match schema["type"]:
        case "object" if isinstance(given, dict):
            others = schema.get("additionalProperties")
            shapes = schema.get("properties", {})
            found = {
                key: meant(part, shapes.get(key) or others or {"type": ""}, key)
                for key, part in given.items()
            }
            return {
                key: part.lower() if name == "filters" and isinstance(part, str) else part
                for key, part in found.items()
            }
        case "array":
            items = schema["items"]
            if isinstance(plain, str):
                given = [plain] if "maxLength" in items else re.split(" *, *", plain)
            return [meant(part, items) for part in given] if isinstance(given, list) else given
        case "string" if isinstance(given, list):
            parts = [meant(part, {"type": "string"}) for part in given]
            return ",".join(parts) if all(isinstance(part, str) for part in parts) else given
        case "string" if isinstance(plain, str):
            singular = {kind: name for name, kind in KINDS.items()}
            spellings = (plain, plain.lower(), singular.get(plain.lower(), plain))
            valid = Draft202012Validator(schema).is_valid
            return next((text for text in spellings if valid(text)), plain)
        case _:
            return given


@settings(max_examples=20)
@drawn(asked=st.lists(st.tuples(st.sampled_from(TOOLS), ARGUMENTS | VALUES), min_size=20))
def test_arguments_are_judged_as_a_whole_validator_does(asked: list[tuple[Tool, Any]]) -> None:
    """But null means that a key is absent, whose name is checked all the same."""
    for (tool, given), found in zip(asked, meanings(asked), strict=True):
        validator, given = Draft202012Validator(tool.input), with_filters(given, tool.input)
        unknown = any(e.validator == "additionalProperties" for e in validator.iter_errors(given))
        expected = without_nulls(meant(given, tool.input))
        is_valid = not unknown and validator.is_valid(expected)
        assert found == (expected if is_valid else None), (tool.name, given)


#: What a model writes for one argument, and what it means.
WRITTEN: list[tuple[str, Any, Any]] = [
    ("collection", "project", "projects"),
    ("collection", "Organization", "organizations"),
    ("by", "year", ["year"]),
    ("by", "year, status", ["year", "status"]),
    ("q", 2015, "2015"),
    ("q", ["open", "source"], "open,source"),
    ("slug", "OpenAI", "openai"),
    ("names", "Acme, Inc.", ["Acme, Inc."]),
    ("names", ["37signals", 37], ["37signals", "37"]),
    ("fields", "name,year", ["name", "year"]),
    ("fields", ["Name"], ["Name"]),
    ("start", 2.0, 2),
    ("start", "2", None),
    ("start", [2], None),
    ("proof", "true", None),
    ("collection", ["projects", "events"], None),
    ("by", {"year": 1}, None),
    ("slug", "Open AI", None),
    ("slug", [["a"]], None),
    ("filters", {"year": 2015}, {"year": "2015"}),
    ("filters", {"year": 2015.0}, {"year": "2015"}),
    ("filters", {"year": -1.5}, {"year": "-1.5"}),
    ("filters", {"year": True}, {"year": "true"}),
    ("filters", {"year": "US"}, {"year": "us"}),
    ("filters", {"year": ["a", "B"]}, {"year": "a,b"}),
    ("filters", {"year": [2015, 2016]}, {"year": "2015,2016"}),
    ("filters", {"year": ["a", "not:b", "all:c,d"]}, {"year": "a;not:b;all:c,d"}),
    ("filters", {"year": ["not:a"]}, {"year": "not:a"}),
    ("filters", {"year": []}, {"year": ""}),
    ("filters", {"year": {"a": 1}}, None),
    ("filters", {"year": [None]}, None),
]  # fmt: skip


@pytest.mark.parametrize("name", sorted({name for name, *_ in WRITTEN}))
def test_what_models_write_otherwise_is_taken_as_it_is_meant(name: str) -> None:
    tool = next(tool for tool in TOOLS if name in tool.input["properties"])
    shape = {"type": "object", "properties": {name: tool.input["properties"][name]}}
    written = [(given, meaning) for of, given, meaning in WRITTEN if of == name]
    found = meanings([(tool._replace(input=shape), {name: given}) for given, _ in written])
    expected = [None if meaning is None else {name: meaning} for _, meaning in written]
    assert [*zip(written, found, strict=True)] == [*zip(written, expected, strict=True)]


def keywords(schema: Any) -> Iterator[str]:
    yield from schema
    for key in ("properties", "patternProperties"):
        for shape in schema.get(key, {}).values():
            yield from keywords(shape)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_has_a_valid_schema_of_keywords_that_are_checked(tool: Tool) -> None:
    Draft202012Validator.check_schema(tool.input)
    assert set(keywords(tool.input)) <= KEYWORDS


def test_every_argument_is_described() -> None:
    for tool in TOOLS:
        assert all(shape.get("description") for shape in tool.input["properties"].values())


def test_only_collections_with_records_are_offered() -> None:
    grammar = Grammar(built_in(), {"topic": "Topic"}, with_records={"projects"})
    found = {tool.name: tool for tool in tools(grammar)}
    assert "calendar_events" not in found and "count_records" in found
    for tool in found.values():
        assert tool.input["properties"].get("collection", {}).get("enum") in (None, ["projects"])
        for name in ("programs", "organizations", "events"):
            assert name not in tool.purpose and name not in json.dumps(tool.input)


def test_the_document_has_every_tool_with_its_arguments() -> None:
    table = re.search(
        r"## Tools\n\n.*?\n\n", (commands.ROOT / "docs" / "mcp.md").read_text("utf-8"), re.S
    )
    assert table is not None
    documented = [
        re.findall(r"`(\w+)`( \*)?", line)
        for line in table[0].splitlines()
        if line.startswith("| `")
    ]
    for tool, [(name, _), *given] in zip(tools(GRAMMARS[0]), documented, strict=True):
        required = tool.input.get("required", ())
        assert (name, dict(given)) == (
            tool.name,
            {key: " *" * (key in required) for key in tool.input["properties"]},
        )
