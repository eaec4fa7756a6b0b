"""A registry's own fields: their values in records, in published documents and in lists."""

from __future__ import annotations

import json
import random
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest

from generator.build.load import check
from generator.grammar.limits import MAX_ANSWER
from generator.grammar.own_fields import OwnField
from generator.grammar.paths import AGENT_CATALOG, AGENT_SCHEMA, INDEX
from generator.grammar.query import Collection
from generator.model.settings.registry import Settings
from generator.model.tables.table import Registry
from generator.model.validate import read_model
from generator.reader.site import Site
from support import commands, registries
from support.own import FIELDS, OWN


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


def given(text: str, **declaration: Any) -> Any:
    """The published value of an own field `x`, or a list of errors if the value is invalid."""
    settings = {"name": "R", "description": "R"}
    settings["fields"] = {"projects": {"x": {"label": "X", **declaration}}}  # type: ignore[assignment]
    model = Settings.model_validate(settings).models()["projects"]
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


@pytest.mark.parametrize(
    ("text", "declaration", "code"),
    [
        ("yes", {"type": "boolean"}, "wrong-type"),
        ("1", {"type": "boolean"}, "wrong-type"),
        ("true", {"type": "number"}, "wrong-type"),
        ("'1'", {"type": "number"}, "wrong-type"),
        ("1", {"type": "text"}, "wrong-type"),
        ("a" * 301, {"type": "text"}, "invalid-length"),
        ("2023-02-29", {"type": "date"}, "invalid-date"),
        ("ftp://a.example", {"type": "url"}, "invalid-url"),
        ("B2B", {"type": "choice"}, "invalid-slug"),
        ("b2b", {"type": "choice", "values": {"seed": "Seed"}}, "invalid-choice"),
        ("a", {"type": "choice", "many": True}, "wrong-type"),
        ("[a]", {"type": "choice"}, "wrong-type"),
        (f"[{', '.join(f'a{n}' for n in range(51))}]", {"type": "choice", "many": True},
         "invalid-length"),
        ("null", {"type": "text", "required": True}, "missing-field"),
        ("[]", {"type": "text", "many": True, "required": True}, "invalid-length"),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused(text: str, declaration: Any, code: str) -> None:
    (fault,) = given(text, **declaration)
    assert fault.code == code and fault.loc[:2] == ("fields", "x")


@pytest.mark.parametrize("key", ["copy", "json", "model_config", "model_fields", "values", "class"])
def test_a_key_may_be_any_word(key: str, tmp_path: Path) -> None:
    own = {"projects": {key: {"label": "X", "type": "number", "summary": True, "sort": True}}}
    content = registries.content(
        registry={"fields": own}, projects={"a": {"name": "A", "fields": {key: 7}}}
    )
    registry = registries.registry(tmp_path, content)
    (row,) = registry.projects
    assert orjson.loads(row.summary)["fields"] == {key: 7}
    assert row.numbers == (None, None, 7)


def test_own_fields_are_checked_like_the_others(tmp_path: Path) -> None:
    own = {
        "projects": {
            "phrases": {"label": "Phrases", "type": "text", "many": True},
            "motto": {"label": "Motto", "type": "text"},
        }
    }
    record = "name: A\nfields:\n  phrases: [a, a]\n  motto: <b>Fast</b> # quick\n"
    content = registries.content(registry={"fields": own}, projects={"a": record})
    registries.write(tmp_path / "content", content)
    problems = check(str(tmp_path / "content"), date(2026, 11, 21)).problems
    assert [(p.line, p.column, p.code, p.severity) for p in problems] == [
        (3, 16, "repeated-value", "warning"),
        (4, 10, "html-in-text", "warning"),
        (4, 22, "cut-text", "warning"),
    ]


def test_invalid_declarations_are_not_compared_with_records(tmp_path: Path) -> None:
    content = registries.content(
        registry={"fields": {"projects": {"x": {"label": "X", "type": "percent"}}}},
        projects={"a": {"name": "A", "fields": {"x": 5, "y": [1]}}},
    )
    registries.write(tmp_path / "content", content)
    (problem,) = check(str(tmp_path / "content"), date(2026, 11, 21)).problems
    assert problem.code == "invalid-choice" and problem.path.endswith("registry.yaml")


def test_a_registry_without_own_fields_accepts_none(tmp_path: Path) -> None:
    content = registries.content(projects={"a": {"name": "A", "fields": {"x": 5}}})
    registries.write(tmp_path / "content", content)
    (problem,) = check(str(tmp_path / "content"), date(2026, 11, 21)).problems
    assert problem.code == "unknown-field" and "add it to registry.yaml" in str(problem.hint)


# --- what is published ----------------------------------------------------------------------------


def test_a_record_has_every_own_field_and_a_list_only_listed_fields(build: Path) -> None:
    assert document(build, "/api/projects/slug/acme.json")["data"]["fields"] == {
        "funding": 1250000,
        "margin": -0.25,
        "stage": "series-a",
        "roles": ["engineer", "founder"],
        "hiring": True,
        "incorporated": "2020-02-29",
        "deck": "https://acme.example/deck",
        "mirrors": ["https://a.example", "https://b.example"],
        "motto": "Do it",
        "phrases": ["One", "Two"],
    }
    bare = document(build, "/api/projects/slug/bare.json")["data"]["fields"]
    assert list(bare) == list(FIELDS["projects"])
    assert {key: value for key, value in bare.items() if value} == {"stage": "seed"}
    assert (bare["roles"], bare["hiring"], bare["motto"]) == ([], None, None)
    rows = {row["slug"]: row for row in document(build, "/api/projects/page/1.json")["data"]}
    in_lists = {"funding": 1250000, "stage": "series-a", "hiring": True, "phrases": ["One", "Two"]}
    assert rows["acme"]["fields"] == in_lists
    assert rows["bare"]["fields"] == {
        "funding": None,
        "stage": "seed",
        "hiring": None,
        "phrases": [],
    }
    assert document(build, "/api/organizations/page/1.json")["data"][0]["fields"] == {}


def test_choices_and_booleans_have_pages_of_each_value_that_a_record_has(build: Path) -> None:
    listed = document(build, "/api/projects/filters.json")["data"]
    own = {name: field for name, field in listed.items() if name.startswith("field_")}
    assert {
        name: [(v["value"], v["label"], v["count"]) for v in field["values"]]
        for name, field in own.items()
    } == {
        "field_stage": [("seed", "Seed round", 2), ("series-a", "Series A", 1)],
        "field_roles": [("engineer", "engineer", 2), ("founder", "founder", 1)],
        "field_hiring": [("false", "no", 1), ("true", "yes", 1)],
    }
    page = document(build, "/api/projects/by/field_hiring/false/page/1.json")
    assert page["query"]["filters"] == {"field_hiring": "false"}
    assert [row["slug"] for row in page["data"]] == ["cairn"]
    assert not (build / "api/projects/by/field_stage/series-b").exists()
    assert (build / "api/calendar/events/by/field_online/true/page/1.json").exists()
    assert not (build / "api/projects/by/field_funding").exists()


def test_sorts_and_ranges_compare_numbers_and_dates(registry: Registry) -> None:
    collection: Collection = registry.projects.collection
    assert collection.numbers == (
        "year", "team_size", "field_funding", "field_incorporated", "field_margin",
    )  # fmt: skip
    numbers = {row.slug: row.numbers for row in registry.projects}
    assert numbers["acme"] == (2020, 12, 1250000, "2020-02-29", -0.25)
    assert numbers["bare"] == (None, None, None, None, None)
    assert [type(number) for number in numbers["cairn"]] == [int, type(None), float, str, int]
    assert set(registry.projects.orders) == {"name", "-year"}


def test_the_index_has_the_declarations_for_the_grammar_of_readers(
    build: Path, registry: Registry
) -> None:
    declared = document(build, "/api/index.json")["data"]["fields"]
    assert declared["projects"]["funding"] == {
        "label": "Total funding", "type": "number", "many": False, "unit": "USD", "required": False,
        "summary": True, "filter": True, "sort": True, "values": {},
    }  # fmt: skip
    assert declared["projects"]["stage"]["values"]["series-b"] == "Series B"
    read = Site.open(build).grammar
    assert read.fields == registry.symbols.grammar.fields
    assert read.projects == registry.symbols.grammar.projects
    assert OwnField.from_json(declared["projects"]["funding"]).unit == "USD"


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


def test_agents_get_descriptions_of_own_fields(build: Path) -> None:
    kinds = document(build, "/api/v1/agent/schema.json")["data"]["kinds"]
    words = {field["name"]: field for field in kinds[0]["fields"]}
    assert words["fields.funding"] == {
        "name": "fields.funding",
        "type": "number or null",
        "in_lists": "number or null",
        "words": "Total funding (USD)",
    }
    assert words["fields.mirrors"]["type"] == "list of URL"
    assert words["fields.mirrors"]["in_lists"] is None
    assert words["fields.stage"]["type"] == "slug"


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


def test_a_context_has_own_fields_and_a_breakdown_of_projects(build: Path) -> None:
    text = (build / "api/v1/agent/context/programs/launch.md").read_text()
    assert "\n- Equity: 6.5 %\n" in text
    assert "\n- Projects by Status: Active: 1\n" in text
    assert "\n- Projects by Year: 2020: 1\n" in text
    assert "Projects by Location" not in text
