"""The tool of agents that says which records names mean."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from generator.agent import inputs
from generator.agent.tools import Parameter, Tool
from generator.features.matching.questions import MAX_BATCH, RECONCILE
from generator.grammar.grammar import Grammar
from generator.text.legal_forms import MAX_NAME

_NAME = "match_names"
#: Candidates of a name.
_MAX_CANDIDATES = 3
_QUERIES = (
    f'Up to {MAX_BATCH} questions as JSON: {{"q0":{{"query":"Acme"}}}}, with GET or as a form. '
    "Each has candidates with score and match."
)


def tools(grammar: Grammar) -> Iterator[tuple[str, Tool]]:
    """The tool, after `list_records`."""
    collections = grammar.collections
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(collections),
            "names": {
                "type": "array",
                "items": {"type": "string", "maxLength": MAX_NAME},
                "minItems": 1,
                "maxItems": MAX_BATCH,
            },
            "place": inputs.TEXT,
            "limit": {"type": "integer", "minimum": 1, "maximum": _MAX_CANDIDATES},
        },
        required=["collection", "names"],
    )
    purpose = (
        f"For up to {MAX_BATCH} names, websites or slugs: the records that each may mean, with "
        "scores and reasons. Sure only if match is true. place: a country or city of all. limit: "
        "also names that are only similar."
    )
    services = {name: f"{RECONCILE}/{name}" for name in collections}
    bounds = {"max_names": MAX_BATCH}
    yield (
        "list_records",
        Tool(
            _NAME, "Which records names mean", purpose, schema, services, bounds,
            parameters={"queries": Parameter(_QUERIES, _queries)},
        ),
    )  # fmt: skip


def _queries(args: Mapping[str, Any]) -> str:
    """The questions as the address takes them."""
    return json.dumps(
        {f"q{n}": {"query": name} for n, name in enumerate(args["names"])}, separators=(",", ":")
    )
