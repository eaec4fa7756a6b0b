"""The settings of the Reconciliation Service API 0.2
(https://reconciliation-api.github.io/specs/0.2/) of a registry: its manifests and properties.

search/js/source/reconcile.mjs answers.
"""

from __future__ import annotations

from typing import Any

from generator.features.matching.questions import MAX_BATCH
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.paths import API_CATALOG, INDEX, RECONCILE, schema_path
from generator.grammar.row_fields import FOUND_IN

#: The documents that have the name of the registry, and its base URL.
MANIFEST_SOURCES = (INDEX, API_CATALOG)


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


def entity_type(collection: Collection) -> dict[str, str]:
    return {"id": collection.kind, "name": collection.kind.capitalize()}


def proposals(collection: Collection) -> list[dict[str, str]]:
    """The fields of rows that a record has by itself, whatever the query, as properties; its slug
    is the id.
    """
    names = (name for name in collection.row_fields if name not in ("slug", FOUND_IN))
    return [{"id": name, "name": _property_name(collection, name)} for name in names]


def _property_name(collection: Collection, field: str) -> str:
    """The name of a field for people."""
    known = collection.filters.get(field)
    return known.label if known else field.removeprefix("field_").replace("_", " ").capitalize()
