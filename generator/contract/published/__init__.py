"""The published shapes: one model for every kind of JSON document, in words for those who read the
API.

Output only: objects are open, every key is always there, and words that may grow are open
vocabularies.  The lock file is generated from these models (`registry schema --write`) and a build
publishes from the lock, so a build never imports this package.  What authors write has its own
models, in `model/kinds`.
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
    Coverage,
    Dashboard,
    Index,
    Problem,
    RemovedList,
)

#: kind -> model, of every document under /api that has a published schema.
DOCUMENTS: dict[str, type[Published]] = {
    "project_list": ProjectList,
    "program_list": ProgramList,
    "organization_list": OrganizationList,
    "event_list": EventList,
    "project_count": ProjectCount,
    "program_count": ProgramCount,
    "organization_count": OrganizationCount,
    "event_count": EventCount,
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
    "removed_list": RemovedList,
    "coverage": Coverage,
    "manifest_root": ManifestRoot,
    "manifest_snapshot": ManifestSnapshot,
    "manifest_bin": ManifestBin,
    "problem": Problem,
    "agent_catalog": AgentCatalog,
    "agent_schema": AgentSchema,
    "agent_tools": AgentTools,
}


class _Plain(GenerateJsonSchema):
    """JSON Schema without a title for every key: the description says more.  A description is one
    line, however its docstring is wrapped.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: Any) -> dict[str, Any]:
        shape = super().model_schema(schema)
        if "description" in shape:
            shape["description"] = " ".join(shape["description"].split())
        return shape


def generate() -> dict[str, Any]:
    """The schemas as the lock file holds them: kind -> name of its definition, the definitions and
    the addresses.
    """
    from generator.contract.lock import addresses
    from generator.grammar.grammar import Grammar

    _, shared = models_json_schema(
        [(model, "serialization") for model in DOCUMENTS.values()], schema_generator=_Plain
    )
    return {
        "schema_version": SCHEMA_VERSION,
        "documents": {kind: model.__name__ for kind, model in DOCUMENTS.items()},
        "addresses": {a.template: a.kind for a in addresses(Grammar({"family": "Any tag family"}))},
        "$defs": shared["$defs"],
    }
