"""The OpenAPI document compared with its standard, the grammar and the schema lock."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from openapi_spec_validator import validate

from generator.contract.addresses import addresses
from generator.contract.artifact import Artifact
from generator.contract.lock import locked_schemas
from generator.features.matching.names import RECONCILE
from generator.grammar.parameters import PARAMETERS, WITH_BY
from generator.grammar.routes import query_paths
from generator.kinds import built_in
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols, Target
from generator.outputs import descriptions, openapi
from support.kinds import Settings as REGISTRY
from support.parsing import Parser

FIELDS: dict[str, Any] = {
    "name": "Small Registry",
    "description": "Three projects and what they came from.",
    "tag_families": {
        "topic": {"label": "Topic", "tags": {"space": "Space", "climate": "Climate"}},
        "technology": {"label": "Technology"},
    },
    "organization_categories": {"university": "University"},
    "program_types": {"accelerator": "Accelerator"},
}
HOST = {
    "base_url": "https://x.example/registry/",
    "license": "CC0-1.0",
    "contact": "registry@x.example",
}


def symbols(settings: Settings) -> Symbols:
    families = settings.families
    return Symbols(
        settings.grammar(),
        {name: family.tags or {} for name, family in families.items()},
        frozenset(name for name, family in families.items() if family.tags),
        {
            "categories": settings.organization_categories or {},
            "program_types": settings.program_types or {},
        },
        {
            "programs": {"launch": Target("Launch", ("launch",), "north", "accelerator")},
            "organizations": {"north": Target("North", ("north",), "", "university")},
        },
    )


def artifact(**fields: Any) -> Artifact:
    settings = REGISTRY.model_validate(FIELDS | fields)
    made, _ = openapi.render(settings, symbols(settings))
    return made


def document(**fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(artifact(**fields).data)
    return made


DOCUMENT = document()
GRAMMAR = REGISTRY.model_validate(FIELDS).grammar()
PARSER = Parser(GRAMMAR)


ALIKE = {name: {"label": name} for name in ("a", "a_", "a__b", "a_b", "page", "mode")}
MANY = {"topic": {"label": "Topic", "tags": {f"tag-{n}": "Tag" for n in range(500)}}}
NO_WORDS = dict.fromkeys(("tag_families", "organization_categories", "program_types"))


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({}, marks=pytest.mark.slow),
        {**HOST, "tag_families": MANY | ALIKE},
        pytest.param(NO_WORDS | {"description": ""}, marks=pytest.mark.slow),
    ],
    ids=["small", "names-alike-and-many-tags", "no-words"],
)
def test_the_document_is_valid_openapi(fields: dict[str, Any]) -> None:
    validate(document(**fields))


def test_every_route_of_the_grammar_and_every_address_is_there() -> None:
    queries = {path.replace(":slug", "{slug}") for path in query_paths(GRAMMAR)}
    matching = {path for path in queries if path.startswith(RECONCILE)}
    queries = queries - matching | {f"{RECONCILE}/{{collection}}"}
    assert set(DOCUMENT["paths"]) == queries | {address.template for address in addresses(GRAMMAR)}


def test_the_queries_alone_are_small_and_have_every_parameter() -> None:
    settings = REGISTRY.model_validate(FIELDS)
    _, made = openapi.render(settings, symbols(settings))
    assert len(made.data) <= 24 * 1024
    small: dict[str, Any] = json.loads(made.data)
    validate(small)
    shared = small["components"]["parameters"]
    for path, operations in small["paths"].items():
        for method, operation in operations.items():
            whole = DOCUMENT["paths"][path][method]
            found = [
                shared.get(p.get("$ref", "").rpartition("/")[2], p) for p in operation["parameters"]
            ]
            names = [(p["name"], p.get("required", False)) for p in found]
            assert names == [(p["name"], p["required"]) for p in whole.get("parameters", ())]
            assert operation["operationId"] == whole["operationId"]
    assert {path for path, of in DOCUMENT["paths"].items() if is_query(of)} == {*small["paths"]}
    own = small["paths"][GRAMMAR["projects"].root]["get"]["parameters"]
    (status,) = (p["description"] for p in own if p.get("name") == "status")
    assert status.endswith("Values: acquired, active, inactive, public.")


def is_query(operations: dict[str, Any]) -> bool:
    return any("queries" in operation["tags"] for operation in operations.values())


@pytest.mark.parametrize("collection", GRAMMAR.collections.values(), ids=lambda c: c.name)
def test_a_list_takes_the_parameters_of_the_grammar(collection: Any) -> None:
    operation = DOCUMENT["paths"][collection.root]["get"]
    known = [*GRAMMAR.parameters(collection), *(p for p in MODES_OF if MODES_OF[p] == ("rows",))]
    assert [p["name"] for p in operation["parameters"]] == known
    required = [p["name"] for p in operation["parameters"] if p["required"]]
    assert required == ([] if collection is GRAMMAR["events"] else ["mode"])
    assert set(operation["responses"]) == {"200", "400", "404"}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return DOCUMENT["components"]["schemas"][name] if name else schema


def accepts(schema: dict[str, Any], text: str) -> bool:
    """Whether a parameter's schema accepts a value as written in a URL."""
    schema = resolved(schema)
    if "anyOf" in schema:
        return any(accepts(choice, text) for choice in schema["anyOf"])
    if schema["type"] == "array":
        parts = text.split(",")
        return len(set(parts)) == len(parts) <= schema["maxItems"] and all(
            accepts(schema["items"], part) for part in parts
        )
    if schema["type"] == "integer":
        return (
            text.isascii()
            and text.isdigit()
            and schema["minimum"] <= int(text) <= schema["maximum"]
            and (text == "0" or text[0] != "0")
        )
    if "enum" in schema:
        return text in schema["enum"]
    return (
        re.search(schema.get("pattern", ""), text) is not None and len(text) <= schema["maxLength"]
    )


VALUES = (
    "page", "true", "1", "0", "01", "-1", "999999999", "1000000000", "2024", "24", "2024-05",
    "2024-13", "name", "-year", "-projects", "starts", "relevance", "active", "cohort",
    "application_window", "count", "rows", "name,year", "50", "51", "year,kind",
    "location,location", "2019..2024", "..", "1.5..",
    "space,us-ca", "all:space,climate", "not:active", "active,", "space",
    "us-ca-san-francisco", "no--slug", "Upper", "x" * 210, "x" * 211,
)  # fmt: skip


MODES_OF = {p.name: p.modes for p in PARAMETERS}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("collection", GRAMMAR.collections.values(), ids=lambda c: c.name)
def test_the_engine_accepts_what_a_parameters_schema_accepts(collection: Any, value: str) -> None:
    for parameter in DOCUMENT["paths"][collection.root]["get"]["parameters"]:
        name = parameter["name"]
        given = {"mode": "page", "q": "words"} if name == "sort" else {"mode": "page"}
        modes = MODES_OF.get(name, ("page",))
        if "page" not in modes:
            given = {"mode": modes[0], **({"by": "location"} if name in WITH_BY else {})}
        given[name] = value
        raw = "&".join(f"{k}={v}" for k, v in given.items())
        parsed = PARSER.parse(collection, raw).problem is None
        if name in collection.listed_filters and "anyOf" in parameter["schema"]:
            # The grammar checks only the form of words; the registry declares the words.
            assert parsed or not accepts(parameter["schema"], value), (name, value)
        elif name not in ("q", "like"):
            assert parsed == accepts(parameter["schema"], value), (name, value)


def test_too_many_words_are_not_listed() -> None:
    def topic(count: int) -> dict[str, Any]:
        tags = {f"tag-{n}": "Tag" for n in range(count)}
        made = document(tag_families={"topic": {"label": "Topic", "tags": tags}})
        found: dict[str, Any] = made["components"]["schemas"]["projects.tag_topic"]
        return found

    assert len(topic(openapi.MAX_ENUM)["enum"]) == openapi.MAX_ENUM
    assert "enum" not in topic(openapi.MAX_ENUM + 1)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {}),
        (
            {"contact": "a@x.example"},
            {"contact": {"name": "Small Registry", "email": "a@x.example"}},
        ),
        (
            {"contact": "https://x.example/c"},
            {"contact": {"name": "Small Registry", "url": "https://x.example/c"}},
        ),
        ({"license": "CC0-1.0"}, {"license": {"name": "CC0-1.0", "identifier": "CC0-1.0"}}),
    ],
)
def test_the_registrys_name_licence_and_contact_are_there(
    fields: dict[str, Any], expected: dict[str, Any]
) -> None:
    info = document(**fields)["info"]
    assert {key: info[key] for key in ("contact", "license") if key in info} == expected
    assert (info["title"], info["description"]) == (FIELDS["name"], FIELDS["description"])


@pytest.mark.parametrize(
    ("base_url", "begins"),
    [
        (None, "/api/schemas/"),
        ("https://x.example/registry", "https://x.example/registry/api/schemas/"),
    ],
)
def test_every_document_has_its_schema_at_the_address_it_names(
    base_url: str | None, begins: str
) -> None:
    settings = REGISTRY.model_validate(FIELDS | {"base_url": base_url})
    made = {
        a.path: json.loads(a.data) for a in descriptions.render_schemas(settings, symbols(settings))
    }
    assert list(made) == [
        f"/api/schemas/{kind}.json" for kind in locked_schemas(built_in())["documents"]
    ]
    assert [schema["$id"] for schema in made.values()] == [
        f"{begins}{kind}.json" for kind in locked_schemas(built_in())["documents"]
    ]
