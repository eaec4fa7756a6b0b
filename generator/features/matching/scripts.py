"""What the JavaScript of matching finds in its table of settings (engine/table.py), among it the
manifests and properties of the Reconciliation Service API 0.2
(https://reconciliation-api.github.io/specs/0.2/).

The sources, candidates.mjs, extension.mjs, names.mjs and reconcile.mjs, are with those of the core,
because the bundles are made of all.
"""

from __future__ import annotations

from typing import Any

from generator.features.matching import names as words
from generator.features.matching import questions as scores
from generator.features.matching.name_files import MANY_FILES
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.limits import MAX_FORM
from generator.grammar.paths import API_CATALOG, INDEX, schema_path
from generator.grammar.row_fields import FOUND_IN
from generator.text import legal_forms

#: The documents that have the name of the registry, and its base URL.
MANIFEST_SOURCES = (INDEX, API_CATALOG)


def service_path(collection: Collection) -> str:
    return f"{scores.RECONCILE}/{collection.name}"


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
        "batchSize": scores.MAX_BATCH,
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


def reconcile(grammar: Grammar) -> dict[str, Any]:
    """What `/api/reconcile/…` needs: its manifests, properties and limits."""
    return {
        "manifests": {c.name: service_manifest(c, grammar) for c in grammar.collections.values()},
        "sources": MANIFEST_SOURCES,
        "properties": {c.name: proposals(c) for c in grammar.collections.values()},
        "pids": {"place": scores.PLACE_PROPERTIES, "site": scores.SITE_PROPERTIES},
        "most": {
            "batch": scores.MAX_BATCH,
            "form": MAX_FORM,
            "candidates": scores.MAX_CANDIDATES,
            "suggested": scores.MAX_SUGGESTED,
            "proposed": scores.MAX_PROPOSED,
            "values": scores.MAX_VALUES_OF_PROPERTY,
            "characters": scores.MAX_CHARACTERS,
        },
    }


def names() -> dict[str, Any]:
    """What `names.mjs` and `candidates.mjs` need."""
    return {
        "longest": legal_forms.MAX_NAME,
        "forms": {
            "last": sorted(legal_forms.LEGAL_FORMS),
            "first": sorted(legal_forms.FIRST_FORMS),
            "before": sorted(legal_forms.BEFORE_FORMS),
            "words": legal_forms.MAX_FORM,
            "joined": legal_forms.JOINED,
            "ordinary": legal_forms.ORDINARY_WORD,
        },
        "common": " ".join(sorted(words.COMMON_WORDS)),
        "short": words.SHORT_FORMS,
        "site": words.SITE,
        "id": words.IDENTIFIER,
        "edits": scores.EDITS,
        "least": {"begun": scores.MIN_BEGUN, "initials": scores.MIN_INITIALS},
        "scores": {
            "same": scores.SAME,
            "core": scores.SAME_CORE,
            "joined": scores.JOINED,
            "shortened": scores.SHORTENED,
            "initials": scores.INITIALS,
            "edited": scores.EDITED,
            "some": scores.SOME_WORDS,
        },
        "places": scores.PLACES,
        "most": {
            "files": MANY_FILES,
            "keys": scores.MAX_KEYS,
            "least": scores.LEAST,
            "sure": scores.SURE,
            "usual": scores.USUAL,
            "same_host": scores.SAME_HOST,
            "former": scores.FORMER,
            "near": scores.NEAR,
            "far": scores.FAR,
        },
    }
