"""The addresses that match names: what OpenAPI and JavaScript need of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.features.matching.questions import MAX_BATCH, RECONCILE
from generator.features.matching.scripts import names, reconcile, service_path
from generator.grammar.grammar import Grammar
from generator.grammar.routes import Service
from generator.grammar.row_fields import MAX_FIELDS
from generator.outputs.openapi import MISSING, REFUSED, parameter, response

#: Below the address of a collection: suggestions of records, and the fields of records.
_SUGGEST, _PROPERTIES = "/suggest", "/properties"


def services(grammar: Grammar) -> Iterator[Service]:
    roots = [service_path(collection) for collection in grammar.collections.values()]
    paths = (root + part for part in ("", _SUGGEST, _PROPERTIES) for root in roots)
    yield Service((*paths,), _pattern(grammar), (f"{RECONCILE}/:collection",), "match")


def _pattern(grammar: Grammar) -> str:
    """The addresses; route.mjs takes the collection and what is below it from the groups."""
    return f"{RECONCILE}/({'|'.join(grammar.collections)})({_SUGGEST}|{_PROPERTIES})?"


def edge(grammar: Grammar, in_browser: bool) -> dict[str, Any]:
    """What JavaScript needs; browsers know the addresses, and refuse them."""
    service = {"service": f"^{_pattern(grammar)}$"}
    if in_browser:
        return service
    return {**service, "names": names(), "reconcile": reconcile(grammar)}


_FORM = {
    "queries": f"The query batch, as JSON: at most {MAX_BATCH} queries by ids of your own.",
    "extend": f"A data extension query, as JSON: at most {MAX_BATCH} ids and {MAX_FIELDS} fields.",
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
    yield f"{RECONCILE}/{{collection}}", {"get": get, "post": post}


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
