"""The addresses that match names: what OpenAPI and JavaScript need of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.features.matching import names as settings
from generator.features.matching.index import MANY_FILES
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.limits import MAX_FORM
from generator.grammar.paths import API_CATALOG, INDEX, schema_path
from generator.grammar.routes import Service
from generator.grammar.row_fields import FOUND_IN, MAX_FIELDS
from generator.outputs.openapi import MISSING, REFUSED, parameter, response
from generator.text import legal_forms

#: The documents that have the name of the registry, and its base URL.
MANIFEST_SOURCES = (INDEX, API_CATALOG)


def service_path(collection: Collection) -> str:
    return f"{settings.RECONCILE}/{collection.name}"


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
        "batchSize": settings.MAX_BATCH,
    }


def _type_name(collection: Collection) -> str:
    declared = collection.declared
    return (declared.called[0] if declared.is_own else collection.kind).capitalize()


def entity_type(collection: Collection) -> dict[str, str]:
    return {"id": collection.kind, "name": _type_name(collection)}


def proposals(collection: Collection) -> list[dict[str, str]]:
    """The fields of rows that a record has by itself, whatever the query, as properties; its slug
    is the id.
    """
    names = (name for name in collection.row_fields if name not in ("slug", FOUND_IN))
    return [{"id": name, "name": _property_name(collection, name)} for name in names]


def _property_name(collection: Collection, field: str) -> str:
    known = collection.filters.get(field)
    return known.label if known else field.removeprefix("field_").replace("_", " ").capitalize()


def reconcile(grammar: Grammar) -> dict[str, Any]:
    """What `/api/reconcile/…` needs: its manifests, properties and limits."""
    return {
        "manifests": {c.name: service_manifest(c, grammar) for c in grammar.collections.values()},
        "sources": MANIFEST_SOURCES,
        "properties": {c.name: proposals(c) for c in grammar.collections.values()},
        "pids": {"place": settings.PLACE_PROPERTIES, "site": settings.SITE_PROPERTIES},
        "most": {
            "batch": settings.MAX_BATCH, "form": MAX_FORM, "candidates": settings.MAX_CANDIDATES,
            "suggested": settings.MAX_SUGGESTED, "proposed": settings.MAX_PROPOSED,
            "values": settings.MAX_VALUES_OF_PROPERTY, "characters": settings.MAX_CHARACTERS,
        },
    }  # fmt: skip


def names() -> dict[str, Any]:
    """What `names.mjs` and `candidates.mjs` need."""
    return {
        "longest": legal_forms.MAX_NAME,
        "forms": {
            "last": sorted(legal_forms.LEGAL_FORMS), "first": sorted(legal_forms.FIRST_FORMS),
            "before": sorted(legal_forms.BEFORE_FORMS), "words": legal_forms.MAX_FORM,
            "joined": legal_forms.JOINED, "ordinary": legal_forms.ORDINARY_WORD,
        },
        "brackets": {
            "opening": legal_forms.OPENING, "closing": legal_forms.CLOSING,
            "between": legal_forms.BETWEEN,
        },
        "common": " ".join(sorted(settings.COMMON_WORDS)),
        "short": settings.SHORT_FORMS,
        "site": settings.SITE,
        "id": settings.IDENTIFIER,
        "edits": settings.EDITS,
        "least": {"begun": settings.MIN_BEGUN, "initials": settings.MIN_INITIALS},
        "scores": {
            "same": settings.SAME, "core": settings.SAME_CORE, "joined": settings.JOINED,
            "shortened": settings.SHORTENED, "initials": settings.INITIALS,
            "edited": settings.EDITED, "some": settings.SOME_WORDS,
        },
        "places": settings.PLACES,
        "most": {
            "files": MANY_FILES, "keys": settings.MAX_KEYS, "least": settings.LEAST,
            "sure": settings.SURE, "usual": settings.USUAL, "likely": settings.LIKELY,
            "similar": settings.SIMILAR, "same_host": settings.SAME_HOST,
            "former": settings.FORMER, "near": settings.NEAR, "far": settings.FAR,
        },
    }  # fmt: skip


#: Below the address of a collection: suggestions of records, and the fields of records.
_SUGGEST, _PROPERTIES = "/suggest", "/properties"


def services(grammar: Grammar) -> Iterator[Service]:
    roots = [service_path(collection) for collection in grammar.collections.values()]
    paths = (root + part for part in ("", _SUGGEST, _PROPERTIES) for root in roots)
    yield Service((*paths,), _pattern(grammar), (f"{settings.RECONCILE}/:collection",), "match")


def _pattern(grammar: Grammar) -> str:
    """The addresses; route.mjs takes the collection and what is below it from the groups."""
    return f"{settings.RECONCILE}/({'|'.join(grammar.collections)})({_SUGGEST}|{_PROPERTIES})?"


def edge(grammar: Grammar, in_browser: bool) -> dict[str, Any]:
    """What JavaScript needs; browsers know the addresses, and refuse them."""
    service = {"service": f"^{_pattern(grammar)}$"}
    if in_browser:
        return service
    return {**service, "names": names(), "reconcile": reconcile(grammar)}


_FORM = {
    "queries": f"The query batch, as JSON: at most {settings.MAX_BATCH} queries by ids of your "
    "own.",
    "extend": f"A data extension query, as JSON: at most {settings.MAX_BATCH} ids and "
    f"{MAX_FIELDS} fields.",
}


def operations(grammar: Grammar) -> Iterator[tuple[str, dict[str, Any]]]:
    """The address in OpenAPI, with its operations by method."""
    text = {"type": "string", "minLength": 1}
    properties = {name: text | {"description": words} for name, words in _FORM.items()}
    schema = {"type": "object", "properties": properties}
    content = {"application/x-www-form-urlencoded": {"schema": schema}}
    get, post = (_operation(grammar, name) for name in ("match_names", "match_names_form"))
    get["parameters"] += [
        parameter(name, "query", words, text, False) for name, words in _FORM.items()
    ]
    post["requestBody"] = {"required": True, "content": content}
    yield f"{settings.RECONCILE}/{{collection}}", {"get": get, "post": post}


def _operation(grammar: Grammar, name: str) -> dict[str, Any]:
    where = {"type": "string", "enum": [*grammar.collections]}
    return {
        "operationId": name,
        "tags": ["queries"],
        "summary": "Match names with records",
        "description": "The Reconciliation Service API 0.2 "
        "(https://reconciliation-api.github.io/specs/0.2/); without parameters, its manifest. "
        "Suggestions are at the same address with /suggest, the fields for extend with "
        "/properties. Only hosts with a function answer.",
        "parameters": [parameter("collection", "path", "The collection.", where, True)],
        "responses": response("As in that specification.", "application/json", {"type": "object"})
        | REFUSED
        | MISSING
        | {"413": {"description": "The form or the batch is too large."}},
    }
