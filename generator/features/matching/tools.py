"""The tool of agents that says which records names mean."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from generator.agent import inputs
from generator.agent.tools import Parameter, Tool, filled
from generator.features.matching.names import MAX_BATCH, RECONCILE
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
    collections = filled(grammar)
    if not collections:
        return
    schema = inputs.arguments(
        {
            "collection": inputs.one_of(collections, "Whose names"),
            "names": {
                "type": "array",
                "items": {"type": "string", "maxLength": MAX_NAME},
                "minItems": 1,
                "maxItems": MAX_BATCH,
                "description": "Names, websites or slugs",
            },
            "place": inputs.described(inputs.TEXT, "A country or city of all"),
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": _MAX_CANDIDATES,
                "description": "Also less similar names",
            },
        },
        required=["collection", "names"],
    )
    purpose = (
        "The records that each name may mean, with scores and reasons. Sure only if match is true."
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
    return json.dumps(
        {f"q{n}": {"query": name} for n, name in enumerate(args["names"])}, separators=(",", ":")
    )
