"""openapi.json: every query and every address of the API, in OpenAPI 3.1.

Queries come from the grammar, answers from the lock of the published schema.  Paths have no prefix,
because the server's URL has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from generator import SCHEMA_VERSION
from generator.contract.addresses import Address, addresses
from generator.contract.artifact import Artifact, encode_json
from generator.contract.listing import MAX_BEST
from generator.contract.lock import locked_schemas
from generator.contract.own_schemas import add_own_fields
from generator.feature import Hook
from generator.grammar.filters import MAX_VALUE, MAX_VALUES, Filter
from generator.grammar.grammar import (
    MAX_BY,
    ROWS_PARAMETERS,
    Collection,
    Grammar,
)
from generator.grammar.limits import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.paths import DASHBOARD, OPENAPI, SEARCH, SKILL
from generator.grammar.refusals import PROBLEMS
from generator.grammar.routes import routes
from generator.grammar.row_fields import DEFAULT_FIELDS, DEFAULT_ROWS, MAX_FIELDS, MAX_ROWS
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.facets import vocabulary
from generator.text.words import MAX_SLUG, SLUG

ADDRESSES = (OPENAPI,)

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
        "queries",
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
    document = {
        "openapi": "3.1.0",
        "info": _info(settings),
        "servers": [{"url": settings.origin + grammar.prefix or "/"}],
        "security": [],  # anybody may read
        "tags": [{"name": name, "description": words} for name, words in _TAGS],
        "paths": paths,
        "components": {
            "schemas": _to_components(add_own_fields(locked_schemas()["$defs"], grammar))
            | _values(symbols),
            "responses": _RESPONSES,
        },
    }
    if settings.origin:  # this URL must be absolute
        url = settings.origin + grammar.url(SKILL)
        document["externalDocs"] = {"description": "How to read this API", "url": url}
    yield Artifact(OPENAPI, encode_json(document))


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
            fixed = f.name not in ("program", "organization") and (
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


def _schema(kind: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{locked_schemas()['documents'][kind]}"}


def response(words: str, media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The response with status 200 of an operation."""
    return {"200": {"description": words, "content": {media_type: {"schema": schema}}}}


def _words(kind: str) -> str:
    words: str = locked_schemas()["$defs"][locked_schemas()["documents"][kind]]["description"]
    return words


def _answers(kinds: Sequence[str]) -> dict[str, Any]:
    """The response with a document of any of these kinds."""
    schema = {"anyOf": [_schema(kind) for kind in kinds]}
    return response(" ".join(map(_words, kinds)), "application/json", schema)


def _answer(kind: str, collection: Collection | None) -> dict[str, Any]:
    """The response with a document of this kind."""
    if kind == "calendar":
        return response("An iCalendar feed (RFC 5545)", "text/calendar", {"type": "string"})
    if kind == "context":
        return response("Markdown", "text/markdown", {"type": "string"})
    if kind not in locked_schemas()["documents"]:
        words = "A JSON document of its own standard"
        return response(words, "application/json", {"type": "object"})
    schema = _schema(kind)
    if collection is not None and kind == collection.kind:
        # The former address of a renamed record also answers with a file and status 200.
        schema = {"anyOf": [schema, _schema("moved")]}
    media_type = "application/problem+json" if kind == "problem" else "application/json"
    return response(_words(kind), media_type, schema)


# --- parameters -----------------------------------------------------------------------------------

_PAGE = {"type": "integer", "minimum": 1, "maximum": 999_999_999}
_SEARCH_WORDS: tuple[str, dict[str, Any]] = (
    f"1 to {MAX_QUERY_WORDS} words to search for. A record must have all of them.",
    {"type": "string", "minLength": 1, "maxLength": MAX_QUERY_CHARACTERS},
)
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
            words += f" All values: {grammar.url(collection.filter_path(name))}"
        return parameter(name, "query", words, _constraint(collection, f), False)
    if name in collection.virtual:
        words = f"Only {collection.many} {collection.virtual[name].label}."
        return parameter(name, "query", words, {"type": "string", "enum": ["true"]}, False)
    parameters: dict[str, tuple[str, dict[str, Any]]] = {
        "mode": (
            "page: one page of the matching records; rows: a few fields of the first of them; "
            "count: only their number." + (" Required with any other parameter." if events else ""),
            {"type": "string", "enum": ["page", "rows", "count"]},
        ),
        "fields": (
            "With mode=rows: the fields of each row, separated by commas; the slug always comes "
            "first. found_in, only with q: which of name, former_names, summary and places have "
            f"words of q. Without it: {', '.join(DEFAULT_FIELDS)}.",
            _names(collection.row_fields, MAX_FIELDS),
        ),
        "limit": (
            f"With mode=rows: the number of rows. Without it: {DEFAULT_ROWS}.",
            {"type": "integer", "minimum": 1, "maximum": MAX_ROWS},
        ),
        "by": (
            "With mode=count: the filters whose values are counted, separated by commas. The value "
            "of a filter does not narrow the counts of that filter.",
            _names(collection.filters, MAX_BY),
        ),
        "per": (
            "With one filter in by: another filter, whose values are counted for each value of the "
            "first.",
            {"type": "string", "enum": [*collection.filters]},
        ),
        "like": (
            "With by: only values whose label or slug has words that begin with these words.",
            {"type": "string", "minLength": 1, "maxLength": MAX_QUERY_CHARACTERS},
        ),
        "q": _SEARCH_WORDS,
        "sort": (
            f"The order; the default is {collection.sorts[0]}. relevance is only for queries with "
            "q, and is their default.",
            {"type": "string", "enum": [*collection.sorts, "relevance"]},
        ),
        "page": ("The number of the page, from 1.", _PAGE),
    }
    made = parameter(name, "query", *parameters[name], name == "mode" and not events)
    return made | ({"style": "form", "explode": False} if name in ("by", "fields") else {})


def _names(known: Iterable[str], most: int) -> dict[str, Any]:
    """Some different names."""
    items = {"type": "string", "enum": [*known]}
    return {"type": "array", "items": items, "maxItems": most, "uniqueItems": True}


def _path_parameters(address: Address) -> list[dict[str, Any]]:
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
            {"type": "string", "enum": list(locked_schemas()["documents"])},
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
                yield path, {"get": _record_query(collection, path)}
    yield SEARCH, {"get": _search_query()}
    for found in OPERATIONS.without(grammar.left_out):
        yield from found(grammar)
    operation = {
        "operationId": "get_dashboard",
        "tags": ["queries"],
        "summary": "The whole registry in one answer",
        "responses": _answer("dashboard", None) | MISSING,
    }
    yield DASHBOARD.removesuffix(".json"), {"get": operation}


def _list_query(collection: Collection, grammar: Grammar) -> dict[str, Any]:
    events = collection.declared.timed
    which = f"The upcoming {collection.many}, or one" if events else "One"
    answers = _answers([f"{collection.kind}_{what}" for what in ("list", "rows", "count")])
    return {
        "operationId": f"list_{collection.name}",
        "tags": ["queries"],
        "summary": f"{which} page of matching {collection.many}",
        "description": _HOW_TO_ASK,
        "parameters": [
            query_parameter(name, collection, grammar)
            for name in (*grammar.parameters(collection), *ROWS_PARAMETERS)
        ],
        "responses": answers | REFUSED | MISSING,
    }


def _search_query() -> dict[str, Any]:
    return {
        "operationId": "search_everything",
        "tags": ["queries"],
        "summary": "Search all collections",
        "description": f"The number of records that have all words, and the best {MAX_BEST} of "
        "each collection. Only hosts with a function answer.",
        "parameters": [parameter("q", "query", *_SEARCH_WORDS, True)],
        "responses": _answer("search", None) | REFUSED,
    }


def _record_query(collection: Collection, path: str) -> dict[str, Any]:
    moved = {"301": {"description": "The record was renamed, and the host redirects."}}
    return {
        "operationId": f"get_{collection.kind}",
        "tags": ["queries"],
        "summary": f"One whole {collection.one}",
        "parameters": _path_parameters(Address(path, collection.kind, "")),
        "responses": _answer(collection.kind, collection) | moved | MISSING,
    }


def _files(grammar: Grammar) -> Iterator[tuple[str, dict[str, Any]]]:
    for address in addresses(grammar):
        operation: dict[str, Any] = {
            "operationId": _operation_id(address.template),
            "tags": ["files"],
            "summary": address.description,
            "parameters": _path_parameters(address),
            "responses": _answer(address.kind, grammar.collections.get(address.collection))
            | (MISSING if "{" in address.template else {}),
        }
        yield address.template, {"get": operation}


def _operation_id(template: str) -> str:
    """The word "read" and the names in an address, joined by "_"."""
    name = template.removeprefix("/api").removesuffix(".json").removesuffix(".md")
    return "read" + re.sub(r"[/.]", "_", re.sub(r"[{}-]", "", name))
