"""A small published state, and changes that break one rule or trip one guard."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import orjson

from generator.guard.published import PublishedState
from generator.guard.state import State
from generator.kinds import built_in
from generator.kinds.told import tell

Files = dict[str, Any]

PROJECTS = "/api/projects"
RECORD = f"{PROJECTS}/slug/acme.json"
OPENAPI, INDEX = "/api/openapi.json", "/api/index.json"
BUILD, DASHBOARD = "/api/build.json", "/api/dashboard.json"
TOOLS = "/api/v1/agent/tools.json"
FILTERS, MANIFEST = f"{PROJECTS}/filters.json", "/api/index/projects/manifest.json"
BY_TOPIC = f"{PROJECTS}/by/tag_topic/{{value}}/page/{{page}}.json"
BY_YEAR = f"{PROJECTS}/by/year/{{value}}/page/{{page}}.json"


def _document(kind: str, **more: Any) -> dict[str, Any]:
    return {"schema_version": "1.1", "kind": kind, **more}


def _answer(name: str) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {"200": {"content": {"application/json": {"schema": schema}}}}


def _parameter(name: str, schema: Any, place: str = "query", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "required": False, "schema": schema, **more}


def _operation(name: str, answer: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"operationId": name, "parameters": [*parameters], "responses": _answer(answer)}}


_ACME = {
    "slug": "acme", "name": "Acme", "website": "https://acme.example/",
    "former_names": [], "aliases": ["acme-inc"],
}  # fmt: skip
_STATUS = {"type": "string", "enum": ["active", "inactive"]}
_SHAPE = {
    "type": "object",
    "additionalProperties": True,
    "required": ["name", "year"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 200},
        "slug": {"type": "string", "pattern": "^[a-z]+$"},
        "website": {"type": "string", "format": "uri"},
        "year": {"anyOf": [{"type": "integer", "multipleOf": 1}, {"type": "null"}]},
        "size": {"type": ["integer", "string"]},
        "status": _STATUS,
        "place": {"anyOf": [{"type": "object", "properties": {"city": {"type": "boolean"}}},
                            {"type": "object", "properties": {"country": {"type": "string"}}}]},
    },
}  # fmt: skip
_FIELD = {
    "label": "Stage", "type": "choice", "many": False, "unit": "EUR", "summary": True,
    "filter": True, "sort": False, "required": True,
    "values": {"seed": "Seed", "late": "Late"},
}  # fmt: skip
#: The own kind of the registry, and what its index tells of all kinds.
_INVESTORS = {
    "one": "investor",
    "has": ["tags"],
    "fields": {
        "assets": {"type": "money", "label": "Assets", "currency": "USD"},
        "owner": {"type": "record", "label": "Owner", "of": "organizations", "filter": True},
    },
}


def told(**kinds: Any) -> dict[str, Any]:
    """What an index tells of the four and of these kinds."""
    known = built_in().having({}, kinds, ())
    return tell(known, {name: (of.kind, name) for name, of in known.items()})


_TOOL = {
    "name": "list_records",
    "input": {
        "type": "object",
        "properties": {
            "collection": {"type": "string", "enum": ["projects", "programs"]},
            "limit": {"type": "integer", "maximum": 50, "default": 10},
            "word": {"type": "string", "pattern": "^[a-z]+$"},
        },
        "required": ["collection"],
    },
}

BASE: Files = {
    INDEX: _document(
        "index",
        kinds=told(investors=_INVESTORS),
        links={"self": INDEX},
        data={
            "name": "Small", "license": "CC0-1.0",
            "surfaces": [
                {"name": "site", "href": "/index.html", "template": None},
                {"name": "skill", "href": "/skill.md", "template": None},
            ],
            "fields": {"projects": {"stage": _FIELD}},
        },
    ),
    BUILD: _document(
        "build", generated_at="2026-11-21T10:00:00Z", as_of="2026-11-21",
        generator={"name": "registry-generator", "version": "1.10.0"},
    ),
    DASHBOARD: _document("dashboard", data={}),
    "/api/changes.json": _document("change_list", data=[]),
    "/api/coverage.json": _document("coverage", data={}),
    "/api/v1/agent/catalog.json": _document("agent_catalog", data={}),
    "/api/v1/agent/schema.json": _document("agent_schema", data={}),
    TOOLS: _document("agent_tools", data={"tools": [_TOOL]}),
    FILTERS: _document("filter_list", data={
        "tag_topic": {"label": "Topic", "truncated": False, "values": [
            {"value": "climate", "label": "Climate", "count": 1},
        ]},
    }),
    MANIFEST: {"format": 3, "size": 50, "language": "en"},
    f"{PROJECTS}/page/1.json": _document(
        "project_list", page={"total_pages": 1}, data=[{"slug": "acme"}, {"slug": "bolt"}]
    ),
    RECORD: _document("project", data=_ACME),
    f"{PROJECTS}/slug/acme-inc.json": _document("moved", data={"replaced_by": "acme"}),
    f"{PROJECTS}/slug/bolt.json": _document(
        "project", data=_ACME | {"slug": "bolt", "aliases": []}
    ),
    OPENAPI: {
        "servers": [{"url": "https://small.example"}],
        "paths": {
            PROJECTS: _operation(
                "list_projects", "ProjectList",
                _parameter("mode", {"type": "string", "enum": ["page", "count"]}),
                _parameter("q", {"type": "string", "maxLength": 200, "default": "all"}),
                _parameter("sort", {"type": "string", "enum": ["name", "-year", "relevance"]}),
                _parameter("year", {"type": "string", "pattern": "^[0-9]{4}$"}),
                _parameter("tag_topic", {"$ref": "#/components/schemas/projects.tag_topic"}),
                _parameter("by", {"type": "array", "items": {"type": "string"}},
                           style="form", explode=False),
            ),
            f"{PROJECTS}/slug/{{slug}}.json": _operation("read_project", "Project"),
            f"{PROJECTS}/sort/-year/page/{{page}}.json": _operation("read_latest", "ProjectList"),
            BY_TOPIC: _operation("read_by_topic", "ProjectList"),
            BY_YEAR: _operation("read_by_year", "ProjectList"),
            FILTERS: _operation("read_filters", "Filters"),
        },
        "components": {"schemas": {
            "Project": _SHAPE,
            "ProjectList": {"type": "object", "properties": {
                "data": {"type": "array", "items": {"$ref": "#/components/schemas/Project"}}}},
            "Filters": {"type": "object"},
            "projects.tag_topic": {"type": "string", "enum": ["climate", "health"]},
            "projects.tag_free": {"type": "string", "pattern": "^[a-z]+$"},
        }},
    },
}  # fmt: skip


def state(files: Files, name: str = "base") -> PublishedState:
    """Files of a published state."""
    raw = {path: _bytes(data) for path, data in files.items()}
    return PublishedState(name, lambda paths: [raw.get(path) for path in paths])


def _bytes(data: Any) -> bytes:
    return data if isinstance(data, bytes) else orjson.dumps(data)


Change = Callable[[Files], object]
_GONE = object()


def at(path: str, *keys: str | int, to: Any = _GONE, add: str | None = None) -> Change:
    """Set or remove the value at a path; with `add`, rename the key."""

    def change(files: Files) -> None:
        here = files
        for key in (path, *keys)[:-1]:
            here = here[key]
        last: Any = (path, *keys)[-1]
        if to is not _GONE:
            here[last] = to
            return
        value = here.pop(last)
        if add is not None:
            here[add] = value

    return change


def _schema(*keys: str | int, **more: Any) -> Change:
    return at(OPENAPI, "components", "schemas", "Project", *keys, **more)


def _field(*keys: str, **more: Any) -> Change:
    return at(INDEX, "data", "fields", "projects", "stage", *keys, **more)


def _asks(number: int, *keys: str | int, **more: Any) -> Change:
    return at(OPENAPI, "paths", PROJECTS, "get", "parameters", number, *keys, **more)


def _path(path: str, *keys: str | int, **more: Any) -> Change:
    return at(OPENAPI, "paths", path, *keys, **more)


def investors(*keys: str, **more: Any) -> Change:
    """A change of the own kind."""

    def change(files: Files) -> None:
        declared = {"kinds": {"investors": copy.deepcopy(_INVESTORS)}}
        at("kinds", "investors", *keys, **more)(declared)
        files[INDEX]["kinds"] = told(**declared["kinds"])

    return change


def _input(*keys: str | int, **more: Any) -> Change:
    return at(TOOLS, "data", "tools", 0, "input", *keys, **more)


def _acme(*keys: str, **more: Any) -> Change:
    return at(RECORD, "data", *keys, **more)


def _together(*changes: Change) -> Change:
    return lambda files: [change(files) for change in changes]


_OK = ("responses", "200", "content")
_LISTED = f"{PROJECTS}/page/1.json"

#: Rule -> a change that breaks it; other changes that break it have more in brackets.
PAIRS: dict[str, Change] = {
    # documents
    "document-missing": at("/api/coverage.json"),
    "document-missing (not JSON)": at("/api/coverage.json", to=b"<!doctype html>"),
    "schema-major-raised": at(INDEX, "schema_version", to="2.0"),
    "key-gone": _schema("properties", "slug"),
    "key-optional": _schema("required", to=["name"]),
    "type-changed": _schema("properties", "slug", to={"type": "integer"}),
    "type-changed (one more)": _schema("properties", "website", "type", to=["string", "integer"]),
    "type-changed (one less)": _schema("properties", "size", "type", to=["integer"]),
    "type-changed (null)": _schema("properties", "website", "type", to=["string", "null"]),
    "type-changed (no null)": _schema("properties", "year", "anyOf", 1),
    "word-gone": _schema("properties", "status", "enum", to=["active"]),
    "word-added": _schema("properties", "status", "enum", to=["active", "inactive", "sold"]),
    "word-added (any)": _schema("properties", "status", "anyOf",
                            to=[_STATUS, {"type": "string"}]),
    "type-changed (shapes)": _schema("properties", "place", "anyOf", 1),
    "keyword-changed (closed)": _schema("additionalProperties", to=False),
    "keyword-changed (least)": _schema("properties", "name", "minLength", to=0),
    "keyword-changed (most)": _schema("properties", "name", "maxLength", to=300),
    "keyword-changed (pattern)": _schema("properties", "slug", "pattern", to="^[a-z0-9]+$"),
    "keyword-changed (format)": _schema("properties", "website", "format"),
    "keyword-changed": _schema("properties", "year", "anyOf", 0, "multipleOf", to=2),
    "kind-gone": investors(),
    "kind-renamed": investors("one", to="backer"),
    "own-field-gone": _field(),
    "own-field-gone (own kind)": investors("fields", "assets"),
    "own-field-changed (target)": investors("fields", "owner", "of", to="programs"),
    "own-field-changed (currency)": investors("fields", "assets", "currency", to="EUR"),
    "own-field-changed (lists)": investors("fields", "owner", "many", to=True),
    "own-field-changed": _field("type", to="text"),
    "own-field-changed (many)": _field("many", to=True),
    "own-field-changed (required)": _field("required", to=False),
    "own-field-changed (summary)": _field("summary", to=False),
    "own-field-changed (values)": _field("values", to={}),
    "value-gone (own)": _field("values", "late"),
    "index-format-changed": at(MANIFEST, "format", to=4),
    # addresses
    "base-url-changed": at(OPENAPI, "servers", 0, "url", to="https://elsewhere.example"),
    "site-gone": at(INDEX, "data", "surfaces", 0),
    "address-gone (surface)": at(INDEX, "data", "surfaces", 1),
    "address-gone (moved)": at(INDEX, "data", "surfaces", 1, "href", to="/skills.md"),
    "address-gone": _path(f"{PROJECTS}/slug/{{slug}}.json"),
    "filter-gone": _together(_path(BY_TOPIC), _asks(4), at(FILTERS, "data", "tag_topic")),
    "address-gone (lists)": _path(BY_YEAR),
    "sort-gone": _together(_asks(2, "schema", "enum", 1),
                           _path(f"{PROJECTS}/sort/-year/page/{{page}}.json")),
    "address-gone (sort)": _path(f"{PROJECTS}/sort/-year/page/{{page}}.json"),
    "value-gone": at(OPENAPI, "components", "schemas", "projects.tag_topic", "enum", 1),
    "parameter-narrowed (closed)": at(OPENAPI, "components", "schemas", "projects.tag_free",
                            to={"type": "string", "enum": ["one"]}),
    "record-gone": _together(at(_LISTED, "data", 1), at(f"{PROJECTS}/slug/bolt.json")),
    "alias-gone": _together(_acme("aliases", to=[]), at(f"{PROJECTS}/slug/acme-inc.json")),
    "alias-elsewhere": _together(_acme("aliases", to=[]), at(
        f"{PROJECTS}/slug/bolt.json", "data", "aliases", to=["acme-inc"])),
    "alias-elsewhere (taken)": _together(
        at(_LISTED, "data", to=[{"slug": "acme"}, {"slug": "bolt"}, {"slug": "acme-inc"}]),
        at(f"{PROJECTS}/slug/acme-inc.json", to=_document("project", data={"slug": "acme-inc"})),
        _acme("aliases", to=[])),
    "parameter-gone": _asks(1),
    "parameter-required": _asks(0, "required", to=True),
    "parameter-narrowed (type)": _asks(1, "schema", "type", to="integer"),
    "parameter-narrowed": _asks(0, "schema", "enum", to=["page"]),
    "parameter-narrowed (most)": _asks(1, "schema", "maxLength", to=100),
    "parameter-narrowed (pattern)": _asks(3, "schema", "pattern", to="^2[0-9]{3}$"),
    "tool-gone": at(TOOLS, "data", "tools", 0),
    "parameter-gone (tool)": _input("properties", "word"),
    "parameter-required (tool)": _input("required", to=["collection", "limit"]),
    "parameter-narrowed (tool)": _input("properties", "collection", "enum", to=["projects"]),
    # meaning
    "licence-changed": at(INDEX, "data", "license", to="CC-BY-4.0"),
    "licence-changed (gone)": at(INDEX, "data", "license", to=None),
    "registry-renamed": at(INDEX, "data", "name", to="Smaller"),
    "page-size-changed": at(MANIFEST, "size", to=20),
    "default-sort-changed": _asks(2, "schema", "enum", to=["-year", "name", "relevance"]),
    "language-changed": at(MANIFEST, "language", to="de"),
    "label-changed": at(FILTERS, "data", "tag_topic", "label", to="Subject"),
    "label-changed (value)": at(FILTERS, "data", "tag_topic", "values", 0, "label", to="Weather"),
    "own-field-changed (unit)": _field("unit", to="USD"),
    "label-changed (own field)": _field("label", to="Round"),
    "label-changed (own value)": _field("values", "late", to="Growth"),
    "default-changed": _asks(1, "schema", "default", to="none"),
    "default-changed (tool)": _input("properties", "limit", "default", to=50),
    "published-back (day)": at(BUILD, "as_of", to="2026-11-20"),
    "published-back": at(BUILD, "generated_at", to="2026-11-20T10:00:00Z"),
    "published-back (generator)": at(BUILD, "generator", "version", to="1.9.0"),
    "record-other": _together(_acme("name", to="Zed"), _acme("website", to="https://zed.example/")),
}  # fmt: skip


def changed(pair: str) -> Files:
    """The state after a change that breaks a rule."""
    files = copy.deepcopy(BASE)
    PAIRS[pair](files)
    return files


COUNTS = {"projects": 100, "programs": 20, "organizations": 10, "events": 5}
FILLED = {"projects": {"website": 90, "text": 100}, "programs": {"website": 10}}
VALUES = {"projects": {"location/us": 60, "location/no": 19, "tag_topic/climate": 40}}
ALIKE = {"projects": {"text": 8}}
SLUGS = {"programs": " ".join(f"p{number:02}" for number in range(20))}
BEFORE = State(COUNTS, FILLED, VALUES, ALIKE, SLUGS)

#: Guard -> settings, and a state that trips that guard only.
GUARD_PAIRS: dict[str, tuple[dict[str, Any], State]] = {
    "records-lost": ({}, BEFORE._replace(counts=COUNTS | {"projects": 79})),
    "records-few": ({"least": {"projects": 101}}, BEFORE),
    "filled-lost": ({}, BEFORE._replace(filled={"projects": {"website": 69, "text": 100},
                                                "programs": {"website": 10}})),
    "filled-few": ({"filled": {"projects": {"website": 0.91}}}, BEFORE),
    "texts-alike": ({}, BEFORE._replace(alike={"projects": {"text": 29}})),
    "values-lost": ({}, BEFORE._replace(values={"projects": {**VALUES["projects"],
                                                             "tag_topic/climate": 19}})),
    "values-few": ({"countries": {"projects": {"no": {"least": 20}}}}, BEFORE),
    "values-many": ({"tags": {"projects": {"topic": {"climate": {"most": 39}}}}}, BEFORE),
}  # fmt: skip
