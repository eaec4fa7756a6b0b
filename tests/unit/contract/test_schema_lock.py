"""The lock of the published schema, the comparison of versions, and the command that updates the
lock.
"""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from generator.cli.edit.schema import command
from generator.contract import lock as schema
from generator.contract.published import generate_lock
from generator.guard.shapes import find_breaks
from generator.kinds import built_in
from generator.kinds.rules import broken_rules

Schema = dict[str, Any]


def without_since(lock: Schema) -> Schema:
    return {key: value for key, value in lock.items() if key != "since"}


def test_the_lock_is_that_of_the_models() -> None:
    lock = json.loads(schema.LOCK.read_bytes())
    assert generate_lock(built_in(), lock) == without_since(lock), "run: registry schema --write"


def test_keys_that_came_later_can_be_empty_in_older_documents() -> None:
    """A reader adds them, so its users do not need to know the age of a document."""
    lock = schema.locked_schemas(built_in())
    for name, keys in lock["since"].items():
        for key, since in keys.items():
            shape = lock["$defs"][name]["properties"][key]
            kinds = [shape.get("type"), *(choice.get("type") for choice in shape.get("anyOf", ()))]
            assert {"array", "object", "null", "boolean"} & set(kinds), f"{name}.{key}"
            assert schema.parse_version("1.0") < schema.parse_version(since)
            assert schema.parse_version(since) <= schema.parse_version(lock["schema_version"])


def test_no_kind_of_a_registry_has_the_name_of_another_schema() -> None:
    """A word that would give the schemas of a kind, or its documents, a name that is taken is
    reserved, or the schemas have another name.
    """
    first = built_in()
    locked = schema.locked_schemas(first)
    mine = first.having({}, {"zebras": {"one": "zebra"}})
    taken = [n for n in locked["documents"] if n.split("_")[0] not in first.collection_of]
    schemas = schema.locked_schemas(mine)["$defs"].keys() - locked["$defs"].keys()
    endings = {name.removeprefix("Zebra") for name in schemas if name.startswith("Zebra")}
    assert {"", "Record", "Summary", "List", "Rows", "Count"} <= endings
    for name in locked["$defs"]:
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        taken += [words.removesuffix(f"_{ending.lower()}") for ending in endings]
    for kind in dict.fromkeys(taken):
        declared = {f"{kind}-others": {"one": kind.replace("_", "-"), "fields": {}}}
        if not [*broken_rules(first, {}, declared, [])]:
            names = {f"{schema.type_name(kind)}{ending}" for ending in endings}
            assert not names & locked["$defs"].keys(), kind
            assert kind not in locked["documents"]


def test_a_lock_remembers_which_version_brought_a_key() -> None:
    def locked(version: str, *keys: str) -> Schema:
        shape = {"properties": {key: {} for key in keys}, "required": list(keys)}
        return {"schema_version": version, "$defs": {"Thing": shape}}

    first = schema.add_since(locked("1.0", "a"), None)
    assert first["since"] == {}
    second = schema.add_since(locked("1.1", "a", "b"), first)
    assert second["since"] == {"Thing": {"b": "1.1"}}
    third = schema.add_since(locked("1.2", "a", "b", "c"), second)
    assert third["since"] == {"Thing": {"b": "1.1", "c": "1.2"}}
    assert schema.add_since(locked("1.2", "a", "b", "c"), third) == third
    of_new = locked("1.2", "a")
    of_new["$defs"]["Other"] = {"required": ["x"]}
    assert schema.add_since(of_new, first)["since"] == {}


def test_a_build_reads_the_lock_without_the_models() -> None:
    code = (
        "import sys, generator.outputs.descriptions, generator.outputs.openapi\n"
        "import generator.contract.lock as schema\n"
        "from generator.kinds import built_in\n"
        "schema.document_schema(schema.locked_schemas(built_in()), 'project', '/')\n"
        "print('generator.contract.published' in sys.modules)"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )


@pytest.mark.parametrize("kind", schema.locked_schemas(built_in())["documents"])
def test_a_documents_schema_is_self_contained(kind: str) -> None:
    made = schema.document_schema(
        schema.locked_schemas(built_in()), kind, f"/api/schemas/{kind}.json"
    )
    jsonschema.Draft202012Validator.check_schema(made)
    assert made["$id"] == f"/api/schemas/{kind}.json"
    named = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(made)))
    assert named == set(made["$defs"])


# --- comparing versions ---------------------------------------------------------------------------


def lock(root: Schema, version: str = "1.0", **definitions: Schema) -> Schema:
    return {
        "schema_version": version,
        "documents": {"thing": "Thing"},
        "addresses": {"/a/{page}.json": "thing"},
        "$defs": {"Thing": root, **definitions},
    }


def obj(required: str = "", **properties: Schema) -> Schema:
    """An object whose keys are all required, unless `required` lists the required keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split() or list(properties),
        "additionalProperties": True,
    }


TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NOTHING: Schema = {"type": "null"}


def many(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def each(value: Schema) -> Schema:
    return {"type": "object", "additionalProperties": value}


def either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def words(*known: str) -> Schema:
    return {"type": "string", "enum": list(known)}


#: Schemas of a key before and after a change that breaks no reader.
GROWTH = [
    (TEXT, TEXT),
    (TEXT, TEXT | {"description": "A", "title": "B", "examples": ["c"]}),
    (TEXT, TEXT | {"pattern": "^x"}),
    (obj(b=TEXT), obj(b=TEXT, c=TEXT)),
    (many(obj(b=TEXT)), many(obj(b=TEXT, c=TEXT))),
    (obj("b", b=TEXT, c=TEXT), obj(b=TEXT, c=TEXT)),
    (either(words("x"), TEXT), either(words("x", "y"), TEXT)),
    (either(words("x"), TEXT), words("x")),
    (WHOLE | {"minimum": 0, "maximum": 9}, WHOLE | {"minimum": 1, "maximum": 8}),
    (either(TEXT, NOTHING), {"type": ["null", "string"]}),
    (obj(b=TEXT), {"type": "object", "properties": {"b": TEXT}, "required": ["b"]}),
]
#: Schemas of the key `a` before and after a change, and what it breaks.
BREAKS = [
    (obj(b=TEXT, c=TEXT), obj(b=TEXT), "a.c: the key is gone"),
    (obj("b", b=TEXT, c=TEXT), obj(b=TEXT), "a.c: the key is gone"),
    (many(obj(b=TEXT)), many(obj(c=TEXT)), "a[].b: the key is gone"),
    (each(obj(b=TEXT)), each(obj()), "a.*.b: the key is gone"),
    (obj(b=TEXT), obj(" c", b=TEXT, c=TEXT), "a.b: the key is no longer always there"),
    (TEXT, WHOLE, "a: was string, is integer"),
    (WHOLE, {"type": "number"}, "a: was integer, is number"),
    (TEXT, either(TEXT, NOTHING), "a: was string, is null or string"),
    (either(TEXT, NOTHING), TEXT, "a: was null or string, is string"),
    (TEXT, {}, "a: was string, is anything"),
    (either(words("x", "y"), TEXT), either(words("x"), TEXT), "a: 'y' is gone"),
    (either(TEXT, TEXT | {"const": "x"}), TEXT, "a: 'x' is gone"),
    (words("x"), words("x", "y"), "a: 'y' is new in a closed vocabulary"),
    (words("x"), either(words("x"), TEXT), "a: was 'x' and can now be anything"),
    (TEXT | {"pattern": "^x"}, TEXT, "a: pattern was '^x', is gone"),
    (TEXT | {"format": "date"}, TEXT | {"format": "time"}, "a: format was 'date', is 'time'"),
    (WHOLE | {"minimum": 1}, WHOLE | {"minimum": 0}, "a: minimum was 1, is 0"),
    (WHOLE | {"maximum": 1}, WHOLE | {"maximum": 2}, "a: maximum was 1, is 2"),
    (WHOLE | {"multipleOf": 2}, WHOLE | {"multipleOf": 3}, "a: multipleOf was 2, is 3"),
    (many(TEXT), {"type": "array"}, "a[]: was string, is anything"),
    (obj(b=TEXT), obj(b=TEXT) | {"additionalProperties": False}, "a: the object is no longer open"),
]


@pytest.mark.parametrize(("old", "new"), GROWTH)
def test_growth_is_compatible(old: Schema, new: Schema) -> None:
    assert find_breaks(lock(obj(a=old)), lock(obj(a=new))) == []


@pytest.mark.parametrize(("old", "new", "message"), BREAKS, ids=lambda part: str(part)[:40])
def test_a_breaking_change_is_named_and_needs_a_major_version(
    old: Schema, new: Schema, message: str
) -> None:
    before, after = obj(a=old), obj(a=new)
    assert find_breaks(lock(before, "1.4"), lock(after, "2.0")) == []
    assert find_breaks(lock(before, "1.4"), lock(after, "1.5")) == [f"thing.{message}"]


def test_a_change_behind_a_reference_is_found_once() -> None:
    old = obj(a={"$ref": "#/$defs/Part"}, b={"$ref": "#/$defs/Part"})
    assert find_breaks(lock(old, Part=obj(x=TEXT)), lock(old, Part=obj(y=TEXT))) == [
        "thing.a.x: the key is gone"
    ]


def test_definitions_that_refer_to_themselves_are_compared() -> None:
    def tree(leaf: Schema) -> Schema:
        return obj(leaf=leaf, children={"type": "array", "items": {"$ref": "#/$defs/Thing"}})

    assert find_breaks(lock(tree(TEXT)), lock(tree(TEXT))) == []
    assert find_breaks(lock(tree(TEXT)), lock(tree(WHOLE))) == [
        "thing.leaf: was string, is integer"
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda new: new["documents"].clear(), "thing: the document is gone"),
        (lambda new: new["addresses"].clear(), "/a/{page}.json: the address is gone"),
        (
            lambda new: new["addresses"].update({"/a/{page}.json": "other"}),
            "/a/{page}.json: was thing and is now other",
        ),
        (lambda new: new.update(schema_version="0.9"), "schema_version went back from 1.0 to 0.9"),
    ],
)
def test_documents_and_addresses_stay(change: Callable[[Schema], None], message: str) -> None:
    new = lock(obj(a=TEXT))
    change(new)
    assert find_breaks(lock(obj(a=TEXT)), new) == [message]


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Callable[[Schema], object]], Path]]:
    """Puts a changed lock file in the place of the real one."""

    real = schema.locked_schemas(built_in())

    def change(how: Callable[[Schema], object]) -> Path:
        path = tmp_path / "schema.lock.json"
        old = copy.deepcopy(real)
        how(old)
        path.write_text(schema.schema_text(old), "utf-8")
        monkeypatch.setattr(schema, "LOCK", path)
        schema.locked_schemas.cache_clear()
        return path

    yield change
    monkeypatch.undo()
    schema.locked_schemas.cache_clear()


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert result.exception is None, result.exception
    return int(result.return_value or 0), result.output


def _without_a_key(old: Schema) -> None:
    del old["$defs"]["Problem"]["properties"]["help"]
    old["$defs"]["Problem"]["required"].remove("help")


def _with_a_key_more(old: Schema) -> None:
    old["$defs"]["Problem"]["properties"]["gone"] = {"type": "string"}


def test_check_asks_for_a_new_lock_after_growth(locked: Callable[[Any], Path]) -> None:
    path = locked(_without_a_key)
    status, output = run("--check")
    assert status == 1 and "registry schema --write" in output
    assert run("--write")[0] == 0
    written = json.loads(path.read_bytes())
    assert without_since(written) == generate_lock(built_in(), written)
    assert written["since"]["Problem"]["help"] == written["schema_version"]


@pytest.mark.parametrize("option", ["--check", "--write"])
def test_a_break_is_refused_and_the_lock_stays(locked: Callable[[Any], Path], option: str) -> None:
    path = locked(_with_a_key_more)
    before = path.read_bytes()
    status, output = run(option)
    assert (
        status == 1
        and "breaks: problem.gone: the key is gone" in output
        and "SCHEMA_VERSION" in output
    )
    assert path.read_bytes() == before


def test_a_break_is_written_with_a_new_major_version(locked: Callable[[Any], Path]) -> None:
    path = locked(lambda old: (_with_a_key_more(old), old.update(schema_version="0.3")))
    assert run("--write")[0] == 0
    written = json.loads(path.read_bytes())
    assert without_since(written) == generate_lock(built_in(), written)


def test_check_against_an_older_lock_finds_changes_hidden_by_a_new_lock(
    locked: Callable[[Any], Path],
) -> None:
    older = locked(_with_a_key_more).rename(schema.LOCK.parent / "older.json")
    locked(lambda old: None)
    assert run("--check")[0] == 0
    status, output = run("--check", "--against", str(older))
    assert status == 1 and "problem.gone" in output


def test_without_a_kind_the_kinds_are_listed() -> None:
    assert run()[1].split() == list(schema.locked_schemas(built_in())["documents"])
    records = ["organization", "program", "event", "project"]
    assert run("--input")[1].split() == [*records, "registry", "removed"]


def test_an_unknown_kind_lists_the_kinds() -> None:
    result = CliRunner().invoke(command, ["projct"])
    assert result.exit_code == 2 and 'did you mean "project"?' in result.output
