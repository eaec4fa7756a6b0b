"""The settings of the Reconciliation Service API 0.2
(https://reconciliation-api.github.io/specs/0.2/) of a registry: its manifests and properties.

search/js/source/reconcile.mjs answers.
"""

from __future__ import annotations

from typing import Any

from generator.grammar.filters import FOUND_IN
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.paths import API_CATALOG, INDEX, RECONCILE, schema_path

#: The filter with the places of records.
PLACES = "location"
#: The properties of a question: the places, and the website of what is named.
PLACE_PROPERTIES, SITE_PROPERTIES = ("country", PLACES), ("website",)
#: Questions in a batch.
MAX_BATCH = 10
#: Keys that are looked up for one question, so that ten of them stay within the bound on reads.
MAX_KEYS = 4
#: Candidates of one question; suggestions in one answer; proposed properties.
MAX_CANDIDATES, MAX_SUGGESTED, MAX_PROPOSED = 10, 10, 200
#: Values of a property, and characters of one.
MAX_VALUES_OF_PROPERTY, MAX_CHARACTERS = 10, 300
#: Candidates with lower scores are left out.
LEAST = 50
#: The score from which people should look at a candidate that is no match.
LIKELY = 75
#: Without a limit, a question has candidates only if one has a higher score than this, and at most
#: so many.
SURE, USUAL = 90, 5
#: The score of a website of the same host with another path, if one of the two has none.
SAME_HOST = 85
#: Points that a former name has less, unless it is the same.
FORMER = 2
#: Points that a common place adds, and that other places take off.
NEAR, FAR = 3, 20
#: The scores of names with the same words, without legal forms, without spaces, with abbreviations;
#: of one with the initials of the other; of names with some misspelt letters or some common words.
SAME, SAME_CORE, JOINED, SHORTENED, INITIALS, EDITED, SOME_WORDS = 100, 97, 95, 93, 75, 94, 90
#: The minimum number of letters for one edit, and for two.
EDITS = (4, 8)
#: The minimum number of letters of a word that stands for a longer one, and words with initials.
MIN_BEGUN, MIN_INITIALS = 3, 3


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
