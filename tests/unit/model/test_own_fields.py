"""A registry's own fields: their values in records, in published documents and in lists."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest

from generator.grammar.limits import MAX_ANSWER
from generator.grammar.paths import AGENT_CATALOG, AGENT_SCHEMA, INDEX
from generator.grammar.query import Collection
from generator.model.settings.own_fields import record_model
from generator.model.tables.table import Registry
from generator.model.validate import read_model
from generator.reader.deployment import Deployment
from support import commands, registries
from support.kinds import Settings
from support.own import OWN

EXPECTED = Path(__file__).parent / "own_fields.txt"


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return registries.registry(tmp_path_factory.mktemp("own"), OWN)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    content = registries.write(folder / "content", OWN)
    return commands.build(content, folder / "build", "--as-of", commands.TODAY)


def document(build: Path, path: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((build / path[1:]).read_bytes())
    return loaded


# --- what records give ----------------------------------------------------------------------------


@cache
def model_of(declaration: str) -> type[Any]:
    """The model of projects with an own field `x`, which is declared by JSON."""
    declared = {"projects": {"x": {"label": "X", **json.loads(declaration)}}}
    settings = {"name": "R", "description": "R", "fields": declared}
    return record_model(Settings.model_validate(settings).kinds["projects"])


def given(text: str, **declaration: Any) -> Any:
    """The published value of an own field `x`, or a list of errors if the value is invalid."""
    model = model_of(json.dumps(declaration))
    record, faults, _ = read_model(f"name: A\nfields: {{x: {text}}}\n".encode(), model)
    return faults if record is None else record.fields and record.fields.field_x  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "published"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("1250000", "1250000"),
        ("-17", "-17"),
        ("9007199254740992", "9007199254740992"),
        ("-9007199254740992", "-9007199254740992"),
        ("0.1", "0.1"),
        ("-0.25", "-0.25"),
        ("2.0", "2"),
        ("1e3", "1000"),
        ("1.5e-7", "1.5e-7"),
        ("123456789.125", "123456789.125"),
        ("4503599627370495.5", "4503599627370495.5"),
    ],
)
def test_a_number_is_published_exactly_and_whole_ones_without_a_fraction(
    text: str, published: str
) -> None:
    assert orjson.dumps(given(text, type="number")).decode() == published


def test_any_number_is_read_back_exactly() -> None:
    chance = random.Random(5)
    for _ in range(500):
        number = chance.choice(
            [
                chance.randrange(-(1 << 53), (1 << 53) + 1),
                round(chance.uniform(-1e6, 1e6), chance.randrange(12)),
                chance.uniform(-1, 1) * 10 ** chance.randrange(-20, 15),
            ]
        )
        text = repr(number)
        assert json.loads(orjson.dumps(given(text, type="number"))) == number, text


@pytest.mark.parametrize("text", ["9007199254740993", "-1e16", "1e400", "-1e400"])
def test_a_number_that_is_not_portable_in_json_is_refused(text: str) -> None:
    (fault,) = given(text, type="number")
    assert fault.code == "out-of-range" and "9,007,199,254,740,992" in fault.message


@pytest.mark.parametrize(
    ("text", "declaration", "published"),
    [
        ("true", {"type": "boolean"}, True),
        ("2024-02-29", {"type": "date"}, "2024-02-29"),
        ("'7'", {"type": "text"}, "7"),
        ("Über uns", {"type": "text"}, "Über uns"),
        ("https://a.example/?b", {"type": "url"}, "https://a.example/?b"),
        ("b2b", {"type": "choice"}, "b2b"),
        ("seed", {"type": "choice", "values": {"seed": "Seed"}}, "seed"),
        ("[a, b]", {"type": "choice", "many": True}, ["a", "b"]),
        ("[]", {"type": "text", "many": True}, []),
        ("null", {"type": "text", "many": True}, None),
        ("~", {"type": "number"}, None),
    ],
)
def test_each_type_is_accepted(text: str, declaration: dict[str, Any], published: Any) -> None:
    assert given(text, **declaration) == published


@pytest.mark.parametrize("key", ["copy", "json", "model_config", "model_fields", "values", "class"])
def test_a_key_may_be_any_word(key: str, tmp_path: Path) -> None:
    own = {"projects": {key: {"label": "X", "type": "number", "summary": True, "sort": True}}}
    content = registries.content(
        registry={"fields": own}, projects={"a": {"name": "A", "fields": {key: 7}}}
    )
    registry = registries.registry(tmp_path, content)
    (row,), (summary,) = registry.tables["projects"], registry.tables["projects"].summaries
    assert orjson.loads(summary)["fields"] == {key: 7}
    assert row.numbers == (None, None, 7)


# --- what is published ----------------------------------------------------------------------------

#: The parts of published documents that own fields decide: a path, and the keys that lead there.
PARTS = [
    ("/api/projects/slug/acme.json", "data fields"),
    ("/api/projects/slug/bare.json", "data fields"),
    ("/api/projects/page/1.json", "data 0 fields"),
    ("/api/projects/page/1.json", "data 1 fields"),
    ("/api/organizations/page/1.json", "data 0 fields"),
    ("/api/projects/filters.json", "data field_stage"),
    ("/api/projects/filters.json", "data field_roles"),
    ("/api/projects/filters.json", "data field_hiring"),
    ("/api/projects/by/field_hiring/false/page/1.json", "query"),
    ("/api/projects/by/field_hiring/false/page/1.json", "data 0 slug"),
    ("/api/index.json", "data fields"),
]


def test_published_documents_have_the_own_fields(build: Path, regenerate: bool) -> None:
    lines = []
    for path, keys in PARTS:
        value: Any = document(build, path)
        for key in keys.split():
            value = value[int(key) if key.isdigit() else key]
        lines.append(f"{path} {keys}\n{json.dumps(value, indent=1, ensure_ascii=False)}\n")
    kinds = document(build, "/api/v1/agent/schema.json")["data"]["kinds"]
    words = (f for kind in kinds for f in kind["fields"] if f["name"].startswith("fields."))
    lines += [f"{json.dumps(field, ensure_ascii=False)}\n" for field in words]
    lines.append((build / "api/v1/agent/context/programs/launch.md").read_text("utf-8"))
    if regenerate:
        EXPECTED.write_text("\n".join(lines), "utf-8")
    assert "\n".join(lines) == EXPECTED.read_text("utf-8")


def test_only_choices_and_booleans_have_pages_of_the_values_that_records_have(build: Path) -> None:
    by = {path.relative_to(build / "api").as_posix() for path in build.glob("api/**/by/*/*")}
    assert {path for path in by if "field_" in path} == {
        "projects/by/field_stage/seed",
        "projects/by/field_stage/series-a",
        "projects/by/field_roles/engineer",
        "projects/by/field_roles/founder",
        "projects/by/field_hiring/false",
        "projects/by/field_hiring/true",
        "calendar/events/by/field_online/true",
    }


def test_sorts_and_ranges_compare_numbers_and_dates(registry: Registry) -> None:
    collection: Collection = registry.tables["projects"].collection
    assert collection.numbers == (
        "year", "team_size", "field_funding", "field_incorporated", "field_margin",
    )  # fmt: skip
    numbers = {row.slug: row.numbers for row in registry.tables["projects"]}
    assert numbers["acme"] == (2020, 12, 1250000, "2020-02-29", -0.25)
    assert numbers["bare"] == (None, None, None, None, None)
    assert [type(number) for number in numbers["cairn"]] == [int, type(None), float, str, int]
    assert set(registry.tables["projects"].orders) == {"name", "-year"}


def test_readers_get_the_grammar_of_the_declarations(build: Path, registry: Registry) -> None:
    read = Deployment.open(build).grammar
    assert read.kinds is registry.symbols.grammar.kinds
    assert read["projects"] == registry.symbols.grammar["projects"]


@pytest.mark.parametrize("kind", ["project", "program", "event", "project_list"])
def test_the_published_schema_knows_the_own_fields_and_stays_open(kind: str, build: Path) -> None:
    schema = document(build, f"/api/schemas/{kind}.json")
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    paths = {
        "project": "/api/projects/slug/acme.json",
        "program": "/api/programs/slug/launch.json",
        "event": "/api/calendar/events/slug/launch-2026-day.json",
        "project_list": "/api/projects/page/1.json",
    }
    whole = document(build, paths[kind])
    validator.validate(whole)
    fields = (whole["data"][0] if kind == "project_list" else whole["data"])["fields"]
    fields["later"] = "a field that is declared later"
    validator.validate(whole)
    key = next(iter(fields))
    with pytest.raises(jsonschema.ValidationError):
        fields[key] = {"not": "of its type"}
        validator.validate(whole)
    del fields[key]
    assert [error.validator for error in validator.iter_errors(whole)] == ["required"]


def test_the_largest_number_of_own_fields_fits_into_documents_for_agents(tmp_path: Path) -> None:
    many = {
        f"a_key_of_some_length_{n:02}": {
            "label": f"A label of one line {n} " + "x" * 120,
            "type": ["choice", "number"][n % 2],
            "filter": True,
            "summary": True,
            **({"sort": True} if n % 2 else {}),
        }
        for n in range(50)
    }
    own = dict.fromkeys(("projects", "programs", "organizations", "events"), many)
    registry = registries.registry(tmp_path, registries.content(registry={"fields": own}))
    for name, path in (("agent_schema", AGENT_SCHEMA), ("agent_catalog", AGENT_CATALOG)):
        raw = registries.rendered(name, registry)[path]
        assert len(raw) <= MAX_ANSWER, name
        data = json.loads(raw)["data"]
        assert data["truncated"] and data["next"], name
    index = json.loads(registries.rendered("index", registry)[INDEX])
    assert len(index["data"]["fields"]["events"]) == 50
