"""The published shapes: one model for each kind of JSON document.  Their docstrings and
descriptions are published.

Objects are open, every key is always present, and vocabularies may grow.  `registry schema --write`
generates the lock file from these models.  A build publishes from the lock and never imports this
package.  `model/kinds` has the models of input.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from generator import SCHEMA_VERSION
from generator.contract.published import agents, lists, parts, registry
from generator.contract.published.parts import Published
from generator.feature import Hook
from generator.kinds import Kinds

_ADDED: Hook[Mapping[str, type[Published]]] = Hook("published", "DOCUMENTS")


@cache
def documents(kinds: Kinds) -> Mapping[str, type[Published]]:
    """Kind -> model of each document under /api with a published schema."""
    return {
        **lists.lists(kinds),
        "search": lists.search(kinds),
        **parts.records(kinds),
        "moved": parts.Moved,
        "filter_list": lists.FilterList,
        "filter": lists.Filter,
        "dashboard": registry.dashboard(kinds),
        "index": registry.index(kinds),
        "build": parts.with_types(registry.Build, counts=parts.counts(kinds)),
        "change_list": registry.ChangeList,
        "removed_list": registry.RemovedList,
        "coverage": registry.Coverage,
        "manifest_root": agents.ManifestRoot,
        "manifest_snapshot": agents.ManifestSnapshot,
        "manifest_bin": agents.ManifestBin,
        "problem": registry.Problem,
        "agent_catalog": agents.AgentCatalog,
        "agent_schema": agents.AgentSchema,
        "agent_tools": agents.AgentTools,
        **{kind: model for added in _ADDED for kind, model in added.items()},
    }


class _Plain(GenerateJsonSchema):
    """JSON Schema without titles of keys, and with each description on one line."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: Any) -> dict[str, Any]:
        shape = super().model_schema(schema)
        if "description" in shape:
            shape["description"] = " ".join(shape["description"].split())
        return shape


def generate_lock(kinds: Kinds, old: dict[str, Any] | None = None) -> dict[str, Any]:
    """The content of the lock file without `since`, in the order of the `old` one."""
    from generator.contract.addresses import addresses
    from generator.contract.lock import in_order_of
    from generator.grammar.grammar import Grammar

    asked: Hook[Any] = Hook("settings", "Publish")
    keys = (name for model in asked for name in model.model_fields)
    every = Grammar(kinds, {"family": "Any tag family"}, asked={key: ["any"] for key in keys})
    models = documents(kinds)
    _, shared = models_json_schema(
        [(model, "serialization") for model in models.values()], schema_generator=_Plain
    )
    new = {
        "schema_version": SCHEMA_VERSION,
        "documents": {kind: model.__name__ for kind, model in models.items()},
        "addresses": {a.template: a.kind for a in addresses(every)},
        "$defs": shared["$defs"],
    }
    return dict(in_order_of(new, old))
