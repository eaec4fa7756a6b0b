"""The published models: what each of them promises; input and output use the same words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from generator.contract.published import generate_lock
from generator.grammar.refusals import PROBLEMS
from generator.kinds import built_in, event, program, project

SCHEMAS: dict[str, Any] = generate_lock(built_in())["$defs"]
#: Keys that some documents lack: answers to queries have the first three, `stat` and `per`,
#: registries that publish all changes the others.
_OPTIONAL = {
    name: {"suggestions", "alternatives", "notes"} for name in SCHEMAS if name.endswith("List")
}
_OPTIONAL |= {name: {"stat"} for name in SCHEMAS if name.endswith("Count")}
_OPTIONAL |= {name: {"meta"} for name in ("Project", "Program", "Organization", "Event")}
_OPTIONAL |= {"ChangeLinks": {"last"}, "ValueCountPer": {"per", "stat"}}
OBJECTS = {name: schema for name, schema in SCHEMAS.items() if "properties" in schema}


@pytest.mark.parametrize("name", OBJECTS)
def test_every_key_is_required_and_described_and_objects_are_open(name: str) -> None:
    schema = OBJECTS[name]
    assert set(schema["properties"]) - _OPTIONAL.get(name, set()) == set(schema["required"])
    # A key without a description uses the description of its definition.
    assert [
        key
        for key, field in schema["properties"].items()
        if not field.get("description") and "$ref" not in field
    ] == []
    assert schema["additionalProperties"] is True
    assert schema["title"] and schema["description"]


def _enums(schema: Any) -> Iterator[list[Any]]:
    if isinstance(schema, dict):
        if "enum" in schema:
            yield schema["enum"]
        for part in schema.values():
            yield from _enums(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _enums(part)


@pytest.mark.parametrize(
    ("definition", "key", "words"),
    [
        ("ProjectSummary", "status", list(project.STATUSES)),
        ("ProgramSummary", "kind", list(program.KIND_LABELS)),
        ("EventSummary", "kind", list(event.KIND_LABELS)),
        ("EventSummary", "status", ["confirmed", "tentative", "extended", "cancelled"]),
        ("Problem", "code", list(PROBLEMS)),
    ],
)
def test_vocabularies_name_what_authors_may_write_and_stay_open(
    definition: str, key: str, words: list[str]
) -> None:
    known, other = SCHEMAS[definition]["properties"][key]["anyOf"]
    assert known["enum"] == words
    assert other["type"] == "string" and "enum" not in other


def test_no_vocabulary_is_closed() -> None:
    open_ones = sum(
        1
        for schema in OBJECTS.values()
        for field in schema["properties"].values()
        if "enum" in field.get("anyOf", [{}])[0]
    )
    assert len(list(_enums(SCHEMAS))) == open_ones > 0
