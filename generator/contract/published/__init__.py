"""The published shapes: one model for each kind of JSON document.  Their docstrings and
descriptions are published.

Objects are open, every key is always present, and vocabularies may grow.  `registry schema --write`
generates the lock file from these models.  A build publishes from the lock and never imports this
package.  `model/kinds` has the models of input.
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from generator import SCHEMA_VERSION
from generator.contract.published.agents import AgentCatalog, AgentSchema, AgentTools
from generator.contract.published.counts import (
    EventCount,
    OrganizationCount,
    ProgramCount,
    ProjectCount,
)
from generator.contract.published.lists import (
    EventList,
    Filter,
    FilterList,
    OrganizationList,
    ProgramList,
    ProjectList,
)
from generator.contract.published.manifest import ManifestBin, ManifestRoot, ManifestSnapshot
from generator.contract.published.parts import Published
from generator.contract.published.records import Event, Moved, Organization, Program, Project
from generator.contract.published.registry import (
    Build,
    ChangeList,
    ChangePage,
    Coverage,
    Dashboard,
    Identified,
    Index,
    Problem,
    RemovedList,
)
from generator.contract.published.rows import (
    EventRows,
    OrganizationRows,
    ProgramRows,
    ProjectRows,
)
from generator.contract.published.search import Search

#: Kind -> model of each document under /api with a published schema.
DOCUMENTS: dict[str, type[Published]] = {
    "project_list": ProjectList,
    "program_list": ProgramList,
    "organization_list": OrganizationList,
    "event_list": EventList,
    "project_rows": ProjectRows,
    "program_rows": ProgramRows,
    "organization_rows": OrganizationRows,
    "event_rows": EventRows,
    "project_count": ProjectCount,
    "program_count": ProgramCount,
    "organization_count": OrganizationCount,
    "event_count": EventCount,
    "search": Search,
    "project": Project,
    "program": Program,
    "organization": Organization,
    "event": Event,
    "moved": Moved,
    "filter_list": FilterList,
    "filter": Filter,
    "dashboard": Dashboard,
    "index": Index,
    "build": Build,
    "change_list": ChangeList,
    "change_page": ChangePage,
    "removed_list": RemovedList,
    "coverage": Coverage,
    "identified": Identified,
    "manifest_root": ManifestRoot,
    "manifest_snapshot": ManifestSnapshot,
    "manifest_bin": ManifestBin,
    "problem": Problem,
    "agent_catalog": AgentCatalog,
    "agent_schema": AgentSchema,
    "agent_tools": AgentTools,
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


def generate_lock() -> dict[str, Any]:
    """The content of the lock file."""
    from generator.contract.lock import addresses
    from generator.grammar.grammar import Grammar

    every = Grammar({"family": "Any tag family"}, by_id=("scheme",), changes=True)
    _, shared = models_json_schema(
        [(model, "serialization") for model in DOCUMENTS.values()], schema_generator=_Plain
    )
    return {
        "schema_version": SCHEMA_VERSION,
        "documents": {kind: model.__name__ for kind, model in DOCUMENTS.items()},
        "addresses": {a.template: a.kind for a in addresses(every)},
        "$defs": shared["$defs"],
    }
