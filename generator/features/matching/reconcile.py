"""The Reconciliation Service API 0.2 (https://reconciliation-api.github.io/specs/0.2/): what
clients ask, and the answers.

search/js/source/reconcile.mjs does the same in JavaScript.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson

from generator.contract.artifact import encode_json
from generator.features.matching.questions import MAX_BATCH, PLACES, Candidate, Extension, Question
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.paths import API_CATALOG, INDEX, RECONCILE, schema_path
from generator.grammar.query_string import cut_for_message, parse_parameters, search_words
from generator.grammar.refusals import QueryError
from generator.grammar.row_fields import FOUND_IN, MAX_FIELDS, RowField
from generator.reader.services import TooLarge
from generator.search.manifest import Unavailable
from generator.text.words import is_slug

#: Candidates of one question; suggestions in one answer; proposed properties.
MAX_CANDIDATES, MAX_SUGGESTED, MAX_PROPOSED = 10, 10, 200
#: The properties of a question: the places, and the website of what is named.
PLACE_PROPERTIES, SITE_PROPERTIES = ("country", PLACES), ("website",)
#: Values of a property, and characters of one.
MAX_VALUES_OF_PROPERTY, MAX_CHARACTERS = 10, 300
_is_cursor = re.compile(r"0|[1-9][0-9]{0,6}").fullmatch


def service_path(collection: Collection) -> str:
    return f"{RECONCILE}/{collection.name}"


def service_manifest(collection: Collection, grammar: Grammar) -> dict[str, Any]:
    """The manifest of a collection's service; `:base` and `:name` are placeholders.

    People view the page of a record, or its file if it has no page.
    """
    path = f":base{service_path(collection)}"
    record = "{{id}}"
    view = grammar.record_page(collection.name, record) or collection.record_path(record)
    return {
        "versions": ["0.2"],
        "name": f":name: {collection.name}",
        "identifierSpace": f":base{collection.root}/",
        "schemaSpace": f":base{schema_path(collection.kind)}",
        "defaultTypes": [entity_type(collection)],
        "view": {"url": f":base{view}"},
        "suggest": {"entity": {"service_url": path, "service_path": "/suggest"}},
        "extend": {"propose_properties": {"service_url": path, "service_path": "/properties"}},
        "batchSize": MAX_BATCH,
    }


#: The documents that have the name of the registry, and its base URL.
MANIFEST_SOURCES = (INDEX, API_CATALOG)


def render_manifest(
    collection: Collection, grammar: Grammar, sources: Sequence[bytes], origin: str
) -> bytes:
    """The manifest, from the documents of MANIFEST_SOURCES; `origin` is that of the request.

    Raises Unavailable.
    """
    try:
        index, catalog = map(orjson.loads, sources)
        base = catalog["linkset"][0]["anchor"].removesuffix(API_CATALOG)
        values = {":base": base if "://" in base else origin + base, ":name": index["data"]["name"]}
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise Unavailable("The build is damaged. Build it again.") from None

    def fill(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: fill(value) for key, value in part.items()}
        if isinstance(part, list):
            return [fill(value) for value in part]
        if isinstance(part, str):
            return re.sub(":base|:name", lambda found: values[found[0]], part)
        return part

    return encode_json(fill(service_manifest(collection, grammar)))


def entity_type(collection: Collection) -> dict[str, str]:
    return {"id": collection.kind, "name": collection.kind.capitalize()}


def parse_request(collection: Collection, raw: str) -> dict[str, Question] | Extension:
    """The questions of a query string or a form, or its data extension query.

    Raises QueryError and TooLarge.
    """
    values = parse_parameters(raw, {"queries": "", "extend": ""})
    if len(values) > 1:
        raise _invalid("Give either queries or extend.")
    ((name, encoded),) = values.items()
    found = _read_json(encoded, name)
    if name == "queries":
        return parse_questions(found, collection)
    return _extension(found, collection)


def parse_suggest(raw: str) -> tuple[str, int]:
    """The beginning of a name, and how many suggestions to skip.  Clients send parameters of older
    versions, which are ignored.

    Raises QueryError.
    """
    values = dict(token.partition("=")[::2] for token in raw.split("&"))
    cursor = values.get("cursor", "0")
    if not values.get("prefix"):
        raise _invalid("Give the beginning of a name: ?prefix=…")
    if not _is_cursor(cursor):
        raise QueryError("invalid-parameter", "cursor must be a whole number from 0.")
    return search_words(values["prefix"], "prefix"), int(cursor)


def _read_json(encoded: str, name: str) -> Any:
    try:
        text = unquote_to_bytes(encoded.replace("+", " ")).decode()
        return orjson.loads(text)
    except ValueError:
        raise QueryError("invalid-parameter", f"{name} must be percent-encoded JSON.") from None


def parse_questions(found: Any, collection: Collection) -> dict[str, Question]:
    """The questions of a query batch, as JSON gives it.  Raises QueryError and TooLarge."""
    if not isinstance(found, dict):
        raise _invalid("queries must be an object: an id and a query, for each query.")
    if len(found) > MAX_BATCH:
        raise TooLarge(f"A batch has at most {MAX_BATCH} queries; this has {len(found)}.")
    queries = sorted(found.items(), key=_by_id)
    return {key: _question(key, query, collection) for key, query in queries}


def _by_id(item: tuple[str, Any]) -> bytes:
    """The order of ids in JavaScript."""
    return item[0].encode("utf-16-be")


def _question(key: str, query: Any, collection: Collection) -> Question:
    where = f'The query "{cut_for_message(key)}"'
    if not isinstance(query, dict):
        raise _invalid(f"{where} must be an object.")
    name, limit = query.get("query", ""), query.get("limit", 1)
    if not isinstance(name, str):
        raise _invalid(f'{where}: "query" must be a text.')
    if type(limit) not in (int, float) or limit != int(limit) or limit < 1:
        raise _invalid(f'{where}: "limit" must be a whole number from 1.')
    properties = query.get("properties", [])
    if not isinstance(properties, list):
        raise _invalid(f'{where}: "properties" must be a list.')
    has_places = PLACES in collection.filters
    known = (*PLACE_PROPERTIES * has_places, *SITE_PROPERTIES)
    values: dict[str, list[str]] = {name: [] for name in known}
    for each in properties:
        if not (isinstance(each, dict) and isinstance(each.get("pid"), str) and "v" in each):
            raise _invalid(f'{where}: a property has "pid" and "v".')
        # Clients send every column that they have; other properties say nothing here.
        if each["pid"] in values:
            values[each["pid"]] += _texts(each["v"])
    places = [text for pid in PLACE_PROPERTIES for text in values.get(pid, ())]
    sites = [text for pid in SITE_PROPERTIES for text in values[pid]][:1]
    most = min(int(limit), MAX_CANDIDATES) if "limit" in query else None
    return Question(name, sites, places[:MAX_VALUES_OF_PROPERTY], most)


def _texts(value: Any) -> Iterator[str]:
    """The texts of a property's value: a text, an entity, or a list of these."""
    for each in value if isinstance(value, list) else [value]:
        text = each.get("id") if isinstance(each, dict) else each
        if isinstance(text, str) and text:
            yield text[:MAX_CHARACTERS]


def _extension(found: Any, collection: Collection) -> Extension:
    ids, properties = (
        found.get(name) if isinstance(found, dict) else None for name in ("ids", "properties")
    )
    if not (isinstance(ids, list) and isinstance(properties, list)):
        raise _invalid('extend must be an object with the lists "ids" and "properties".')
    names: list[Any] = [each.get("id") if isinstance(each, dict) else None for each in properties]
    if not all(isinstance(text, str) for text in (*ids, *names)):
        raise _invalid('Each of "ids" must be a text, and each of "properties" must have an "id".')
    slugs, fields = sorted(set(ids)), [*dict.fromkeys(names)]
    if len(slugs) > MAX_BATCH or len(fields) > MAX_FIELDS:
        raise TooLarge(f"Data extension takes at most {MAX_BATCH} ids and {MAX_FIELDS} properties.")
    known_fields = _properties(collection)
    for name in fields:
        if name not in known_fields:
            message = f'There is no property "{cut_for_message(name)}".'
            raise QueryError("invalid-parameter", message, tuple(known_fields))
    known = [slug for slug in slugs if is_slug(slug)]
    if known != slugs:
        raise _invalid("An id is the slug of a record.")
    return Extension(slugs, [known_fields[name] for name in fields])


def _properties(collection: Collection) -> dict[str, RowField]:
    """The fields of rows that a record has by itself, whatever the query; its slug is the id."""
    fields = collection.row_fields
    return {name: fields[name] for name in fields if name not in ("slug", FOUND_IN)}


def render_properties(collection: Collection, raw: str) -> bytes:
    """The fields of records, in answer to a property proposal request."""
    values = dict(token.partition("=")[::2] for token in raw.split("&"))
    limit = int(values["limit"]) if _is_cursor(values.get("limit", "")) else MAX_PROPOSED
    properties = [*proposals(collection)][: min(limit, MAX_PROPOSED)]
    return encode_json({"type": collection.kind, "properties": properties})


def proposals(collection: Collection, names: Iterable[str] | None = None) -> list[dict[str, str]]:
    """These fields, or all, as properties."""
    chosen = _properties(collection) if names is None else names
    return [{"id": name, "name": property_name(collection, name)} for name in chosen]


def _invalid(detail: str) -> QueryError:
    return QueryError("invalid-parameter", detail)


def render_results(found: Mapping[str, Sequence[Candidate]], collection: Collection) -> bytes:
    """The result batch, sorted by id."""
    kind = [entity_type(collection)]
    batch = {
        key: {
            "result": [
                {
                    "id": each.slug,
                    "name": each.name,
                    "score": each.score,
                    "match": each.match,
                    "type": kind,
                    "features": [{"id": name, "value": value} for name, value in each.features],
                }
                for each in found[key]
            ]
        }
        for key in found
    }
    return encode_json(batch)


def render_suggestions(rows: Sequence[Mapping[str, Any]], collection: Collection) -> bytes:
    """The suggest response with these summaries."""
    kind = [entity_type(collection)]
    result = [
        {
            "id": row["slug"],
            "name": row["name"],
            **({"description": row["summary"]} if row["summary"] else {}),
            "notable": kind,
        }
        for row in rows
    ]
    return encode_json({"result": result})


def property_name(collection: Collection, field: str) -> str:
    """The name of a field for people."""
    known = collection.filters.get(field)
    return known.label if known else field.removeprefix("field_").replace("_", " ").capitalize()


def render_extension(
    asked: Extension, found: Mapping[str, Sequence[Any]], collection: Collection
) -> bytes:
    """The data extension response; a slug that no record has gets no values."""
    names = [field.name for field in asked.fields]
    rows: dict[str, Any] = {
        slug: {name: _values(cell) for name, cell in zip(names, found[slug], strict=True)}
        if slug in found
        else {name: [] for name in names}
        for slug in asked.slugs
    }
    return encode_json({"meta": proposals(collection, names), "rows": rows})


def _values(cell: Any) -> list[dict[str, Any]]:
    if cell is None:
        return []
    if isinstance(cell, list):
        return [{"str": text} for text in cell]
    if isinstance(cell, bool):
        return [{"str": "true" if cell else "false"}]
    return [
        {"int" if isinstance(cell, int) else "float" if isinstance(cell, float) else "str": cell}
    ]
