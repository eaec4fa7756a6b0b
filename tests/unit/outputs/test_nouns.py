"""A registry's own nouns for its records are in every text for people, and in no address, parameter
or field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.grammar.paths import (
    AGENT_CATALOG,
    AGENT_OVERVIEW,
    INDEX,
    LLMS,
    NOT_FOUND,
    OPENAPI,
    SKILL,
    agent_context,
)
from support import registries
from support.commands import TODAY, build, differing, files

NOUNS = {
    "projects": {"one": "company", "many": "companies"},
    "programs": {"one": "batch", "many": "batches"},
    "organizations": {"one": "person", "many": "people"},
    "events": {"one": "key date", "many": "key dates"},
}
#: The usual nouns outside of addresses, parameters, fields, sorts and commands.
_OURS = re.compile(r"(?<![\w/`{<*.-])(?:projects?|programs?|organizations?)(?![\w/`}>=.])", re.I)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """The same records with the usual nouns and with other nouns."""
    folder = tmp_path_factory.mktemp("nouns")
    found = {}
    for name, nouns in (("usual", None), ("own", NOUNS)):
        registry = {"nouns": nouns, "description": "Three records and what they came from."}
        content = registries.write(folder / name, registries.content(registry=registry))
        found[name] = files(build(content, folder / f"{name}-out", "--as-of", TODAY))
    return found


def texts(value: Any) -> Iterator[str]:
    """Every text of a document that contains a space, and so is not the name of a field."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)
    elif isinstance(value, str) and " " in value:
        yield value


CONTEXTS = (
    AGENT_OVERVIEW,
    agent_context("programs", "launch"),
    agent_context("organizations", "north-college"),
)


@pytest.mark.parametrize("path", [SKILL, LLMS, NOT_FOUND, *CONTEXTS])
def test_texts_for_people_have_only_the_registrys_nouns(
    built: dict[str, dict[str, bytes]], path: str
) -> None:
    text = built["own"][path[1:]].decode()
    # Code, the generator, labels of values.
    aside = r"```.*?```|`[^`\n]*`|this project's query function|^- What it is: [^\n]*"
    plain = re.sub(aside, "", text, flags=re.S | re.M)
    assert _OURS.findall(plain) == []
    assert re.search("companies|batch", text, re.I)


@pytest.mark.parametrize("path", [INDEX, AGENT_CATALOG])
def test_descriptions_have_only_the_registrys_nouns(
    built: dict[str, dict[str, bytes]], path: str
) -> None:
    found = list(texts(json.loads(built["own"][path[1:]])["data"]))
    assert [text for text in found if _OURS.search(re.sub(r", by -\w+", "", text))] == []
    assert any("companies" in text for text in found)


#: Document -> texts with singular and plural.
NUMBERS = {
    SKILL: ["It holds 3 companies, 2 batches, 2 people and 3 key dates.",
            "In addresses, filters, commands and fields companies are `projects`, batches are "
            "`programs`", "- companies, /api/projects/filters.json (", "- batches, /api/programs/",
            " `program` Batch: `launch` (",
            "Reads Small Registry, a registry of companies, batches, people and key dates"],
    CONTEXTS[1]: ["# The batch `launch`\n"],
    AGENT_OVERVIEW: ["\n- Companies: 3, listed at /api/projects/page/1.json\n",
                     "\n## The people with the most companies\n"],
    OPENAPI: ['"summary":"One whole person"'],
    "/api/projects/filters.json": ['"label":"Batch"', '"label":"Person category"'],
}  # fmt: skip


@pytest.mark.parametrize("path", NUMBERS)
def test_singular_and_plural_are_correct(built: dict[str, dict[str, bytes]], path: str) -> None:
    text = built["own"][path[1:]].decode()
    assert [words for words in NUMBERS[path] if words not in text] == []


def test_a_single_record_is_in_the_singular(tmp_path: Path) -> None:
    changed = registries.content(registry={"nouns": NOUNS},
                                 organizations={"x": {"name": "X", "category": "investor"}},
                                 programs={},
                                 projects={}, events={})  # fmt: skip
    text = registries.rendered("skill", registries.registry(tmp_path, changed))[SKILL].decode()
    assert "It holds 1 person." in text


def test_addresses_lists_and_records_are_the_same(built: dict[str, dict[str, bytes]]) -> None:
    usual, own = built["usual"], built["own"]
    assert usual.keys() == own.keys()
    words = (
        r"skill\.md|llms\.txt|404\.html|\.well-known/.*|api/(index|build|openapi|openapi-queries)\.json|"
        r"api/.*/filters(/\w+)?\.json|api/v1/agent/.*|"
        r"api/manifest/.*|api/search\.js|\.netlify/.*"
    )
    assert [path for path in differing(usual, own) if not re.fullmatch(words, path)] == []
    for path in ("api/openapi.json", "api/index.json"):
        assert addresses(json.loads(usual[path])) == addresses(json.loads(own[path]))


def addresses(document: Any) -> list[str]:
    return re.findall(r"/api/[^\"\s]*", json.dumps(document))
