"""A small published state, and for each rule of the contract a change that breaks only it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import orjson

from generator.guard.published import PublishedState

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
    "slug": "acme", "name": "Acme", "website": "https://acme.example/", "kind": "small",
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
    "templates": {"projects": "/api/projects{?mode}"},
    "bounds": {"max_bytes": 24576},
}
_EVENT = b"BEGIN:VEVENT\r\nUID:one\r\nDTSTART;VALUE=DATE:20260106\r\nSUMMARY:CES\r\nEND:VEVENT\r\n"

BASE: Files = {
    INDEX: _document(
        "index",
        links={"self": INDEX},
        data={
            "name": "Small", "license": "CC0-1.0", "contact": "mailto:a@b.example",
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
    DASHBOARD: _document("dashboard", data={"tags": {"topic": [], "model": []}}),
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
    MANIFEST: {
        "format": 3, "size": 50, "language": "en", "unicode": "17.0",
        "columns": {"year": {"type": "number"}},
    },
    "/api/problems/not-found.json": {"code": "not-found", "status": 404},
    "/api/calendar/events.ics": _EVENT,
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
            "/api/calendar/events.ics": _operation("read_feed", "Filters"),
            "/api/problems/{code}.json": _operation(
                "read_problem", "Filters",
                _parameter("code", {"type": "string", "enum": ["not-found"]}, "path"),
            ),
            "/api/schemas/{kind}.json": _operation(
                "read_schema", "Filters",
                _parameter("kind", {"type": "string", "enum": ["project", "index"]}, "path"),
            ),
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


def _input(*keys: str | int, **more: Any) -> Change:
    return at(TOOLS, "data", "tools", 0, "input", *keys, **more)


def _acme(*keys: str, **more: Any) -> Change:
    return at(RECORD, "data", *keys, **more)


def _together(*changes: Change) -> Change:
    return lambda files: [change(files) for change in changes]


_OK = ("responses", "200", "content")
_LISTED = f"{PROJECTS}/page/1.json"

#: Rule -> the change that breaks it.
PAIRS: dict[str, Change] = {
    # documents
    "document-missing": at("/api/coverage.json"),
    "document-unreadable": at("/api/coverage.json", to=b"<!doctype html>"),
    "kind-changed": at("/api/coverage.json", "kind", to="index"),
    "schema-major-raised": at(INDEX, "schema_version", to="2.0"),
    "schema-version-back": at(INDEX, "schema_version", to="1.0"),
    "status-gone": _path(FILTERS, "get", "responses", "200"),
    "media-type-changed": _path(FILTERS, "get", *_OK, "application/json", add="text/csv"),
    "answer-changed": _path(
        FILTERS, "get", *_OK, "application/json", "schema", to={"$ref": "#/x/Project"}
    ),
    "key-gone": _schema("properties", "slug"),
    "key-renamed": _schema("properties", "slug", add="id"),
    "key-optional": _schema("required", to=["name"]),
    "type-changed": _schema("properties", "slug", to={"type": "integer"}),
    "type-widened": _schema("properties", "website", "type", to=["string", "integer"]),
    "type-narrowed": _schema("properties", "size", "type", to=["integer"]),
    "nullable-added": _schema("properties", "website", "type", to=["string", "null"]),
    "null-gone": _schema("properties", "year", "anyOf", 1),
    "word-gone": _schema("properties", "status", "enum", to=["active"]),
    "word-added": _schema("properties", "status", "enum", to=["active", "inactive", "sold"]),
    "words-opened": _schema("properties", "status", "anyOf",
                            to=[_STATUS, {"type": "string"}]),
    "shapes-changed": _schema("properties", "place", "anyOf", 1),
    "object-closed": _schema("additionalProperties", to=False),
    "lower-bound-loosened": _schema("properties", "name", "minLength", to=0),
    "upper-bound-loosened": _schema("properties", "name", "maxLength", to=300),
    "pattern-changed": _schema("properties", "slug", "pattern", to="^[a-z0-9]+$"),
    "format-changed": _schema("properties", "website", "format"),
    "keyword-changed": _schema("properties", "year", "anyOf", 0, "multipleOf", to=2),
    "own-field-gone": _field(),
    "own-field-type-changed": _field("type", to="text"),
    "own-field-many-changed": _field("many", to=True),
    "own-field-optional": _field("required", to=False),
    "own-field-unlisted": _field("summary", to=False),
    "own-field-opened": _field("values", to={}),
    "own-field-word-gone": _field("values", "late"),
    "family-gone": at(DASHBOARD, "data", "tags", "model"),
    "problem-gone": at("/api/problems/not-found.json"),
    "problem-status-changed": at("/api/problems/not-found.json", "status", to=410),
    "index-format-changed": at(MANIFEST, "format", to=4),
    # addresses
    "base-url-changed": at(OPENAPI, "servers", 0, "url", to="https://elsewhere.example"),
    "prefix-changed": _together(
        at(INDEX, "links", "self", to=f"/sub{INDEX}"),
        at(INDEX, "data", "surfaces", 0, "href", to="/sub/index.html"),
        at(INDEX, "data", "surfaces", 1, "href", to="/sub/skill.md"),
        at(TOOLS, "data", "tools", 0, "templates", "projects", to="/sub/api/projects{?mode}"),
    ),
    "site-gone": at(INDEX, "data", "surfaces", 0),
    "surface-gone": at(INDEX, "data", "surfaces", 1),
    "surface-moved": at(INDEX, "data", "surfaces", 1, "href", to="/skills.md"),
    "address-gone": _path(f"{PROJECTS}/slug/{{slug}}.json"),
    "feed-gone": _path("/api/calendar/events.ics"),
    "schema-gone": _path("/api/schemas/{kind}.json", "get", "parameters", 0, "schema", "enum",
                         to=["project"]),
    "filter-gone": _together(_path(BY_TOPIC), _asks(4)),
    "filter-unprepared": _path(BY_YEAR),
    "sort-gone": _together(_asks(2, "schema", "enum", 1),
                           _path(f"{PROJECTS}/sort/-year/page/{{page}}.json")),
    "sort-unprepared": _path(f"{PROJECTS}/sort/-year/page/{{page}}.json"),
    "value-gone": at(OPENAPI, "components", "schemas", "projects.tag_topic", "enum", 1),
    "vocabulary-closed": at(OPENAPI, "components", "schemas", "projects.tag_free",
                            to={"type": "string", "enum": ["one"]}),
    "record-gone": _together(at(_LISTED, "data", 1), at(f"{PROJECTS}/slug/bolt.json")),
    "alias-gone": _together(_acme("aliases", to=[]), at(f"{PROJECTS}/slug/acme-inc.json")),
    "alias-elsewhere": _together(_acme("aliases", to=[]), at(
        f"{PROJECTS}/slug/bolt.json", "data", "aliases", to=["acme-inc"])),
    "slug-taken": _together(
        at(_LISTED, "data", to=[{"slug": "acme"}, {"slug": "bolt"}, {"slug": "acme-inc"}]),
        at(f"{PROJECTS}/slug/acme-inc.json", to=_document("project", data={"slug": "acme-inc"})),
        _acme("aliases", to=[])),
    "operation-renamed": _path(FILTERS, "get", "operationId", to="filters"),
    "parameter-gone": _asks(1),
    "parameter-required": _asks(0, "required", to=True),
    "parameter-style-changed": _asks(5, "explode", to=True),
    "parameter-type-changed": _asks(1, "schema", "type", to="integer"),
    "parameter-word-gone": _asks(0, "schema", "enum", to=["page"]),
    "parameter-bound-tightened": _asks(1, "schema", "maxLength", to=100),
    "parameter-pattern-changed": _asks(3, "schema", "pattern", to="^2[0-9]{3}$"),
    "tool-gone": at(TOOLS, "data", "tools", 0),
    "tool-moved": at(TOOLS, "data", "tools", 0, "templates", "projects", to="/api/list{?mode}"),
    "tool-input-gone": _input("properties", "word"),
    "tool-input-required": _input("required", to=["collection", "limit"]),
    "tool-input-type-changed": _input("properties", "limit", "type", to="string"),
    "tool-input-word-gone": _input("properties", "collection", "enum", to=["projects"]),
    "tool-input-bound-tightened": _input("properties", "limit", "maximum", to=20),
    "tool-input-pattern-changed": _input("properties", "word", "pattern", to="^[a-f]+$"),
    # meaning
    "licence-changed": at(INDEX, "data", "license", to="CC-BY-4.0"),
    "licence-gone": at(INDEX, "data", "license", to=None),
    "contact-gone": at(INDEX, "data", "contact", to=None),
    "registry-renamed": at(INDEX, "data", "name", to="Smaller"),
    "page-size-changed": at(MANIFEST, "size", to=20),
    "default-sort-changed": _asks(2, "schema", "enum", to=["-year", "name", "relevance"]),
    "language-changed": at(MANIFEST, "language", to="de"),
    "folding-changed": at(MANIFEST, "unicode", to="18.0"),
    "column-type-changed": at(MANIFEST, "columns", "year", "type", to="text"),
    "filter-relabelled": at(FILTERS, "data", "tag_topic", "label", to="Subject"),
    "value-relabelled": at(FILTERS, "data", "tag_topic", "values", 0, "label", to="Weather"),
    "own-field-unit-changed": _field("unit", to="USD"),
    "own-field-relabelled": _field("label", to="Round"),
    "own-field-word-relabelled": _field("values", "late", to="Growth"),
    "parameter-default-changed": _asks(1, "schema", "default", to="none"),
    "tool-input-default-changed": _input("properties", "limit", "default", to=50),
    "tool-bound-loosened": at(TOOLS, "data", "tools", 0, "bounds", "max_bytes", to=50_000),
    "day-back": at(BUILD, "as_of", to="2026-11-20"),
    "published-back": at(BUILD, "generated_at", to="2026-11-20T10:00:00Z"),
    "generator-back": at(BUILD, "generator", "version", to="1.9.0"),
    "record-other": _together(_acme("name", to="Zed"), _acme("website", to="https://zed.example/")),
    "record-kind-changed": _acme("kind", to="large"),
    "feed-uid-changed": at("/api/calendar/events.ics", to=_EVENT.replace(b"UID:one", b"UID:two")),
}  # fmt: skip


def changed(rule: str) -> Files:
    """The state after the change that breaks a rule."""
    files = copy.deepcopy(BASE)
    PAIRS[rule](files)
    return files
