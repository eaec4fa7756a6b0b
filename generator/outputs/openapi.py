"""openapi.json: every query and every address of the API, in OpenAPI 3.1.

Queries come from the grammar, answers from the lock of the published schema.  Paths have no prefix,
because the server's URL has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from generator import SCHEMA_VERSION
from generator.contract.addresses import Address, addresses
from generator.contract.artifact import Artifact, encode_json
from generator.contract.listing import MAX_BEST
from generator.contract.lock import definitions, locked_schemas
from generator.contract.openapi_queries import ALL_VALUES, QUERIES, queries_alone
from generator.feature import Hook
from generator.grammar.filters import MAX_VALUE, MAX_VALUES, Filter
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.parameters import MAX_START, MODE, PARAMETERS, ROWS_PARAMETERS, Q
from generator.grammar.paths import DASHBOARD, OPENAPI, OPENAPI_QUERIES, SEARCH, SKILL
from generator.grammar.refusals import PROBLEMS
from generator.grammar.routes import routes
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.facets import vocabulary
from generator.text.words import MAX_SLUG, SLUG

ADDRESSES = (OPENAPI, OPENAPI_QUERIES)

#: A filter with more declared values has a pattern instead.  The filter's own file has all values.
MAX_ENUM = 100

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
REFUSED = {"400": {"$ref": "#/components/responses/Refused"}}
MISSING = {"404": {"$ref": "#/components/responses/Missing"}}
_RESPONSES = {
    "Refused": {
        "description": "The query is not valid: `code` says why, and `allowed` has valid values.",
        "content": _PROBLEM,
    },
    "Missing": {"description": "The record, value or page does not exist.", "content": _PROBLEM},
}
_TAGS = (
    (
        QUERIES,
        "Queries, for hosts with rewrite rules or a function. "
        "Any other host answers 404: read the files instead.",
    ),
    ("files", "Files, on every host."),
)
_HOW_TO_ASK = (
    "A record must match all filters. Give each filter once: one value, any of several (`a,b`), "
    "all of several (`all:a,b`), none of several (`not:a,b`), or a range (`2019..2024`, `2020..`, "
    "`..2010`). mode=rows returns a few fields of the first records, mode=count the number of "
    "matching records, and with by=… the number for each value. Parameters that are not listed "
    "here get an error. Compare the `query` of the answer with yours: some hosts ignore parameters "
    "that they do not know."
)


OPERATIONS: Hook[Callable[[Grammar], Iterable[tuple[str, dict[str, Any]]]]] = Hook(
    "routes", "operations", "grammar"
)


def render(settings: Settings, symbols: Symbols) -> Iterator[Artifact]:
    grammar = symbols.grammar
    paths = dict((*_queries(grammar), *_files(grammar)))
    for collection in grammar.collections.values():
        if collection.declared.retired:
            _deprecate(collection, paths)
    components = {
        "schemas": _to_components(definitions(grammar.kinds)) | _values(symbols),
        "responses": _RESPONSES,
    }
    document = {
        "openapi": "3.1.0",
        "info": _info(settings),
        "servers": [{"url": settings.origin + grammar.prefix or "/"}],
        "security": [],  # anybody may read
        "tags": [{"name": name, "description": words} for name, words in _TAGS],
        "paths": paths,
        "components": components,
    }
    if settings.origin:  # this URL must be absolute
        url = settings.origin + grammar.url(SKILL)
        document["externalDocs"] = {"description": "How to read this API", "url": url}
    yield Artifact(OPENAPI, encode_json(document))
    yield Artifact(OPENAPI_QUERIES, encode_json(queries_alone(document)))


def _deprecate(collection: Collection, paths: Mapping[str, Mapping[str, Any]]) -> None:
    """Mark the operations of a kind that will be gone."""
    for path, methods in paths.items():
        if path == collection.root or path.startswith(f"{collection.root}/"):
            for operation in methods.values():
                operation["deprecated"] = True


def _info(settings: Settings) -> dict[str, Any]:
    info: dict[str, Any] = {
        "title": settings.name,
        "version": SCHEMA_VERSION,
        "description": settings.description,
    }
    if settings.contact is not None:
        means = "url" if settings.contact == settings.contact_url else "email"
        info["contact"] = {"name": settings.name, means: settings.contact}
    if settings.license is not None:
        info["license"] = {"name": settings.license, "identifier": settings.license}
    return info


# --- schemas --------------------------------------------------------------------------------------


def _to_components(schema: Any) -> Any:
    """A schema whose references lead to components instead of definitions."""
    if isinstance(schema, list):
        return [_to_components(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value.replace("#/$defs/", "#/components/schemas/")
        if key == "$ref"
        else _to_components(value)
        for key, value in schema.items()
    }


def _values(symbols: Symbols) -> dict[str, Any]:
    """A component `collection.filter` for each filter: its values if they are few and fixed, else
    their pattern.
    """
    schemas = {}
    for collection in symbols.grammar.collections.values():
        known = vocabulary(collection, symbols)
        for f in collection.listed_filters.values():
            fixed = not f.refers and (
                f.name.removeprefix("tag_") in symbols.closed_families
                or not f.name.startswith("tag_")
            )
            values = sorted(known[f.name]) if fixed else []
            schema: dict[str, Any] = {"type": "string", "description": f.label}
            if 0 < len(values) <= MAX_ENUM:
                schema["enum"] = values
            else:
                schema |= {"pattern": f"^{f.pattern}$", "maxLength": MAX_VALUE}
            schemas[f"{collection.name}.{f.name}"] = schema
    return schemas


def _constraint(collection: Collection, f: Filter) -> dict[str, Any]:
    """The values that a query may give for a filter: one, several or a range."""
    max_length = MAX_VALUES * (MAX_VALUE + len(",")) + len("all:")
    several = {"type": "string", "pattern": f"^{f.multi_value_pattern}$", "maxLength": max_length}
    single: dict[str, Any] = {"type": "string", "pattern": f"^{f.pattern}$", "maxLength": MAX_VALUE}
    if f.name in collection.filters and f.listed:
        single = {"$ref": f"#/components/schemas/{collection.name}.{f.name}"}
    return {"anyOf": [single, several]}


def _schema(kind: str, grammar: Grammar) -> dict[str, Any]:
    name = locked_schemas(grammar.kinds)["documents"][kind]
    return {"$ref": f"#/components/schemas/{name}"}


def response(words: str, media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The response with status 200 of an operation."""
    return {"200": {"description": words, "content": {media_type: {"schema": schema}}}}


def _words(kind: str, grammar: Grammar) -> str:
    locked = locked_schemas(grammar.kinds)
    words: str = locked["$defs"][locked["documents"][kind]]["description"]
    return words


def _answers(documents: Sequence[str], grammar: Grammar) -> dict[str, Any]:
    """The response with any of these documents."""
    schema = {"anyOf": [_schema(kind, grammar) for kind in documents]}
    words = " ".join(_words(kind, grammar) for kind in documents)
    return response(words, "application/json", schema)


def _answer(kind: str, grammar: Grammar, collection: Collection | None = None) -> dict[str, Any]:
    """The response with a document of this kind."""
    if kind == "calendar":
        return response("An iCalendar feed (RFC 5545)", "text/calendar", {"type": "string"})
    if kind == "context":
        return response("Markdown", "text/markdown", {"type": "string"})
    if kind not in locked_schemas(grammar.kinds)["documents"]:
        words = "A JSON document of its own standard"
        return response(words, "application/json", {"type": "object"})
    schema = _schema(kind, grammar)
    if collection is not None and kind == collection.kind:
        # The former address of a renamed record also answers with a file and status 200.
        schema = {"anyOf": [schema, _schema("moved", grammar)]}
    media_type = "application/problem+json" if kind == "problem" else "application/json"
    return response(_words(kind, grammar), media_type, schema)


# --- parameters -----------------------------------------------------------------------------------

_DECLARED = {p.name: p for p in (MODE, Q, *PARAMETERS)}
_PAGE = {"type": "integer", "minimum": 1, "maximum": MAX_START}
_SLUG = {"type": "string", "pattern": f"^{SLUG}$", "maxLength": MAX_SLUG}


def parameter(
    name: str, place: str, words: str, schema: dict[str, Any], required: bool
) -> dict[str, Any]:
    """A parameter of an operation; `place` is `path` or `query`."""
    return {"name": name, "in": place, "required": required, "description": words, "schema": schema}


def query_parameter(name: str, collection: Collection, grammar: Grammar) -> dict[str, Any]:
    """One parameter of a collection's query address.

    No schema has a `default`: generated clients send defaults in every mode, and other modes refuse
    the parameters of one.
    """
    events = collection.declared.timed
    if name in collection.query_filters and name not in collection.virtual:
        f = collection.query_filters[name]
        words = f"{f.label}: only records that match."
        if f.unites:
            words = "A tag of any family: only records that have it."
        elif f.listed:
            words += f"{ALL_VALUES}{grammar.url(collection.filter_path(name))}"
        made = parameter(name, "query", words, _constraint(collection, f), False)
        own = next((of for of in collection.declared.own if of.filter == name), None)
        return made | ({"deprecated": True} if own and own.retired else {})
    if name in collection.virtual:
        words = f"Only {collection.many} {collection.virtual[name].label}."
        return parameter(name, "query", words, {"type": "string", "enum": ["true"]}, False)
    p = _DECLARED[name]
    words, required = p.words, p is MODE
    if p is MODE and events:
        words, required = f"{words} Required with any other parameter.", False
    made = parameter(name, "query", words, p.schema(collection), required)
    is_list = made["schema"]["type"] == "array"
    return made | ({"style": "form", "explode": False} if is_list else {})


def _path_parameters(address: Address, grammar: Grammar) -> list[dict[str, Any]]:
    parameters: dict[str, tuple[str, Any]] = {
        "page": ("The number of the page, from 1.", _PAGE),
        "slug": ("The record's slug.", _SLUG),
        "value": (
            "The filter's value.",
            {"$ref": f"#/components/schemas/{address.collection}.{address.filter}"},
        ),
        "number": ("The number of the part or bin, from 0.", {"type": "integer"}),
        "code": ("The code of the error.", {"type": "string", "enum": list(PROBLEMS)}),
        "kind": (
            "The kind of document.",
            {"type": "string", "enum": list(locked_schemas(grammar.kinds)["documents"])},
        ),
        **address.parameters,
    }
    return [
        parameter(name, "path", *parameters[name], True)
        for name in re.findall(r"{(\w+)}", address.template)
    ]


# --- operations -----------------------------------------------------------------------------------


def _queries(grammar: Grammar) -> Iterator[tuple[str, dict[str, Any]]]:
    """The query addresses, each with its operations by method: the paths of the grammar's routes,
    and those that features answer.
    """
    paths = dict.fromkeys(route.path for route in routes(grammar))
    for collection in grammar.collections.values():
        for path in paths:
            if path == collection.root:
                yield path, {"get": _list_query(collection, grammar)}
            elif path.startswith(collection.root + "/:"):
                path = path.replace(":slug", "{slug}")
                yield path, {"get": _record_query(collection, path, grammar)}
    yield SEARCH, {"get": _search_query(grammar)}
    for found in OPERATIONS.without(grammar.left_out):
        yield from found(grammar)
    operation = {
        "operationId": "get_dashboard",
        "tags": [QUERIES],
        "summary": "The whole registry in one answer",
        "responses": _answer("dashboard", grammar) | MISSING,
    }
    yield DASHBOARD.removesuffix(".json"), {"get": operation}


def _list_query(collection: Collection, grammar: Grammar) -> dict[str, Any]:
    events = collection.declared.timed
    which = f"The upcoming {collection.many}, or one" if events else "One"
    documents = [f"{collection.kind}_{what}" for what in ("list", "rows", "count")]
    return {
        "operationId": f"list_{collection.name}",
        "tags": [QUERIES],
        "summary": f"{which} page of matching {collection.many}",
        "description": _HOW_TO_ASK,
        "parameters": [
            query_parameter(name, collection, grammar)
            for name in (*grammar.parameters(collection), *ROWS_PARAMETERS)
        ],
        "responses": _answers(documents, grammar) | REFUSED | MISSING,
    }


def _search_query(grammar: Grammar) -> dict[str, Any]:
    return {
        "operationId": "search_everything",
        "tags": [QUERIES],
        "summary": "Search all collections",
        "description": f"The number of records that have all words, and the best {MAX_BEST} of "
        "each collection. Only hosts with a function answer.",
        "parameters": [parameter("q", "query", Q.words, Q.schema(grammar.first), True)],
        "responses": _answer("search", grammar) | REFUSED,
    }


def _record_query(collection: Collection, path: str, grammar: Grammar) -> dict[str, Any]:
    moved = {"301": {"description": "The record was renamed, and the host redirects."}}
    return {
        "operationId": f"get_{collection.kind}",
        "tags": [QUERIES],
        "summary": f"One whole {collection.one}",
        "parameters": _path_parameters(Address(path, collection.kind, ""), grammar),
        "responses": _answer(collection.kind, grammar, collection) | moved | MISSING,
    }


def _files(grammar: Grammar) -> Iterator[tuple[str, dict[str, Any]]]:
    for address in addresses(grammar):
        operation: dict[str, Any] = {
            "operationId": _operation_id(address.template),
            "tags": ["files"],
            "summary": address.description,
            "parameters": _path_parameters(address, grammar),
            "responses": _answer(address.kind, grammar, grammar.collections.get(address.collection))
            | (MISSING if "{" in address.template else {}),
        }
        yield address.template, {"get": operation}


def _operation_id(template: str) -> str:
    """The word "read" and the names in an address, joined by "_"."""
    name = template.removeprefix("/api").removesuffix(".json").removesuffix(".md")
    return "read" + re.sub(r"[/.]", "_", re.sub(r"[{}-]", "", name))
