"""The check of arguments is that of a JSON Schema validator, and the docs list every argument."""

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
from generator.text.folding import folding_table
from support import commands
from support.engines import ask, need

GRAMMARS = [
    Grammar({"topic": "Topic"}),
    Grammar({f"family_{n}": "" for n in range(MAX_FAMILIES + 1)}),
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


SCRIPT, SOURCE = Path(__file__).with_name("arguments.mjs"), PACKAGE / "search/js/source"


def accepted(asked: Sequence[tuple[Tool, Any]]) -> list[bool]:
    """Whether the engine accepts these arguments of tools."""
    need()
    given = [[tool.input, json.dumps(arguments)] for tool, arguments in asked]
    about = {"source": str(SOURCE), "folding": folding_table(), "asked": given}
    found: list[bool] = ask(SCRIPT, about)
    return found


def without_nulls(given: Any) -> Any:
    """Arguments without the keys that are null."""
    if not isinstance(given, dict):
        return given
    return {key: without_nulls(part) for key, part in given.items() if part is not None}


@settings(max_examples=20)
@drawn(asked=st.lists(st.tuples(st.sampled_from(TOOLS), ARGUMENTS | VALUES), min_size=20))
def test_arguments_are_judged_as_a_whole_validator_does(asked: list[tuple[Tool, Any]]) -> None:
    """But null means that a key is absent, whose name is checked all the same."""
    for (tool, given), found in zip(asked, accepted(asked), strict=True):
        validator = Draft202012Validator(tool.input)
        unknown = any(e.validator == "additionalProperties" for e in validator.iter_errors(given))
        is_valid = not unknown and validator.is_valid(without_nulls(given))
        assert found == is_valid, (tool.name, given)


def keywords(schema: Any) -> Iterator[str]:
    yield from schema
    for key in ("properties", "patternProperties"):
        for shape in schema.get(key, {}).values():
            yield from keywords(shape)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_has_a_valid_schema_of_keywords_that_are_checked(tool: Tool) -> None:
    Draft202012Validator.check_schema(tool.input)
    assert set(keywords(tool.input)) <= KEYWORDS


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
